// SPDX-License-Identifier: MIT
// Many equal things in little memory: each is kept once and has a number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

namespace rocmtune {

/// Numbers count from 0, which is T{}. At most 2^32 - 1 things.
template <class T, class Hash = std::hash<T>>
class Pool {
  public:
    Pool() { (void)number_of(T{}); }

    std::uint32_t number_of(T const& it) {
        if (2 * (all_.size() + 1) > slots_.size()) grow();
        auto& slot = slot_of(it);
        if (slot == free) {
            slot = static_cast<std::uint32_t>(all_.size());
            all_.push_back(it);
        }
        return slot;
    }

    T const& operator[](std::uint32_t number) const { return all_[number]; }

  private:
    static constexpr std::uint32_t free = ~std::uint32_t{0};

    /// Where the thing is, or where it is to go: at its hash or behind it.
    std::uint32_t& slot_of(T const& it) {
        // Spreads what has the same low bits, as sizes of memories do (Fibonacci hashing).
        constexpr std::uint64_t spread = 0x9e3779b97f4a7c15U;
        auto at = (Hash{}(it)*spread >> 32) % slots_.size();
        while (slots_[at] != free && !(all_[slots_[at]] == it)) at = (at + 1) % slots_.size();
        return slots_[at];
    }

    /// At least half of the slots stay free, so that a search is short.
    void grow() {
        constexpr std::size_t first_size = 64;
        slots_.assign(slots_.empty() ? first_size : 2 * slots_.size(), free);
        for (std::uint32_t number = 0; number < all_.size(); ++number)
            slot_of(all_[number]) = number;
    }

    std::deque<T> all_ = {};
    std::vector<std::uint32_t> slots_ = {};
};

}  // namespace rocmtune
