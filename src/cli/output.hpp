// SPDX-License-Identifier: MIT
// Where output goes: standard output, or a file that is replaced in one step.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "cli/arguments.hpp"

namespace rocmtune {

/// The file that replace_file() would replace: links are followed, so that they stay; the file need
/// not exist yet. @throws Error for what replace_file() refuses.
std::string final_path(std::filesystem::path path);

/// Replaces `path` with `text`: a temporary file beside it is written, synced and renamed, so that
/// a reader sees the old file or the new one, never half of one. Mode 0600 less the umask for a
/// new file, the old one's for one of this user. Devices, pipes and sockets are written to.
/// Links and pipes that others have put into a directory for everybody are refused.
/// @throws Error if that fails; the old file is then untouched and nothing is left behind.
void replace_file(std::string const& path, std::string_view text);

/// Writes to standard output. A reader that went away (EPIPE) is no error.
/// @throws Error for a full disk and the like.
void print(std::string_view text);

/// Writes to standard error, of which nowhere is left to report a failure.
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
