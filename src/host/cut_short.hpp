// SPDX-License-Identifier: MIT
// How a fact says that nobody came to ask for it: reading ended before its end.
#pragma once

#include <string_view>

namespace rocmtune {

inline constexpr std::string_view time_was_used_up = "the time for reading was used up";
inline constexpr std::string_view reader_ended_early = "the reading process ended early";

/// Whether the detail of a missing fact says so, or that this program had no more files or memory
/// to look with.
constexpr bool is_cut_short(std::string_view detail) {
    for (auto const end : {time_was_used_up, reader_ended_early, std::string_view(": EMFILE"),
                           std::string_view(": ENFILE"), std::string_view(": ENOMEM")})
        if (detail.ends_with(end)) return true;
    return false;
}

}  // namespace rocmtune
