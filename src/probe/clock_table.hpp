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

/// The memory's part of pp_od_clk_voltage as the domain "od_mclk": the clocks that are set there,
/// not the range that could be (Linux amdgpu_pm.c: "OD_MCLK:" and "0: 97Mhz", on Vega with a
/// voltage behind it). Nothing if there is no such part.
std::optional<ClockDomain> parse_overdrive_memory_table(std::string_view text);

}  // namespace rocmtune
