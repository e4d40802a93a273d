// SPDX-License-Identifier: MIT
// Test data that host and device make alike, and whose sums are exact in any order.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rocmtune::bench {

/// 32 well mixed bits of a number (the finalizer of MurmurHash3). The same text stands in
/// kernels/bandwidth.hip.
constexpr std::uint32_t mixed(std::uint32_t h) {
    h ^= h >> 16;
    h *= 0x85ebca6bU;
    h ^= h >> 13;
    h *= 0xc2b2ae35U;
    return h ^ (h >> 16);
}

/// Element `i` of the array with this seed: 1 + k / 1024. Sums of two, halves and products of such
/// numbers are exact in fp32, sums of 2^30 products in fp64: an order of summation cannot matter,
/// and one wrong element shows.
constexpr double element(std::uint64_t i, std::uint32_t seed) {
    return 1.0 + (mixed(static_cast<std::uint32_t>(i) * 0x9e3779b9U + seed) >> 22) / 1024.0;
}

/// The factor of mul and triad.
inline constexpr double factor = 0.5;

/// What `write` puts into the 32-bit word `i`, a number or a vector of such: the fraction of a
/// float between 1 and 2.
template <class Words>
constexpr Words written_word(Words i) {
    return 0x3f800000U | (i & 0x7fffffU);
}

/// What `device-fill` puts into every byte.
inline constexpr std::uint8_t filled_byte = 0x5A;

}  // namespace rocmtune::bench
