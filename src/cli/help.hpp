// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "cli/arguments.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {

/// Help of a command, or of the program for an empty name: examples first, then a line for each
/// option that other commands do not have. At most 32 lines for a command, each of at most `width`
/// columns.
std::string help_text(std::string_view command, std::size_t width);

/// The same with all examples, and with all options as the manual describes them.
std::string whole_help(std::string_view command, std::size_t width);

/// "rocmtune 1.0.0 (data of 2026-09-01)".
std::string version_text();

/// rocmtune(1) in mdoc, from the tables.
std::string man_page();

/// In mdoc: rocmtune-facts(7) for "facts", rocmtune-findings(7) for "findings", and of a command
/// the parts of its page that are made from the tables, each between two comments. Else empty.
std::string man_tables(std::string_view name);

/// Prints a completion script.
Exit run_completion(Arguments const& arguments);

/// Answers requests of the Model Context Protocol until standard input ends or a signal comes.
/// @throws Error for a folder that is not there, and where standard output cannot be written.
Exit run_mcp(Arguments const& arguments);

}  // namespace rocmtune
