// SPDX-License-Identifier: MIT
// Where output goes: standard output, a file that is replaced in one step, standard error.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rocmtune {

/// Replaces the file at `path`, or writes to a device (machine/written_file.hpp). Without the right
/// to write, the process that kept it does (output_process.hpp). @throws Error
void replace_file(std::string const& path, std::string_view text);

/// Writes to standard output. A reader that went away (EPIPE) is no error.
/// @throws Error for a full disk and the like.
void print(std::string_view text);

/// The same for a stream of lines: false if the reader went away and no more is wanted.
bool print_line(std::string_view line);

/// Writes to standard error, without secrets; nowhere is left to report a failure.
void print_error(std::string_view text);

/// Says on standard error what went wrong or is worth knowing, and what to do about it.
void tell(std::string_view message, std::string_view hint = {});

/// What tell() writes. `width` is that of a terminal, whose lines end between words; without one,
/// message and hint are a line each, as a log or grep wants them.
std::string told_text(std::string_view message, std::string_view hint,
                      std::optional<std::size_t> width);

/// The width of the terminal that a stream is, or what COLUMNS says, else 100; at least 40.
std::size_t width_of(int stream);

/// The lines of the terminal that a stream is, else 24; at least 2.
std::size_t height_of(int stream);

/// One line on standard error that the next one overwrites; nothing where that is no terminal.
class ProgressLine {
  public:
    explicit ProgressLine(bool wanted);
    ProgressLine(ProgressLine const&) = delete;
    ProgressLine& operator=(ProgressLine const&) = delete;
    ~ProgressLine() { write({}); }

    void show(std::string_view text) const;

  private:
    void write(std::string_view text) const;

    bool shown_;
};

/// What a mistyped word was to be: the nearest candidate, or the first that begins with it.
std::optional<std::string_view> meant(std::string_view word,
                                      std::span<std::string_view const> candidates);

/// What is said of a mistyped word: the one that was meant, else `otherwise`.
std::string suggestion(std::string_view word, std::span<std::string_view const> candidates,
                       std::string otherwise = {});

}  // namespace rocmtune
