// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string_view>

namespace rocmtune {

/// Whether it is the beginning of gfx targets: "gfx" and two to four hexadecimal digits.
inline bool is_gfx_prefix(std::string_view text) {
    auto const is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    return text.size() >= 5 && text.size() <= 7 && text.starts_with("gfx") &&
           std::ranges::all_of(text.substr(3), is_hex);
}

}  // namespace rocmtune
