// SPDX-License-Identifier: MIT
// What the profiles say that a GPU could reach: the yardsticks of its figures.
#pragma once

#include <optional>
#include <vector>

#include "bench/session.hpp"
#include "knowledge/chips.hpp"
#include "rocmtune/gpu.hpp"

namespace rocmtune {

/// Theoretical memory bandwidth of the product. Nothing for a partition, which has a part of it, or
/// if the product is not known.
std::optional<double> memory_peak_of(ChipSet const& chips, Gpu const* gpu);

/// Peak of each matrix type (compute units x highest clock x rate of the fastest unit) and what
/// the profile's sources expect of the product. Types of which neither is known are left out.
std::vector<bench::GemmPeak> gemm_peaks_of(ChipSet const& chips, Gpu const* gpu);

}  // namespace rocmtune
