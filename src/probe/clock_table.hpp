// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rocmtune/records.hpp"

namespace rocmtune {

/// A pp_dpm_* table: lines "1: 2100Mhz *", the star marks the level in use; newer chips add
/// "S: 30Mhz *" while asleep. Nothing if no line has a clock (pp_dpm_pcie has another format).
/// Some firmware stars several lines with one clock: the last one counts.
std::optional<ClockDomain> parse_clock_table(std::string name, std::string_view text);

}  // namespace rocmtune
