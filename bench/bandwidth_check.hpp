// SPDX-License-Identifier: MIT
// What the bandwidth kernels must leave behind, computed on the host: every element, every sum.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bench/device.hpp"

namespace rocmtune::bench {

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

/// Empty if the operation's result is right, else what is wrong. Names as in the benchmark.
std::string check_bandwidth(BandwidthResult const& result, std::string_view op);

}  // namespace rocmtune::bench
