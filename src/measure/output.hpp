// SPDX-License-Identifier: MIT
// Where output goes: standard output, or a file that is replaced in one step.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "measure/arguments.hpp"

namespace rocmtune {

/// Replaces the file at `path`, or writes to a device (system/written_file.hpp). Without the right
/// to write, the process that kept it does (cli/output_process.hpp). @throws Error
void replace_file(std::string const& path, std::string_view text);

/// Writes to standard output. A reader that went away (EPIPE) is no error.
/// @throws Error for a full disk and the like.
void print(std::string_view text);

/// Writes to standard error, without secrets; nowhere is left to report a failure.
void print_error(std::string_view text);

/// Says on standard error what went wrong or is worth knowing, and what to do about it.
void tell(std::string_view message, std::string_view hint = {});

/// What tell() writes. `width` is that of a terminal, whose lines end between words; without one,
/// message and hint are a line each, as a log or grep wants them.
std::string told_text(std::string_view message, std::string_view hint,
                      std::optional<std::size_t> width);

/// The same for a stream of lines: false if the reader went away and no more is wanted.
bool print_line(std::string_view line);

/// Writes to the file of --output, else to standard output.
void write_output(Arguments const& arguments, std::string_view text);

}  // namespace rocmtune
