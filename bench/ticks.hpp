// SPDX-License-Identifier: MIT
// Price and volume pairs: made up, or a user's own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/price_grid.hpp"

namespace rocmtune::bench {

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
