// SPDX-License-Identifier: MIT
// What stands in a text in place of a secret that was taken out: "<secret: url password>".
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/ascii.hpp"

namespace rocmtune {

inline constexpr std::string_view secret_mark_start = "<secret: ";

/// "<secret: KIND>". A kind is made of letters, digits, blanks, dots and ampersands.
inline std::string secret_mark(std::string_view kind) {
    return std::string(secret_mark_start).append(kind).append(1, '>');
}

/// The length of the mark at the start of a text; 0 if there is none.
inline std::size_t secret_mark_length(std::string_view text) {
    constexpr std::size_t longest_kind = 32;
    if (!text.starts_with(secret_mark_start)) return 0;
    auto const kind = text.substr(secret_mark_start.size(), longest_kind + 1);
    auto const end = kind.find('>');
    auto const fits = [](char c) {
        return is_letter(c) || is_digit(c) || c == ' ' || c == '.' || c == '&';
    };
    if (end == kind.npos || end == 0 ||
        !std::all_of(kind.begin(), kind.begin() + static_cast<std::ptrdiff_t>(end), fits))
        return 0;
    return secret_mark_start.size() + end + 1;
}

}  // namespace rocmtune
