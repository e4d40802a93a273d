// SPDX-License-Identifier: MIT
#include "judge/plan/parts.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace rocmtune {

double sum_of(Parts const& parts) {
    double sum = 0;
    for (auto const& part : parts) sum += part.bytes;
    return sum;
}

std::uint64_t whole_bytes(double bytes) {
    constexpr double most = 9.2e18;  // below 2^63
    return static_cast<std::uint64_t>(std::clamp(std::ceil(bytes), 0.0, most));
}

double weight_bytes(ModelShape const& shape, WeightFormat const& format) {
    auto const all = static_cast<double>(parameters_of(shape));
    auto const tables = std::min(all, static_cast<double>(count_parameters(shape).tables));
    return ((all - tables) * format.bits + tables * format.embedding_bits) / 8;
}

std::string short_count(double count) {
    if (count >= 1e12) return fmt::format("{:.4g}T", count / 1e12);
    if (count >= 1e9) return fmt::format("{:.4g}B", count / 1e9);
    if (count >= 1e6) return fmt::format("{:.4g}M", count / 1e6);
    return fmt::format("{:.0f}", count);
}

}  // namespace rocmtune
