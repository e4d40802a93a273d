// SPDX-License-Identifier: MIT
#include "base/shell.hpp"

namespace rocmtune {

std::string posix_quoted(std::string_view text) {
    std::string result = "'";
    for (auto const c : text) result += c == '\'' ? std::string(R"('\'')") : std::string(1, c);
    return result + '\'';
}

std::string shell_word(std::string_view text) {
    constexpr std::string_view plain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./%@";
    bool const needs_quotes = text.empty() || text.find_first_not_of(plain) != text.npos;
    return needs_quotes ? posix_quoted(text) : std::string(text);
}

}  // namespace rocmtune
