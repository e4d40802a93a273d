// SPDX-License-Identifier: MIT
#include "base/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <fmt/format.h>

namespace rocmtune {
namespace {

/// Enough for the ends of a 95 % interval: 25 resamples lie beyond each.
constexpr std::size_t resamples = 1000;

/// By linear interpolation between neighbours: type 7 of Hyndman and Fan, "Sample Quantiles in
/// Statistical Packages", 1996.
double sorted_quantile(std::vector<double> const& sorted, double q) {
    if (sorted.empty()) return 0;
    auto const place = q * static_cast<double>(sorted.size() - 1);
    auto const below = static_cast<std::size_t>(place);
    auto const above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

std::vector<double> sorted_copy(std::span<double const> samples) {
    std::vector<double> sorted(samples.begin(), samples.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

/// The median of one resample. Ranks are drawn instead of values: they are small integers.
double resampled_median(std::vector<double> const& sorted, std::vector<std::size_t>& ranks,
                        std::minstd_rand& random) {
    std::uniform_int_distribution<std::size_t> any(0, sorted.size() - 1);
    for (auto& rank : ranks) rank = any(random);
    auto const middle = ranks.begin() + static_cast<std::ptrdiff_t>(ranks.size() / 2);
    std::nth_element(ranks.begin(), middle, ranks.end());
    if (ranks.size() % 2 == 1) return sorted[*middle];
    return (sorted[*middle] + sorted[*std::max_element(ranks.begin(), middle)]) / 2;
}

}  // namespace

Summary summarize(std::span<double const> samples) {
    if (samples.empty()) return {};
    auto const sorted = sorted_copy(samples);
    std::minstd_rand random(20260901);
    std::vector<std::size_t> ranks(sorted.size());
    std::vector<double> medians(resamples);
    for (auto& median : medians) median = resampled_median(sorted, ranks, random);
    std::sort(medians.begin(), medians.end());
    return {sorted_quantile(sorted, 0.5), sorted_quantile(sorted, 0.1),
            sorted_quantile(sorted, 0.9), sorted_quantile(medians, 0.025),
            sorted_quantile(medians, 0.975)};
}

std::string not_plausible(std::string_view what, double value, std::string_view unit,
                          Bounds const& bounds) {
    auto const with_unit = unit.empty() ? "" : " " + std::string(unit);
    return fmt::format("{}: {:.10g}{} cannot be ({:.6g} to {:.6g}{}), so nothing is made of it",
                       what, value, with_unit, bounds.least, bounds.most, with_unit);
}

}  // namespace rocmtune
