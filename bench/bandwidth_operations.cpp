// SPDX-License-Identifier: MIT
#include "bench/bandwidth_operations.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace rocmtune::bench {
namespace {

constexpr BandwidthOperation operations[] = {
    {"copy", 1, 1},  {"mul", 1, 1},         {"add", 2, 1},
    {"triad", 2, 1}, {"dot", 2, 0, true},   {"read", 1, 0, true},
    {"write", 0, 1}, {"device-copy", 1, 1}, {"device-fill", 0, 1},
};

/// Kernels and runtimes of healthy devices are up to 10 % apart (bench/self/README.md).
constexpr double most_slower = 1.25;

/// Seconds for arrays of 10^9 bytes, at the ends of the figure's interval.
struct Time {
    BandwidthOperation const& operation;
    double least;
    double most;
};

std::optional<Time> time_of(Measurement const& it) {
    auto const all = bandwidth_operations();
    auto const op = std::find_if(all.begin(), all.end(), [&](BandwidthOperation const& one) {
        return it.benchmark == "bandwidth" && one.name == it.metric;
    });
    auto const low = it.low.value_or(0), high = it.high.value_or(0);
    auto const& labels = it.labels;
    bool const in_cache = std::find(labels.begin(), labels.end(), "in-cache") != labels.end();
    if (op == all.end() || it.status != "ok" || in_cache || low <= 0 || high <= 0)
        return std::nullopt;
    return Time{*op, op->arrays() / high, op->arrays() / low};
}

bool stand_side_by_side(Measurement const& one, Measurement const& other) {
    return one.backend == other.backend && one.parameters.index == other.parameters.index &&
           one.parameters.bytes == other.parameters.bytes;
}

/// The quickest of those that this one should not be slower than; empty if there is none.
std::string_view beaten_by(Measurement const& it, std::vector<Measurement> const& measurements) {
    auto const time = time_of(it);
    std::string_view quickest;
    auto least = time ? time->least / most_slower : 0;
    for (auto const& other : measurements) {
        auto const of_other = time_of(other);
        if (!time || !of_other || !stand_side_by_side(it, other)) continue;
        if (!time->operation.is_part_of(of_other->operation) || of_other->most >= least) continue;
        least = of_other->most;
        quickest = of_other->operation.name;
    }
    return quickest;
}

std::string times_n(unsigned arrays) {
    return arrays == 1 ? "N" : fmt::format("{} N", arrays);
}

}  // namespace

std::string BandwidthOperation::counting() const {
    if (writes == 0) return fmt::format("reads {} bytes", times_n(reads));
    if (reads == 0) return fmt::format("writes {} bytes", times_n(writes));
    return fmt::format("reads {} and writes {} bytes", times_n(reads), times_n(writes));
}

std::span<BandwidthOperation const> bandwidth_operations() {
    return operations;
}

void label_slower_than_others(std::vector<Measurement>& measurements) {
    for (auto& it : measurements)
        if (auto const other = beaten_by(it, measurements); !other.empty())
            it.labels.push_back(fmt::format("slower-than-{}", other));
}

}  // namespace rocmtune::bench
