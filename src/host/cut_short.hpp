// SPDX-License-Identifier: MIT
// How a fact says that nobody came to ask for it: reading ended before its end.
#pragma once

#include <string_view>

namespace rocmtune {

inline constexpr std::string_view time_was_used_up = "the time for reading was used up";
inline constexpr std::string_view reader_ended_early = "the reading process ended early";

/// Whether the detail of a missing fact says so.
constexpr bool is_cut_short(std::string_view detail) {
    return detail.ends_with(time_was_used_up) || detail.ends_with(reader_ended_early);
}

}  // namespace rocmtune
