// SPDX-License-Identifier: MIT
// Robust summaries of repeated measurements. Nothing is thrown away: outliers stay samples.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rocmtune {

/// Order statistics of samples of any unit.
struct Summary {
    double median = 0;
    double p10 = 0;
    double p90 = 0;
    double low = 0;  ///< 95 % interval of the median, percentile bootstrap
    double high = 0;
};

/// Summary of at least one sample; all zero of none. Equal samples give equal results: the
/// resampling draws from a generator with a fixed seed.
Summary summarize(std::span<double const> samples);

/// Numbers from `least` to `most` can be true; NaN and infinity cannot.
struct Bounds {
    double least = 0;
    double most = 0;
    constexpr bool hold(double value) const { return value >= least && value <= most; }
};

namespace plausible {
/// kHz of memory. DDR3 has 400 MHz; for GDDR7 CUDA states 14 GHz, half of its transfers a second.
inline constexpr Bounds memory_clock_khz{100e3, 50e6};
/// Bits. One chip of GDDR has 32 (JESD250), twelve stacks of HBM4 have 2048 each (JESD270-4).
inline constexpr Bounds memory_bus_bits{32, 32'768};
}  // namespace plausible

/// "engine clock: 2100000 MHz cannot be (100 to 10000 MHz), so nothing is made of it"
/// @param unit  of the value and the bounds; empty for a count
std::string not_plausible(std::string_view what, double value, std::string_view unit,
                          Bounds const& bounds);

}  // namespace rocmtune
