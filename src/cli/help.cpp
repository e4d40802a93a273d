// SPDX-License-Identifier: MIT
#include "cli/help.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "base/data_date.hpp"
#include "build_info.hpp"
#include "cli/options.hpp"
#include "show/layout.hpp"

namespace rocmtune {
namespace {

constexpr std::size_t name_width = 30;  ///< widest option with its value, and a gap

/// A list of choices that is wider than the screen goes on in the next line.
std::string broken(std::string name, std::size_t width) {
    std::string text;
    while (name.size() > width) {
        auto const bar = name.rfind('|', width - 1);
        if (bar == name.npos) break;
        text += name.substr(0, bar + 1) + '\n';
        name = "        " + name.substr(bar + 1);
    }
    return text + name;
}

/// A name with its explanation beside it, or below it where the name is too wide.
std::string entry(std::string const& name, std::string_view about, std::size_t width) {
    std::string text = broken("  " + name, width);
    bool beside = text.size() + 2 <= name_width;
    if (!beside) text += '\n';
    for (auto const& line : wrapped(about, width - name_width)) {
        text +=
            std::string(beside ? name_width - (text.size() - (text.rfind('\n') + 1)) : name_width,
                        ' ') +
            line + '\n';
        beside = false;
    }
    return text;
}

std::string option_name(Option const& option) {
    auto const letter = option.letter != 0 ? fmt::format("-{}, ", option.letter) : std::string();
    return letter + std::string(option.name) + (option.metavar.empty() ? "" : " ") +
           std::string(option.metavar);
}

/// As much of a sentence as fits: whole clauses, else whole words.
std::string gist(std::string_view sentence, std::size_t width) {
    if (sentence.size() <= width) return std::string(sentence);
    if (auto const end = sentence.rfind("; ", width); end != sentence.npos)
        return std::string(sentence.substr(0, end));
    return std::string(sentence.substr(0, sentence.rfind(' ', width - 4))) + " ...";
}

enum class Form { brief, whole };

std::string examples_text(std::span<Example const> examples, std::size_t width, Form form) {
    std::string text = "Examples:\n";
    for (auto const& example : examples) {
        auto const about =
            form == Form::brief ? gist(example.about, width - 6) : std::string(example.about);
        text += fmt::format("  {}\n", example.line);
        for (auto const& line : wrapped(about, width - 6)) text += fmt::format("      {}\n", line);
    }
    return text;
}

std::string options_text(std::string_view command, std::size_t width) {
    std::string text = "Options:\n";
    for (auto const* option : options_of(command))
        text += entry(option_name(*option), option->help, width);
    return text + entry("-h, --help", "the same in short", width);
}

// ---- the short form -----------------------------------------------------------------------------

/// Choices that are wider than the column stand in place of the help: they say more.
std::string short_entry(Option const& option, std::size_t width) {
    auto const gap = name_width - 4;
    auto name = option_name(option);
    auto about = gist(option.help, width - name_width);
    if (name.size() > gap && option.value == Value::word) {
        about = option.metavar;
        if (about.size() > width - name_width) about = gist(option.help, width - name_width);
        name = option_name({option.name, option.letter, option.value, "WORD", {}, {}});
    }
    return entry(name, about, width);
}

/// What most commands have needs no line of its own; nor do, of tune, the options of env and bench
/// that choose its candidates and its benchmark.
bool is_common(Option const& option, std::string_view command) {
    constexpr std::array<std::string_view, 6> chosen{"--level",   "--workload", "--framework",
                                                     "--backend", "--dtype",    "--size"};
    if (command == "tune" && std::ranges::find(chosen, option.name) != chosen.end()) return true;
    auto const common = common_options();
    return std::ranges::find(common, option.name) != common.end() || option.name == "--no-color" ||
           option.name == "--sources";
}

std::string short_options(std::string_view command, std::size_t width) {
    std::string text;
    std::vector<std::string_view> common;
    for (auto const* option : options_of(command)) {
        if (is_common(*option, command)) common.push_back(option->name);
        else text += short_entry(*option, width);
    }
    if (!text.empty()) text = "Options:\n" + text + '\n';
    auto const also = common.empty() ? "" : fmt::format("Also {}; ", fmt::join(common, " "));
    for (auto const& line : wrapped(also + "--help-all says more", width)) text += line + '\n';
    return text;
}

/// " [FILE]...", " NAME", " REPORT REPORT", " -- COMMAND...".
std::string usage_of(Positional const& positional) {
    if (positional.name.empty()) return {};
    if (positional.is_command) {
        auto const command = fmt::format("-- {}...", positional.name);
        return positional.may_lack ? " [" + command + "]" : " " + command;
    }
    if (positional.exactly > 0) {
        std::string text;
        for (std::size_t i = 0; i < positional.exactly; ++i)
            text.append(1, ' ').append(positional.name);
        return text;
    }
    return fmt::format(" {}{}{}{}", positional.may_lack ? "[" : "", positional.name,
                       positional.may_lack ? "]" : "", positional.repeats ? "..." : "");
}

std::string program_help(std::size_t width) {
    constexpr Example examples[] = {
        {"rocmtune", "one screen about this host"},
        {"rocmtune probe -v", "every fact, or the reason why it is missing"},
        {"rocmtune probe --json", "the same for machines"}};
    std::string text = "rocmtune tells the truth about AMD GPU hosts.\n\n" +
                       examples_text(examples, width, Form::whole);
    text += "\nCommands:\n";
    for (auto const& command : all_commands())
        text += entry(std::string(command.name), command.about, width);
    text += "\n" + entry("--version",
                         "version of the program and date of its data; with -v how old what "
                         "they say of each component is, and what the program gives up before it "
                         "reads what others wrote",
                         width);
    text += entry("-h, --help", "this text; 'rocmtune COMMAND --help' for the options", width);
    return text + "\nrocmtune alone takes the options of probe. Manual: man rocmtune\n";
}

/// What a command is, examples of it, and its line.
std::string head(Command const& command, std::span<Example const> examples, std::size_t width,
                 Form form) {
    std::string text;
    for (auto const& line :
         wrapped(fmt::format("rocmtune {}: {}", command.name, command.about), width))
        text += line + '\n';
    text += '\n' + examples_text(examples, width, form);
    text += fmt::format("\nUsage: rocmtune {} [options]{}\n", command.name,
                        usage_of(command.positional));
    if (!command.positional.choices.empty())
        text += entry(std::string(command.positional.name),
                      fmt::format("{}: {}", command.positional.help,
                                  fmt::join(choices_of(command.positional.choices), ", ")),
                      width);
    return text + '\n';
}

}  // namespace

std::string help_text(std::string_view name, std::size_t width) {
    constexpr std::size_t most_lines = 32;
    auto const* command = find_command(name);
    if (command == nullptr) return program_help(width);
    auto const options = short_options(command->name, width);
    // Examples are what gives way.
    for (auto count = command->examples.size();; --count) {
        auto const text =
            head(*command, std::span(command->examples).first(count), width, Form::brief) + options;
        if (count == 1 || std::ranges::count(text, '\n') <= static_cast<long>(most_lines))
            return text;
    }
}

std::string whole_help(std::string_view name, std::size_t width) {
    auto const* command = find_command(name);
    if (command == nullptr) return program_help(width);
    return head(*command, command->examples, width, Form::whole) +
           options_text(command->name, width);
}

std::string version_text() {
    return fmt::format("rocmtune {} (data of {})\n", tool_version, data_date());
}

}  // namespace rocmtune
