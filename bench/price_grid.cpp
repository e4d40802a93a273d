// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "bench/ticks.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune::bench {
namespace {

/// Below it a list of all rows is for people and programs; above, the landmarks must do.
constexpr std::size_t most_listed_rows = 65536;
constexpr auto largest_offset = static_cast<double>(std::numeric_limits<float>::max());
constexpr double largest_fixed = 268435456.0;          // 2^28
constexpr double largest_sum = 4611686018427387904.0;  // 2^62

void check_bins(double bins) {
    if (bins >= 1 && bins <= static_cast<double>(most_bins)) return;
    throw Error(fmt::format("a histogram has 1 to {} rows, not {:.0f}", most_bins, bins),
                "choose another --bins or --tick");
}

/// Devices get the prices as offsets in fp32, and multiply them by the inverse of a row's height.
void check_range(double low, double high) {
    if (high - low <= largest_offset) return;
    throw Error(fmt::format("prices from {} to {} lie too far apart for fp32", low, high));
}

}  // namespace

PriceGrid PriceGrid::over_range(double low, double high, std::uint64_t bins) {
    check_range(low, high);
    check_bins(static_cast<double>(bins));
    // One price only: any height puts it into the first row.
    auto const height = high > low ? (high - low) / static_cast<double>(bins) : 1;
    PriceGrid const grid{low, height, static_cast<std::uint32_t>(bins), false,
                         static_cast<float>(1 / height)};
    if (!std::isfinite(grid.inverse))
        throw Error(fmt::format("prices from {} to {} lie too close for {} rows", low, high, bins));
    return grid;
}

PriceGrid PriceGrid::of_ticks(double low, double high, double tick) {
    check_range(low, high);
    auto const bins = std::floor((high - low) / tick + 0.5) + 1;
    check_bins(bins);
    PriceGrid const grid{low, tick, static_cast<std::uint32_t>(bins), true,
                         static_cast<float>(1 / tick)};
    if (!std::isfinite(grid.inverse))
        throw Error(fmt::format("a tick of {} is too small for fp32", tick));
    return grid;
}

VolumeScale VolumeScale::for_volumes(double largest, double sum) {
    constexpr int most_shift = 100;  // of volumes that are all zero or all tiny
    if (largest <= 0) return {};
    auto const by_one = static_cast<int>(std::floor(std::log2(largest_fixed / largest)));
    auto const by_sum = static_cast<int>(std::floor(std::log2(largest_sum / sum)));
    return {std::min({by_one, by_sum, most_shift})};
}

ValueArea value_area_of(std::span<std::uint64_t const> sums) {
    __extension__ using Wide = unsigned __int128;
    if (sums.empty()) return {};
    auto const poc =
        static_cast<std::size_t>(std::max_element(sums.begin(), sums.end()) - sums.begin());
    auto const total = std::accumulate(sums.begin(), sums.end(), Wide{0});
    ValueArea area{poc, poc, poc};
    for (Wide inside = sums[poc]; inside * 10 < total * 7;) {
        bool const can_rise = area.high + 1 < sums.size();
        bool const can_fall = area.low > 0;
        if (!can_rise && !can_fall) break;
        bool const rises = can_rise && (!can_fall || sums[area.high + 1] >= sums[area.low - 1]);
        inside += rises ? sums[++area.high] : sums[--area.low];
    }
    return area;
}

VolumeProfile profile_of(PriceGrid const& grid, VolumeScale const& scale,
                         std::span<std::uint64_t const> sums) {
    auto const price = [&](std::size_t row) {
        return grid.low + static_cast<double>(row) * grid.height;
    };
    auto const volume = [&](std::uint64_t sum) {
        return static_cast<double>(sum) * scale.resolution();
    };
    auto const found = value_area_of(sums);
    VolumeProfile profile;
    profile.low = grid.low;
    profile.row_height = grid.height;
    profile.point_of_control = price(found.point_of_control);
    profile.value_area_low = price(found.low);
    profile.value_area_high = price(found.high);
    profile.total_volume = volume(std::accumulate(sums.begin(), sums.end(), std::uint64_t{0}));
    if (sums.size() <= most_listed_rows)
        for (auto const sum : sums) profile.volumes.push_back(volume(sum));
    return profile;
}

}  // namespace rocmtune::bench
