// SPDX-License-Identifier: MIT
#include "measure/output.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "knowledge/scrub.hpp"
#include "machine/posix_file.hpp"
#include "machine/written_file.hpp"
#include "measure/output_process.hpp"
#include "rocmtune/error.hpp"
#include "show/layout.hpp"

namespace rocmtune {
namespace {

/// A line that is wider than the screen goes on below, behind `indent`.
std::string folded(std::string const& line, std::string const& indent,
                   std::optional<std::size_t> width) {
    if (!width || display_width(line) <= *width) return line + '\n';
    auto const first = line.find_first_not_of(' ');
    std::string text;
    // What stands before the first line is never narrower than what stands before the others.
    for (auto const& part : wrapped(line, *width - indent.size()))
        text += (text.empty() ? line.substr(0, first) : indent) + part + '\n';
    return text;
}

}  // namespace

void replace_file(std::string const& path, std::string_view text) {
    if (auto* const keeper = output_process()) return keeper->replace(path, text);
    Destination(path).write(text);
}

bool print_line(std::string_view line) {
    int const error = write_all(STDOUT_FILENO, line);
    if (error == EBADF) throw Error("cannot write to standard output: it is closed");
    if (error != 0 && error != EPIPE)
        throw Error("cannot write to standard output: " + errno_text(error));
    return error == 0;
}

void print(std::string_view text) {
    (void)print_line(text);
}

void print_error(std::string_view text) {
    (void)write_all(STDERR_FILENO, scrubbed(text));
}

std::string told_text(std::string_view message, std::string_view hint,
                      std::optional<std::size_t> width) {
    auto text = folded("rocmtune: " + printable(scrubbed(message)), std::string(10, ' '), width);
    if (!hint.empty()) text += folded("  " + printable(scrubbed(hint)), "  ", width);
    return text;
}

void tell(std::string_view message, std::string_view hint) {
    bool const is_terminal = ::isatty(STDERR_FILENO) == 1;
    auto const width = is_terminal ? std::optional(width_of(STDERR_FILENO)) : std::nullopt;
    (void)write_all(STDERR_FILENO, told_text(message, hint, width));
}

std::size_t width_of(int stream) {
    constexpr std::size_t least = 40, usual = 100, most = 1000;
    winsize size{};
    if (::ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return std::max<std::size_t>(least, size.ws_col);
    char const* const columns = std::getenv("COLUMNS");
    auto const number = columns != nullptr ? to_unsigned(columns, 10) : std::nullopt;
    return number && *number > 0 ? std::clamp<std::size_t>(*number, least, most) : usual;
}

std::size_t height_of(int stream) {
    constexpr std::size_t least = 2, usual = 24;
    winsize size{};
    bool const told = ::ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_row > 0;
    return told ? std::max<std::size_t>(least, size.ws_row) : usual;
}

ProgressLine::ProgressLine(bool wanted) : shown_(wanted && ::isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(std::string_view text) const {
    constexpr std::size_t most = 70;  // fits any terminal, and begins no second line
    write(text.substr(0, most));
}

void ProgressLine::write(std::string_view text) const {
    if (shown_) print_error("\r\x1b[K" + std::string(text));
}

std::optional<std::string_view> meant(std::string_view word,
                                      std::span<std::string_view const> candidates) {
    if (auto const near = nearest(word, candidates)) return near;
    bool const says_something = word.find_first_not_of('-') != word.npos;
    for (auto const candidate : candidates)
        if (says_something && candidate.starts_with(word)) return candidate;
    return std::nullopt;
}

std::string suggestion(std::string_view word, std::span<std::string_view const> candidates,
                       std::string otherwise) {
    auto const near = meant(word, candidates);
    return near ? fmt::format("did you mean '{}'?", *near) : otherwise;
}

}  // namespace rocmtune
