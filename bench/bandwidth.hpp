// SPDX-License-Identifier: MIT
// The operations of the bandwidth benchmark: what each moves, what it must leave behind, and
// whether their figures can stand beside each other.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/session.hpp"

namespace rocmtune::bench {

struct BandwidthOperation {
    std::string_view name;
    unsigned reads;        ///< arrays of N bytes
    unsigned writes;       ///< arrays of N bytes
    bool reduces = false;  ///< the result is a partial of each block

    double arrays() const { return reads + writes; }
    /// "reads 2 N and writes N bytes"
    std::string counting() const;
    /// Whether the other moves all that this one does, or more.
    bool is_part_of(BandwidthOperation const& other) const {
        return reads <= other.reads && writes <= other.writes;
    }
};

/// All of them, in the order in which they are measured.
std::span<BandwidthOperation const> bandwidth_operations();

/// Whether the benchmark has the type that is asked for.
inline bool has_bandwidth_type(Session const& session) {
    auto const& dtype = session.options.dtype;
    return dtype.empty() || dtype == "fp32" || dtype == "fp64";
}

/// Labels what took longer than an operation of the same run, device and size that moves the same
/// bytes or more: `slower-than-copy`. Such a figure is that of its instructions, not of the memory.
/// One that is a quarter slower beyond both intervals counts; data in a cache and failed
/// measurements do not.
void label_slower_than_others(std::vector<Measurement>& measurements);

/// Seeds of the arrays a and b.
inline constexpr std::uint32_t bandwidth_seed_a = 17;
inline constexpr std::uint32_t bandwidth_seed_b = 4242;

/// Where the result of one operation lies.
struct BandwidthResult {
    Device& device;
    std::size_t bytes;  ///< of one array
    bool doubles;
    Address array;     ///< that was written
    Address partials;  ///< of the reducing operations, one a block
    std::uint64_t partial_count;
};

/// Compares every element, or the sum, with what is computed here (bandwidth_check.cpp). Empty if
/// the operation's result is right, else what is wrong. Names as in the benchmark.
std::string check_bandwidth(BandwidthResult const& result, std::string_view op);

}  // namespace rocmtune::bench
