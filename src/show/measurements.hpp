// SPDX-License-Identifier: MIT
// Figures of benchmarks as text.
#pragma once

#include <string>
#include <vector>

#include "rocmtune/measurement.hpp"

namespace rocmtune {

/// Benchmark, metric, median, unit, share of the peak, spread, how it was measured, notes.
std::vector<std::string> measurement_cells(Measurement const& one);

/// "hip:1 AMD Instinct MI300X (GPU 1, 0000:26:00.0, gfx942)".
std::string device_text(Measurement const& one);

/// "point of control 101.5, value area 99 to 103, volume 12345, row height 0.25".
std::string profile_text(VolumeProfile const& profile);

/// "12 of 14 results verified".
std::string verified_text(std::vector<Measurement> const& all);

}  // namespace rocmtune
