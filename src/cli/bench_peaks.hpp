// SPDX-License-Identifier: MIT
// What the profiles say that a GPU could reach: the yardsticks of its figures.
#pragma once

#include <optional>
#include <vector>

#include "bench/session.hpp"
#include "knowledge/chips.hpp"
#include "rocmtune/gpu.hpp"

namespace rocmtune {

/// The last-level cache by the driver or the profile, the larger one: older kernels know no
/// Infinity Cache. Of a partition all of it: it may use what the others leave.
std::optional<std::uint64_t> last_level_cache_of(ChipSet const& chips, Gpu const* gpu);

/// Theoretical memory bandwidth of the product. Nothing for a partition, which has a part of it, or
/// if the product is not known.
std::optional<double> memory_peak_of(ChipSet const& chips, Gpu const* gpu);

/// Peak of each matrix type (compute units x highest clock x rate of the fastest unit) and what
/// the profile's sources expect of the product. Types of which neither is known are left out.
std::vector<bench::GemmPeak> gemm_peaks_of(ChipSet const& chips, Gpu const* gpu);

/// Compute dies (XCD) of a GPU or a partition; 1 if nobody knows: that is no claim, it only orders
/// blocks.
std::uint64_t compute_dies_of(Gpu const* gpu);

}  // namespace rocmtune
