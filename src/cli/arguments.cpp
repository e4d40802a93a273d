// SPDX-License-Identifier: MIT
#include "cli/arguments.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "base/text.hpp"
#include "cli/options.hpp"
#include "measure/output.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

using Words = std::vector<std::string>;

// ---- what is said of wrong words ----------------------------------------------------------------

[[noreturn]] void unknown_option(std::string const& word, std::string_view command) {
    std::vector<std::string_view> names{"--help", "--help-all", "--version"};
    for (auto const* option : options_of(command)) names.push_back(option->name);
    auto const name = word.substr(0, word.find('='));
    auto hint = suggestion(name, names);
    if (hint.empty())
        hint = fmt::format("rocmtune {}{}--help lists what there is", command,
                           command.empty() ? "" : " ");
    throw Error(fmt::format("unknown option '{}'", printable(name)), hint);
}

[[noreturn]] void unknown_command(std::string const& word) {
    std::vector<std::string_view> names;
    for (auto const& command : all_commands()) names.push_back(command.name);
    auto hint = suggestion(word, names);
    throw Error(fmt::format("unknown command '{}'", printable(word)),
                hint.empty() ? "rocmtune --help lists the commands" : hint);
}

void check_choice(std::string_view what, std::string_view metavar, std::string const& value) {
    auto const choices = choices_of(metavar);
    if (choices.size() < 2 || std::ranges::find(choices, value) != choices.end()) return;
    auto const hint = suggestion(value, choices);
    throw Error(fmt::format("{} cannot be '{}'", what, printable(value)),
                hint.empty() ? fmt::format("choose one of {}", fmt::join(choices, ", ")) : hint);
}

/// "a FILE", "an ACTION", "an N".
std::string with_article(std::string_view metavar) {
    // A single letter is said by its name: en, es, ex.
    bool const is_letter = metavar.substr(0, metavar.find('|')).size() == 1;
    std::string_view const vowels = is_letter ? "AEFHILMNORSX" : "AEIOU";
    return fmt::format("{} {}", vowels.find(metavar.front()) == vowels.npos ? "a" : "an", metavar);
}

/// "text|json" as "text, json".
std::string listed(std::string_view choices) {
    return fmt::format("{}", fmt::join(choices_of(choices), ", "));
}

void check_values(Option const& option, Words const& values) {
    if (values.size() > 1 && !option.repeatable)
        throw Error(fmt::format("{} may be given once", option.name));
    for (auto const& value : values) {
        if (value.empty())
            throw Error(fmt::format("{} needs {}", option.name,
                                    option.value == Value::word ? "one of " + listed(option.metavar)
                                                                : with_article(option.metavar)));
        if (option.value == Value::number && !to_real(value))
            throw Error(fmt::format("{} needs a number, not '{}'", option.name, printable(value)));
        if (option.value == Value::word) check_choice(option.name, option.metavar, value);
    }
}

/// A command of others has options of its own, so it stands behind "--".
void check_command(Command const& command, Words const& before, Words const& behind) {
    auto const hint =
        fmt::format("rocmtune {} [options] -- {}...", command.name, command.positional.name);
    if (!before.empty())
        throw Error(fmt::format("unexpected argument '{}' before --", printable(before.front())),
                    hint);
    if (behind.empty() && !command.positional.may_lack)
        throw Error(fmt::format("{} needs {}", command.name, with_article(command.positional.name)),
                    hint);
}

std::string help_hint(std::string_view command) {
    return fmt::format("rocmtune {}{}--help has examples", command, command.empty() ? "" : " ");
}

void check_positionals(std::string_view command, Positional const& positional, Words const& words) {
    if (!words.empty() && positional.name.empty())
        throw Error(fmt::format("unexpected argument '{}'", printable(words.front())),
                    help_hint(command));
    if (words.size() > 1 && !positional.repeats)
        throw Error(
            fmt::format("unexpected argument '{}'", printable(words[1])),
            fmt::format("{} takes one {}; {}", command, positional.name, help_hint(command)));
    // A command that takes a certain number of them says so itself, of none as of one.
    bool const needs_one =
        !positional.name.empty() && !positional.may_lack && positional.exactly == 0;
    if (words.empty() && needs_one)
        throw Error(fmt::format("{} needs {}", command, with_article(positional.name)),
                    positional.choices.empty() ? help_hint(command)
                                               : "one of " + listed(positional.choices));
    if (!words.empty() && !positional.is_open)
        check_choice(positional.name, positional.choices, words.front());
}

// ---- options that do not go together ------------------------------------------------------------

struct Exclusion {
    std::string_view command;  ///< empty: all
    std::string_view option;
    std::string_view others;  ///< blank-separated
    std::string_view hint;
};

constexpr Exclusion exclusions[] = {
    {"", "--root", "--replay", "choose one host to read"},
    {"probe", "--watch", "--replay --record --redact --bug-report --also --output",
     "--watch shows this host as it is now, look after look"},
    {"probe", "--flight", "--root", "a flight record is of this host"},
    {"probe", "--bug-report", "--record --format --json --also --gpu",
     "--bug-report records and prints by itself; run probe once more for anything else"},
    {"check", "--learn", "--only",
     "whether a host is a good one, all checks tell; --skip leaves some out"},
    {"bench", "--tick", "--bins", "rows are either a multiple of --tick or --bins of them"},
    {"verify", "--command", "--benchmark", "one of them is what is measured; leave out the other"},
    {"tune", "--command", "--benchmark", "one of them is what is measured; leave out the other"},
    {"plan", "--model", "--params", "the file says how many there are"},
    {"plan", "--memory", "--root --replay --gpu",
     "--memory plans for GPUs that this host may not have"},
};

/// An option that means something beside another one only.
struct NeededOption {
    std::string_view command;
    std::string_view option;
    std::string_view needed;
    std::string_view hint;
};

constexpr NeededOption needed_options[] = {
    {"probe", "--count", "--watch", "for example --watch 5 --count 12"},
    {"probe", "--flight", "--watch", "for example --watch 1 --flight FILE"},
    {"probe", "--measure", "--bug-report FILE",
     "figures alone: rocmtune check -l medium, rocmtune bench"},
    {"bench", "--tick", "--ticks", "it is the step of your own prices"},
};

void check_together(Arguments const& arguments) {
    auto const command = arguments.command.empty() ? std::string("probe") : arguments.command;
    auto const is_of = [&](std::string_view row) { return row.empty() || row == command; };
    for (auto const& row : needed_options)
        if (is_of(row.command) && arguments.has(row.option) &&
            !arguments.has(row.needed.substr(0, row.needed.find(' '))))
            throw Error(fmt::format("{} needs {}", row.option, row.needed), std::string(row.hint));
    for (auto const& row : exclusions)
        for (auto const other : words(row.others))
            if (is_of(row.command) && arguments.has(row.option) && arguments.has(other))
                throw Error(fmt::format("{} and {} exclude each other", row.option, other),
                            std::string(row.hint));
}

// ---- parsing ------------------------------------------------------------------------------------

/// What CLI11 makes of words. A broken line has what stood before the break.
struct Line {
    std::vector<std::pair<Option const*, Words>> values = {};  ///< of switches as often as given
    Words others = {};                                         ///< neither options nor values
    std::string problem = {};
};

Option const help_option{"--help", 'h', Value::none, "", "", ""};
Option const help_all_option{"--help-all", 0, Value::none, "", "", ""};
Option const version_option{"--version", 0, Value::none, "", "", ""};

/// @param options  of two with one name the first counts
Line read_line(Words words, std::vector<Option const*> options) {
    options.insert(options.end(), {&help_option, &help_all_option, &version_option});
    CLI::App app;
    app.set_help_flag();
    app.allow_extras(true);
    std::set<std::string_view> names;
    std::vector<std::pair<Option const*, CLI::Option*>> added;
    for (auto const* option : options) {
        if (!names.insert(option->name).second) continue;
        auto name = std::string(option->name);
        if (option->letter != 0) name = fmt::format("-{},{}", option->letter, name);
        auto* const slot = option->value == Value::none ? app.add_flag(name) : app.add_option(name);
        slot->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
        added.emplace_back(option, slot);
    }
    Line line;
    try {
        std::ranges::reverse(words);  // CLI11 takes a vector from its end
        app.parse(words);
    } catch (CLI::ParseError const& error) {
        std::string const message = error.what();
        line.problem = message.substr(0, message.find(": ")) + " needs a value";
    }
    for (auto const& [option, slot] : added) line.values.emplace_back(option, slot->results());
    line.others = app.remaining();
    return line;
}

bool is_option(std::string const& word) {
    return word.starts_with('-') && word != "-";
}

/// What follows "--" is never an option.
Words take_tail(Words& rest) {
    auto const dashes = std::ranges::find(rest, "--");
    if (dashes == rest.end()) return {};
    Words tail(dashes + 1, rest.end());
    rest.erase(dashes, rest.end());
    return tail;
}

/// "help NAME" and "version" are understood as the options that they mean.
Words meant_words(Words words) {
    if (words.empty()) return words;
    if (words.front() == "version") words.front() = "--version";
    if (words.front() != "help") return words;
    words.erase(words.begin());
    words.emplace_back("--help");
    return words;
}

/// By the options of all commands.
Line read_with_all_options(Words const& words) {
    std::vector<Option const*> all;
    for (auto const& option : all_options()) all.push_back(&option);
    return read_line(words, all);
}

std::optional<std::string> command_of(Line const& line) {
    auto const word = std::ranges::find_if_not(line.others, is_option);
    return word == line.others.end() ? std::nullopt : std::optional(*word);
}

/// The command is the first word that is neither an option nor the value of one, and may stand
/// behind options.
std::optional<std::string> command_word(Words const& words) {
    // Most lines tell it without a look at their options.
    if (std::ranges::all_of(words, is_option)) return std::nullopt;
    if (find_command(words.front()) != nullptr) return words.front();
    return command_of(read_with_all_options(words));
}

}  // namespace

std::optional<std::string> Arguments::value(std::string_view option) const {
    auto const found = values_.find(option);
    if (found == values_.end()) return std::nullopt;
    return found->second.back();
}

std::vector<std::string> Arguments::values(std::string_view option) const {
    auto const found = values_.find(option);
    return found == values_.end() ? Words{} : found->second;
}

std::optional<double> Arguments::number(std::string_view option, double least) const {
    auto const text = value(option);
    if (!text) return std::nullopt;
    auto const number = to_real(*text);
    if (!number || *number < least)
        throw Error(fmt::format("{} needs a number of at least {}, not '{}'", option, least,
                                printable(*text)));
    return number;
}

std::optional<std::uint64_t> Arguments::whole_number(std::string_view option, std::uint64_t least,
                                                     std::uint64_t most) const {
    auto const asked = number(option, static_cast<double>(least));
    if (!asked) return std::nullopt;
    if (*asked != std::floor(*asked) || *asked > static_cast<double>(most))
        throw Error(fmt::format("{} needs a whole number from {} to {}, not '{}'", option, least,
                                most, printable(*value(option))));
    return static_cast<std::uint64_t>(*asked);
}

std::optional<double> Arguments::seconds(std::string_view option, double least) const {
    auto const asked = number(option, least);
    return asked ? std::optional(std::min(*asked, longest_seconds)) : std::nullopt;
}

std::optional<std::chrono::milliseconds> Arguments::milliseconds(std::string_view option) const {
    auto const asked = seconds(option);
    if (!asked) return std::nullopt;
    return std::chrono::milliseconds(static_cast<std::int64_t>(*asked * 1000));
}

Arguments understood(std::vector<std::string> const& words) {
    auto rest = meant_words(words);
    (void)take_tail(rest);
    auto const line = read_with_all_options(rest);
    Arguments arguments;
    for (auto const& [option, values] : line.values) arguments.add(option->name, values);
    auto const word = command_of(line);
    if (auto const* command = word ? find_command(*word) : nullptr)
        arguments.command = command->name;
    return arguments;
}

Arguments parse_arguments(std::vector<std::string> const& words) {
    auto rest = meant_words(words);
    auto const tail = take_tail(rest);
    Arguments arguments;
    auto const word = command_word(rest);
    auto const* command = word ? find_command(*word) : nullptr;
    if (word && command == nullptr) unknown_command(*word);
    if (command != nullptr) {
        arguments.command = command->name;
        rest.erase(std::ranges::find(rest, *word));
    }
    auto const line = read_line(rest, options_of(arguments.command));
    if (!line.problem.empty()) throw Error(line.problem);
    for (auto const& [option, values] : line.values) {
        auto const given = static_cast<std::ptrdiff_t>(values.size());
        if (option->value == Value::none && std::ranges::count(values, "true") != given)
            throw Error(fmt::format("{} takes no value", option->name));
        arguments.add(option->name, values);
    }
    for (auto const* option : {&help_option, &help_all_option, &version_option})
        if (arguments.has(option->name)) return arguments;
    auto const unknown = std::ranges::find_if(line.others, is_option);
    if (unknown != line.others.end()) unknown_option(*unknown, arguments.command);
    for (auto const& [option, values] : line.values)
        if (option->value != Value::none) check_values(*option, values);
    arguments.positionals = line.others;
    arguments.positionals.insert(arguments.positionals.end(), tail.begin(), tail.end());
    arguments.behind = tail.size();
    auto const& positional = command != nullptr ? command->positional : Positional{};
    if (positional.is_command) check_command(*command, line.others, tail);
    else check_positionals(arguments.command, positional, arguments.positionals);
    check_together(arguments);
    return arguments;
}

}  // namespace rocmtune
