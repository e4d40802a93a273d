// SPDX-License-Identifier: MIT
// The contract of vpoc: which row a price belongs to, how volumes become integers, what the point
// of control and the value area are (rocmtune-bench(1) states it for users); and ticks, which are
// pairs of price and volume: made up, or a user's own.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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
struct ValueArea {
    std::size_t point_of_control = 0;  ///< largest volume; the lowest of equals
    std::size_t low = 0;
    std::size_t high = 0;
};

/// Point of control and the value area: from the point of control row by row to the larger
/// neighbour, upwards if both are equal, until it holds at least 70 % of the volume.
ValueArea value_area_of(std::span<std::uint64_t const> sums);

/// The result in prices and volumes.
VolumeProfile profile_of(PriceGrid const& grid, VolumeScale const& scale,
                         std::span<std::uint64_t const> sums);

// ---- ticks --------------------------------------------------------------------------------------

/// Ticks as the devices get them, with their grid and scale.
struct Ticks {
    PriceGrid grid;
    VolumeScale scale;
    std::vector<float> offsets = {};  ///< price - grid.low
    std::vector<float> volumes = {};
    std::uint64_t rounded = 0;   ///< volumes that the scale does not hold exactly
    std::uint64_t vanished = 0;  ///< of them, those above 0 that became 0

    std::size_t size() const { return offsets.size(); }
    /// The exact sums, one tick after the other's processor: what every kernel must find.
    std::vector<std::uint64_t> sums() const;
};

/// uniform, normal, one-bin, walk: how the made-up prices are distributed over the rows.
inline constexpr std::string_view distributions[] = {"uniform", "normal", "one-bin", "walk"};

/// `count` ticks over `bins` rows a quarter apart; volumes are log-normal. The same on every host.
Ticks make_ticks(std::string_view distribution, std::uint64_t count, std::uint32_t bins);

/// Reads a CSV file with the header price,volume, or pairs of little-endian fp32 if its name ends
/// in .f32. Rows by `tick` if given, else `bins` over the range of the prices.
/// @throws Error with the line or pair for what is no finite number or a negative volume.
Ticks read_ticks(std::string const& path, std::uint64_t bins, std::optional<double> tick);

}  // namespace rocmtune::bench
