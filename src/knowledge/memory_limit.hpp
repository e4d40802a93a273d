// SPDX-License-Identifier: MIT
// The most that memory can move, by its kind, its width and its clock.
#pragma once

#include <cstdint>
#include <optional>

#include "knowledge/chips.hpp"
#include "rocmtune/gpu.hpp"

namespace rocmtune {

/// Transfers per pin in one clock as KFD (mem_clk_max), pp_dpm_mclk and HIP (memoryClockRate) tell
/// the clock. Nothing where sources disagree or nobody says.
std::optional<unsigned> transfers_per_clock(MemoryType type);

/// The highest memory clock in MHz that was read: KFD's (HIP's where there is no KFD), the levels
/// of the driver's table, and those that overclocking has set.
std::optional<double> highest_memory_clock_mhz(Gpu const& gpu);

/// How much quicker than at that clock the memory may be: 1 where the driver's tables tell of
/// overclocking. Where HIP alone told the clock (WSL) an overclocking by Windows is not to be seen:
/// a quarter is left to it. That is our judgement; what the limit is to find is off by a factor.
double unseen_overclocking(Gpu const& gpu);

/// The most bytes a second that the memory of the whole card can do at that clock: width x clock x
/// transfers. Nothing where the kind, the width or the clock is not known, and for virtual
/// functions: the driver knows the width of some and the highest clock of none.
std::optional<double> memory_limit_of(ChipSet const& chips, Gpu const& gpu);

}  // namespace rocmtune
