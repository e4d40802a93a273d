// SPDX-License-Identifier: MIT
// What the profiles say that a GPU could reach: the yardsticks of its figures.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/session.hpp"
#include "knowledge/chips.hpp"
#include "rocmtune/gpu.hpp"

namespace rocmtune {

/// The last-level cache by the driver or the profile, the larger one: older kernels know no
/// Infinity Cache. Of a partition the slices before its part of the memory; all of it where that
/// part is not known, since it may use what the others leave. Nothing if only the L2 is known of a
/// GPU that may have an Infinity Cache.
std::optional<std::uint64_t> last_level_cache_of(ChipSet const& chips, Gpu const* gpu);

/// What the memory of a GPU could do, in bytes a second.
struct MemoryBounds {
    /// What figures are divided by: the published bandwidth, or what the clocks give where these
    /// say that the memory runs at another clock than the published one.
    std::optional<double> peak = {};
    /// What no figure can exceed, by the highest clock that was read; nothing where a cache that
    /// nobody knows could serve a part.
    std::optional<double> limit = {};
    std::string_view no_peak = {};  ///< the label that says why there is no peak; empty: there is
};

/// Of a partition its part, see memory_share_of (card_share.hpp).
MemoryBounds memory_bounds_of(ChipSet const& chips, Gpu const* gpu);

/// The peak alone.
std::optional<double> memory_peak_of(ChipSet const& chips, Gpu const* gpu);

/// Puts what is known of the memory of a GPU into the options of its benchmarks.
void set_memory_bounds(ChipSet const& chips, Gpu const* gpu, bench::Options& options);

/// Peak of each matrix type (compute units x highest clock x rate of the fastest unit) and what
/// the profile's sources expect of the product. Types of which neither is known are left out.
std::vector<bench::GemmPeak> gemm_peaks_of(ChipSet const& chips, Gpu const* gpu);

/// What the driver says of a GPU and cannot be: notes for its figures. What is made of the rest of
/// it is judged where it is used (bench/plausible.hpp).
std::vector<std::string> doubts_of(Gpu const* gpu);

/// Compute dies (XCD) of a GPU or a partition; 1 if nobody knows: that is no claim, it only orders
/// blocks.
std::uint64_t compute_dies_of(Gpu const* gpu);

}  // namespace rocmtune
