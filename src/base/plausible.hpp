// SPDX-License-Identifier: MIT
// What devices and drivers say of themselves is not believed blindly: a number that is out of its
// bounds is in another unit or wrong, and nothing is made of it.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace rocmtune {

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
inline std::string not_plausible(std::string_view what, double value, std::string_view unit,
                                 Bounds const& bounds) {
    auto const with_unit = unit.empty() ? "" : " " + std::string(unit);
    return fmt::format("{}: {:.10g}{} cannot be ({:.6g} to {:.6g}{}), so nothing is made of it",
                       what, value, with_unit, bounds.least, bounds.most, with_unit);
}

}  // namespace rocmtune
