// SPDX-License-Identifier: MIT
// The contract of vpoc: which row a price belongs to, how volumes become integers, what the point
// of control and the value area are. rocmtune-bench(1) states it for users.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "rocmtune/measurement.hpp"

namespace rocmtune::bench {

inline constexpr std::uint64_t most_bins = std::uint64_t{1} << 24;  ///< integers that fp32 holds

/// The rows of a histogram. Prices come to the devices as offsets from `low`, rounded to fp32.
struct PriceGrid {
    double low = 0;
    double height = 1;  ///< price from one row to the next
    std::uint32_t bins = 1;
    bool nearest = false;  ///< a row is a tick and its surroundings; else a half-open interval
    float inverse = 1;     ///< fp32 nearest to 1 / height

    /// [low, high] in `bins` equal rows; the last one is closed. @throws Error for a range or a
    /// count that cannot be.
    static PriceGrid over_range(double low, double high, std::uint64_t bins);
    /// A row for each multiple of `tick` from low to high. @throws Error.
    static PriceGrid of_ticks(double low, double high, double tick);

    /// One fp32 multiplication, then rounding: to the nearest integer (ties to even) or down.
    std::uint32_t row_of(float offset) const {
        float const x = offset * inverse;
        auto const row = static_cast<std::uint32_t>(nearest ? std::nearbyint(x) : x);
        return row < bins ? row : bins - 1;
    }
};

/// Volumes as integers: rint(volume * 2^shift).
struct VolumeScale {
    int shift = 0;

    /// The finest scale with which no volume exceeds 28 bits (so that the 32-bit parts of sums
    /// carry rarely; a float has 24) and their sum stays below 2^62.
    static VolumeScale for_volumes(double largest, double sum);

    float factor() const { return std::ldexp(1.0F, shift); }
    double resolution() const { return std::ldexp(1.0, -shift); }
    std::uint32_t fixed(float volume) const {
        return static_cast<std::uint32_t>(std::nearbyint(volume * factor()));
    }
};

/// Rows of the result; all inclusive.
struct Landmarks {
    std::size_t point_of_control = 0;  ///< largest volume; the lowest of equals
    std::size_t value_area_low = 0;
    std::size_t value_area_high = 0;
};

/// Point of control and the value area: from the point of control row by row to the larger
/// neighbour, upwards if both are equal, until it holds at least 70 % of the volume.
Landmarks landmarks(std::span<std::uint64_t const> sums);

/// The result in prices and volumes.
VolumeProfile profile_of(PriceGrid const& grid, VolumeScale const& scale,
                         std::span<std::uint64_t const> sums);

}  // namespace rocmtune::bench
