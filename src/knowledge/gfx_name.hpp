// SPDX-License-Identifier: MIT
// How AMD writes the targets of its compilers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/ascii.hpp"

namespace rocmtune {

/// "gfx" and so many lower-case hexadecimal digits.
constexpr bool is_gfx_name(std::string_view text, std::size_t fewest, std::size_t most) {
    constexpr std::string_view gfx = "gfx";
    if (!text.starts_with(gfx)) return false;
    text.remove_prefix(gfx.size());
    return text.size() >= fewest && text.size() <= most && is_lower_hexadecimal(text);
}

/// The major version in decimal, minor and stepping as one hexadecimal digit each.
constexpr bool is_gfx_target(std::string_view text) {
    return is_gfx_name(text, 3, 4) && is_digit(text[3]) && text[3] != '0' &&
           (text.size() == 6 || is_digit(text[4]));
}

/// The value of HSA_OVERRIDE_GFX_VERSION that names a target: "9.0.10" for gfx90a. Empty for what
/// is no target.
inline std::string override_version(std::string_view target) {
    if (!is_gfx_target(target)) return {};
    auto const number = [](char digit) {
        return std::to_string(is_digit(digit) ? digit - '0' : digit - 'a' + 10);
    };
    constexpr std::size_t gfx = 3;
    auto const last = target.size() - 1;
    return std::string(target.substr(gfx, last - 1 - gfx)) + '.' + number(target[last - 1]) + '.' +
           number(target[last]);
}

/// What targets may begin with.
constexpr bool is_gfx_prefix(std::string_view text) {
    return is_gfx_name(text, 2, 4);
}

}  // namespace rocmtune
