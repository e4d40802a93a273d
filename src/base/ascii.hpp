// SPDX-License-Identifier: MIT
// Kinds of bytes, whatever the locale says.
#pragma once

#include <algorithm>
#include <string_view>

namespace rocmtune {

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Of names of variables in shells and programming languages.
constexpr bool is_name_character(char c) {
    return is_letter(c) || is_digit(c) || c == '_';
}

/// POSIX names (XBD 8.1), the only ones that every shell takes: letters, digits and underscores,
/// of which the first is no digit.
constexpr bool is_variable_name(std::string_view text) {
    return !text.empty() && !is_digit(text.front()) &&
           std::all_of(text.begin(), text.end(), is_name_character);
}

}  // namespace rocmtune
