// SPDX-License-Identifier: MIT
// The product of a GPU, and what follows from it: what a row of the device map has of its card,
// what is expected of it, the most that its memory can move.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "knowledge/chips.hpp"
#include "rocmtune/gpu.hpp"

namespace rocmtune {

/// The product of a GPU's PCI id, or null. Without a revision only if all revisions are one
/// product. Where the host shows no PCI ids (WSL) the one product of the GPU's target that has
/// exactly the name by which the runtime calls it.
Product const* product_of(ChipSet const& chips, Gpu const& gpu);

/// How many compute partitions the card is divided into: the product's compute dies through those
/// of the row, else by the mode, else as many as this host sees. Nothing where that is not known.
/// @param product  of the row; null: not known
std::optional<std::uint64_t> compute_partitions_of(Gpu const& gpu, Product const* product);

/// Into how many parts the memory of the card is divided ("NPS4": 4). Nothing where nobody says.
std::optional<std::uint64_t> memory_partitions_of(Gpu const& gpu);

/// What of the card's memory, its bandwidth and its memory-side cache the row reaches.
struct MemoryShare {
    double most = 1;  ///< at most this part: 1 where it is not known
    /// The part that belongs to this row alone; nothing where other partitions use it too, or where
    /// nobody knows.
    std::optional<double> own = {};
};

/// A whole card owns all. Of a divided one, each part of the memory has its own stacks and the
/// cache slices before them (AMD SMI, "GPU partitioning"); it belongs to a compute partition alone
/// only where there are as many of these as parts.
MemoryShare memory_share_of(Gpu const& gpu, Product const* product);

/// The profiles' name of a data type: NVIDIA's tf32 is AMD's xf32.
std::string_view profile_type(std::string_view type);

/// Whether an expectation is of this product. Expectations name products shortly: "MI300X" is the
/// "AMD Instinct MI300X", and neither its HF nor its VF variant.
bool is_of(Expectation const& expectation, Product const& product);

/// What is expected of a whole card of this product, in operations a second: the least that anybody
/// states, for conditions differ. Absent if nobody states anything.
std::optional<double> expected_of(Chip const& chip, Product const& product,
                                  std::string_view benchmark, std::string_view type);

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
