// SPDX-License-Identifier: MIT
#include "measure/output.hpp"

#include <cerrno>

#include <unistd.h>

#include "base/text.hpp"
#include "knowledge/scrub.hpp"
#include "machine/posix_file.hpp"
#include "machine/written_file.hpp"
#include "measure/output_process.hpp"
#include "measure/terminal.hpp"
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
    (void)write_all(STDERR_FILENO, told_text(message, hint, error_width()));
}

void write_output(Arguments const& arguments, std::string_view text) {
    if (auto const file = arguments.value("--output"); file && *file != "-")
        replace_file(*file, text);
    else print(text);
}

}  // namespace rocmtune
