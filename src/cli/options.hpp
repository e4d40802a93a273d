// SPDX-License-Identifier: MIT
// The tables of commands and options. Parsing, --help, the man page and the shell completions are
// all made from them, so that they cannot differ.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "measure/arguments.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {

/// What an option's value is, for checking and for completion.
enum class Value { none, text, number, file, directory, word };

/// One option of one or several commands.
struct Option {
    std::string_view name;      ///< "--root"
    char letter;                ///< 'o' for -o, or 0
    Value value;                ///< none for a switch
    std::string_view metavar;   ///< "DIR"; for a word its choices "text|json"
    std::string_view help;      ///< one sentence, lower case, without full stop
    std::string_view commands;  ///< blank-separated commands that take it
    bool repeatable = false;
};

/// One positional argument of a command.
struct Positional {
    std::string_view name;     ///< "NAME"; empty: the command takes none
    std::string_view choices;  ///< "bash|zsh|fish", or empty
    std::string_view help;
    bool is_command = false;  ///< everything behind "--" belongs to it
    bool may_lack = false;    ///< it may be left out
    bool repeats = false;     ///< several of them
    std::size_t exactly = 0;  ///< so many of them; 0: any number
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
    std::span<Example const> examples;
    Exit (*run)(Arguments const&);
};

std::span<Option const> all_options();
std::span<Command const> all_commands();

/// The command of this name, or null.
Command const* find_command(std::string_view name);

/// The options that a command takes, in the order of the table.
std::vector<Option const*> options_of(std::string_view command);

/// The choices of a metavar such as "text|json".
std::vector<std::string_view> choices_of(std::string_view metavar);

}  // namespace rocmtune
