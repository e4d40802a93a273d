// SPDX-License-Identifier: MIT
#include "cli/arguments.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "base/text.hpp"
#include "cli/options.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

std::string suggestion(std::string_view word, std::vector<std::string_view> const& candidates) {
    auto const near = meant(word, candidates);
    return near ? fmt::format("did you mean '{}'?", *near) : std::string();
}

[[noreturn]] void unknown_option(std::string const& word, std::string_view command) {
    std::vector<std::string_view> names{"--help", "--version"};
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
    if (choices.size() < 2 || std::find(choices.begin(), choices.end(), value) != choices.end())
        return;
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

void check_value(Option const& option, std::string const& value) {
    if (value.empty() && option.value != Value::none)
        throw Error(fmt::format("{} needs {}", option.name,
                                option.value == Value::word ? "one of " + listed(option.metavar)
                                                            : with_article(option.metavar)));
    if (option.value == Value::number && !to_real(value))
        throw Error(fmt::format("{} needs a number, not '{}'", option.name, printable(value)));
    if (option.value == Value::word) check_choice(option.name, option.metavar, value);
}

/// Values as CLI11 stores them, one place per option.
struct Slot {
    Option const* option;
    std::vector<std::string> values;
    std::size_t flags = 0;
};

void add_option(CLI::App& app, Slot& slot) {
    auto const& option = *slot.option;
    auto names = std::string(option.name);
    if (option.letter != 0) names = fmt::format("-{},{}", option.letter, names);
    if (option.value == Value::none) {
        app.add_flag(names, slot.flags)->disable_flag_override();
        return;
    }
    auto* added = app.add_option(names, slot.values);
    added->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->expected(1)
        ->expected(1, -1);
    added->allow_extra_args(false);
}

/// CLI11's complaints in our words.
[[noreturn]] void rethrow(CLI::ParseError const& error) {
    auto message = std::string(error.what());
    if (auto const end = message.find(" was given a disallowed flag override"); end != message.npos)
        throw Error(fmt::format("--{} takes no value", message.substr(0, end)));
    auto const colon = message.find(": ");
    if (dynamic_cast<CLI::ArgumentMismatch const*>(&error) != nullptr && colon != message.npos)
        throw Error(message.substr(0, colon) + " needs a value");
    throw Error(message);
}

/// True if the word is an option whose value is the word after it, as in "--root DIR" and "-vo F".
bool takes_next_word(std::string_view word) {
    if (word.size() < 2 || word[0] != '-') return false;
    bool const letters = word[1] != '-';
    // --unset is a switch of one command and has a value in another: who writes it before the
    // command means the switch.
    auto const is_switch = [&](Option const& option) {
        return option.value == Value::none && option.name == word;
    };
    if (std::any_of(all_options().begin(), all_options().end(), is_switch)) return false;
    for (std::size_t i = 1; i < (letters ? word.size() : 2); ++i)
        for (auto const& option : all_options()) {
            if (option.value == Value::none) continue;
            if (!letters && word == option.name) return true;
            if (letters && word[i] == option.letter) return i + 1 == word.size();
        }
    return false;
}

using Words = std::vector<std::string>;

/// The command is the first word that is neither an option nor the value of one.
Words::const_iterator find_command_word(Words const& words) {
    auto place = words.begin();
    while (place != words.end() && *place != "--" && (place->starts_with('-') && *place != "-"))
        place += takes_next_word(*place) && place + 1 != words.end() ? 2 : 1;
    return place != words.end() && *place == "--" ? words.end() : place;
}

Command const* take_command(Words& rest) {
    auto const place = find_command_word(rest);
    if (place == rest.end()) return nullptr;
    auto const* command = find_command(*place);
    if (command == nullptr) unknown_command(*place);
    rest.erase(place);
    return command;
}

/// What follows "--" is never an option.
Words take_tail(Words& rest) {
    auto const dashes = std::find(rest.begin(), rest.end(), "--");
    if (dashes == rest.end()) return {};
    Words tail(dashes + 1, rest.end());
    rest.erase(dashes, rest.end());
    return tail;
}

/// A command of others has options of its own, so it stands behind "--".
void check_command(Command const& command, Words const& extras, Words const& tail) {
    auto const hint =
        fmt::format("rocmtune {} [options] -- {}...", command.name, command.positional.name);
    if (!extras.empty())
        throw Error(fmt::format("unexpected argument '{}' before --", printable(extras.front())),
                    hint);
    if (tail.empty() && !command.positional.may_lack)
        throw Error(fmt::format("{} needs {}", command.name, with_article(command.positional.name)),
                    hint);
}

std::string help_hint(Command const* command) {
    return fmt::format("rocmtune {}{}--help has examples",
                       command != nullptr ? command->name : std::string_view(),
                       command != nullptr ? " " : "");
}

void check_positionals(Command const* command, std::vector<std::string> const& words) {
    auto const& positional = command != nullptr ? command->positional : Positional{};
    if (!words.empty() && positional.name.empty())
        throw Error(fmt::format("unexpected argument '{}'", printable(words.front())),
                    help_hint(command));
    if (words.size() > 1 && !positional.repeats)
        throw Error(
            fmt::format("unexpected argument '{}'", printable(words[1])),
            fmt::format("{} takes one {}; {}", command->name, positional.name, help_hint(command)));
    // A command that takes a certain number of them says so itself, of none as of one.
    bool const needs_one =
        !positional.name.empty() && !positional.may_lack && positional.exactly == 0;
    if (words.empty() && needs_one)
        throw Error(fmt::format("{} needs {}", command->name, with_article(positional.name)),
                    positional.choices.empty() ? help_hint(command)
                                               : "one of " + listed(positional.choices));
    if (!words.empty()) check_choice(positional.name, positional.choices, words.front());
}

using Slots = std::vector<std::unique_ptr<Slot>>;

void take_switches(Slots const& slots, Arguments& arguments) {
    for (auto const& slot : slots)
        for (std::size_t i = 0; i < slot->flags; ++i)
            arguments.add(std::string(slot->option->name), "");
}

void take_values(Slots const& slots, Arguments& arguments) {
    for (auto const& slot : slots) {
        auto const& option = *slot->option;
        if (slot->values.size() > 1 && !option.repeatable)
            throw Error(fmt::format("{} may be given once", option.name));
        for (auto const& value : slot->values) {
            check_value(option, value);
            arguments.add(std::string(option.name), value);
        }
    }
}

}  // namespace

Arguments parse_arguments(std::vector<std::string> const& words) {
    auto rest = words;
    auto const* command = take_command(rest);
    auto const tail = take_tail(rest);
    CLI::App app;
    app.set_help_flag();
    app.allow_extras(true);
    Arguments arguments;
    if (command != nullptr) arguments.command = command->name;
    app.add_flag("-h,--help", arguments.help);
    app.add_flag("--version", arguments.version);
    Slots slots;
    for (auto const* option : options_of(arguments.command)) {
        slots.push_back(std::make_unique<Slot>(Slot{option, {}, 0}));
        add_option(app, *slots.back());
    }
    try {
        std::reverse(rest.begin(), rest.end());  // CLI11 takes a vector from its end
        app.parse(rest);
    } catch (CLI::ParseError const& error) {
        rethrow(error);
    }
    take_switches(slots, arguments);
    if (arguments.help || arguments.version) return arguments;
    for (auto const& extra : app.remaining()) {
        if (extra.starts_with('-') && extra != "-") unknown_option(extra, arguments.command);
        arguments.positionals.push_back(extra);
    }
    auto const extras = arguments.positionals;
    arguments.positionals.insert(arguments.positionals.end(), tail.begin(), tail.end());
    take_values(slots, arguments);
    if (command != nullptr && command->positional.is_command) check_command(*command, extras, tail);
    else check_positionals(command, arguments.positionals);
    return arguments;
}

bool wants_json(std::vector<std::string> const& words) {
    for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
        if (words[i] == "--json" || words[i] == "--format=json") return true;
        if (words[i] == "--format" && i + 1 < words.size() && words[i + 1] == "json") return true;
    }
    return false;
}

std::string wanted_format(std::vector<std::string> const& words) {
    constexpr std::string_view joined = "--format=";
    std::string format;
    for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
        if (words[i].starts_with(joined)) format = words[i].substr(joined.size());
        else if (words[i] == "--format" && i + 1 < words.size()) format = words[++i];
    }
    return format;
}

std::optional<std::string> wanted_output(std::vector<std::string> const& words) {
    std::optional<std::string> file;
    for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
        std::string_view const word = words[i];
        if (word.starts_with("--output=")) file = word.substr(9);
        else if (word.starts_with("-o") && word.size() > 2) file = word.substr(2);
        else if (takes_next_word(word) && ++i < words.size() &&
                 (word == "--output" || word.back() == 'o'))
            file = words[i];
    }
    return file;
}

std::string wanted_command(std::vector<std::string> const& words) {
    auto const place = find_command_word(words);
    return place != words.end() && find_command(*place) != nullptr ? *place : std::string();
}

}  // namespace rocmtune
