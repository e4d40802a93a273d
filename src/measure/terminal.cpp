// SPDX-License-Identifier: MIT
#include "measure/terminal.hpp"

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <cstring>

#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

bool is_set(char const* name) {
    char const* const value = std::getenv(name);
    return value != nullptr && *value != '\0';
}

/// https://no-color.org and https://bixense.com/clicolors
bool wants_color(Arguments const& arguments) {
    if (arguments.has("--no-color") || is_set("NO_COLOR") || arguments.has("--output"))
        return false;
    if (is_set("CLICOLOR_FORCE")) return true;
    char const* const terminal = std::getenv("TERM");
    bool const dumb = terminal == nullptr || std::strcmp(terminal, "dumb") == 0;
    return !dumb && ::isatty(STDOUT_FILENO) == 1;
}

std::size_t width_of(int stream) {
    constexpr std::size_t least = 40;
    constexpr std::size_t usual = 100;
    winsize size{};
    if (::ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return std::max<std::size_t>(least, size.ws_col);
    char const* const columns = std::getenv("COLUMNS");
    auto const number = columns != nullptr ? to_unsigned(columns, 10) : std::nullopt;
    return number && *number > 0 ? std::clamp<std::size_t>(*number, least, 1000) : usual;
}

}  // namespace

TextStyle terminal_style(Arguments const& arguments) {
    std::setlocale(LC_CTYPE, "");
    TextStyle style;
    style.width = width_of(STDOUT_FILENO);
    style.color = wants_color(arguments);
    style.utf8 = std::strcmp(::nl_langinfo(CODESET), "UTF-8") == 0;
    style.verbosity = arguments.count("--verbose");
    return style;
}

std::size_t help_width() {
    return std::clamp<std::size_t>(width_of(STDOUT_FILENO), 60, 100);
}

std::optional<std::size_t> error_width() {
    if (::isatty(STDERR_FILENO) != 1) return std::nullopt;
    return width_of(STDERR_FILENO);
}

}  // namespace rocmtune
