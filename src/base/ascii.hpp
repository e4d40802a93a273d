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

constexpr bool is_hexadecimal(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
/// As programs write checksums, identifiers and names of targets.
constexpr bool is_lower_hexadecimal(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f');
}
constexpr bool is_lower_hexadecimal(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return is_lower_hexadecimal(c); });
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
