// SPDX-License-Identifier: MIT
// The tables of commands and options. Parsing, --help, the man page and the shell completions are
// all made from them, so that they cannot differ.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {

/// What an option's value is, for checking and for completion.
enum class Value { none, text, number, file, directory, word };

/// One option of one or several commands.
struct Option {
    std::string_view name;      ///< "--root"
    char letter;                ///< 'o' for -o, or 0
    Value value;                ///< none for a switch
    std::string metavar;        ///< "DIR"; for a word its choices "text|json"
    std::string_view help;      ///< one sentence, lower case, without full stop
    std::string_view commands;  ///< blank-separated commands that take it
    bool repeatable = false;
};

/// One positional argument of a command.
struct Positional {
    std::string_view name;  ///< "NAME"; empty: the command takes none
    std::string choices;    ///< "bash|zsh|fish", or empty
    std::string_view help;
    bool is_command = false;  ///< everything behind "--" belongs to it
    bool may_lack = false;    ///< it may be left out
    bool repeats = false;     ///< several of them
    std::size_t exactly = 0;  ///< so many of them; 0: any number
    bool is_open = false;     ///< words beside the choices may stand there, too
};

struct Example {
    std::string_view line;
    std::string_view about;
};

struct Command {
    std::string_view name;
    std::string_view about;    ///< one line
    std::string_view details;  ///< paragraph for the man page
    Positional positional;
    std::vector<Example> examples;
    Exit (*run)(Arguments const&);
};

/// "text|json": the words of a table as a metavar or as choices.
std::string choice(auto const& words) {
    return fmt::format("{}", fmt::join(words, "|"));
}

/// The names of the rows of a table, likewise.
std::string names_of(auto const& rows) {
    std::vector<std::string_view> names;
    for (auto const& row : rows) names.push_back(row.name);
    return choice(names);
}

std::span<Option const> all_options();
std::span<Command const> all_commands();

/// The command of this name, or null.
Command const* find_command(std::string_view name);

/// The options that a command takes, in the order of the table.
std::vector<Option const*> options_of(std::string_view command);

/// The choices of a metavar such as "text|json".
std::vector<std::string_view> choices_of(std::string_view metavar);

/// Options that people know from one command and try with the next, in the order of the manual.
std::span<std::string_view const> common_options();

/// A reason for which commands do not take options.
struct LackingOption {
    std::string_view options;   ///< blank-separated
    std::string_view commands;  ///< blank-separated
    std::string_view why;       ///< as it goes on behind "not in these, "
};

/// Every pair of a common option and a command that does not take it stands in one row.
std::span<LackingOption const> lacking_options();

}  // namespace rocmtune
