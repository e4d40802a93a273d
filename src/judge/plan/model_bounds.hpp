// SPDX-License-Identifier: MIT
// What no model exceeds: foreign text states sizes.
#pragma once

#include <cstdint>

namespace rocmtune {

// Some times what the largest models have; layers * experts * 3 * hidden * intermediate stays below
// 2^62.
inline constexpr std::uint64_t most_layers = 1U << 10, most_hidden = 1U << 18,
                               most_heads = 1U << 12, most_head_size = 1U << 13,
                               most_intermediate = 1U << 20, most_vocabulary = 1U << 24,
                               most_experts = 1U << 12, most_shared = 1U << 6,
                               most_positions = 1U << 28, most_rank = 1U << 16;

}  // namespace rocmtune
