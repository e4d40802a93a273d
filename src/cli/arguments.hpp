// SPDX-License-Identifier: MIT
// From the words of a command line to what they ask for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measure/arguments.hpp"

namespace rocmtune {

/// Parses a command line without the program's name.
/// @throws Error with a hint (the nearest known word) for anything that is not in the tables.
Arguments parse_arguments(std::vector<std::string> const& words);

/// True if a JSON document is wanted, however broken the rest of the line is: --json or
/// --format json stands anywhere before "--".
bool wants_json(std::vector<std::string> const& words);

/// The value of --format, likewise; empty if there is none.
std::string wanted_format(std::vector<std::string> const& words);

/// The file of -o/--output, likewise.
std::optional<std::string> wanted_output(std::vector<std::string> const& words);

/// The command, likewise; empty if none was understood.
std::string wanted_command(std::vector<std::string> const& words);

}  // namespace rocmtune
