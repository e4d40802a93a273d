// SPDX-License-Identifier: MIT
// The kinds of memory that products have, and the word of each.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace rocmtune {

/// Only the kinds that a product of the profiles has.
enum class MemoryType : std::uint8_t { hbm2, hbm2e, hbm3, hbm3e, gddr6, lpddr5x };

/// As profiles, probe and JSON write them.
inline constexpr std::array<std::string_view, 6> memory_type_words{"HBM2",  "HBM2e", "HBM3",
                                                                   "HBM3E", "GDDR6", "LPDDR5X"};

constexpr std::string_view word_of(MemoryType type) {
    return memory_type_words[static_cast<std::size_t>(type)];
}

}  // namespace rocmtune
