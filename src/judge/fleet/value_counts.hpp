// SPDX-License-Identifier: MIT
// How often each value of a fact occurs in a group, and where the rare ones are. Memory is bounded
// by distinct values and by names of those that deviate, not by the number of hosts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "judge/fleet/pool.hpp"
#include "reports/fact_words.hpp"
#include "rocmtune/fleet.hpp"

namespace rocmtune {

/// A host or GPU while it is being counted: numbers in the pools.
struct CountedUnit {
    std::uint32_t host = 0;
    std::uint32_t gpu = 0;     ///< of the empty text: the host itself
    std::uint32_t detail = 0;  ///< a value; of null: none

    bool operator==(CountedUnit const&) const = default;
};

struct HashOfUnit {
    std::uint64_t operator()(CountedUnit const& unit) const {
        constexpr std::uint64_t prime = 0x100000001b3U;
        return (unit.host * prime ^ unit.gpu) * prime ^ unit.detail;
    }
};

/// What all groups share.
struct FleetPools {
    Pool<std::string> texts = {};
    Pool<PlainValue> values = {};
    Pool<CountedUnit, HashOfUnit> units = {};
};

/// One value with those that have it.
struct ValueCount {
    PlainValue value = {};
    std::uint64_t count = 0;
    std::vector<std::uint32_t> units = {};  ///< at most most_named; none of a clear majority
    bool is_clear = false;
};

class ValueCounts {
  public:
    static constexpr std::size_t most_values = 64;
    static constexpr std::size_t most_named = 1024;

    explicit ValueCounts(FactWord const* word) : word_(word) {}

    /// `word` is null for facts of our own making (the number of GPUs).
    FactWord const* word() const { return word_; }
    void add(PlainValue const& value, std::uint32_t unit, FleetPools& pools);
    /// Adds `count` units of which only some are named.
    void add_many(PlainValue const& value, std::uint64_t count, std::vector<std::uint32_t> units);

    std::uint64_t total() const { return total_; }
    /// More values than anybody could look at: the fact is no property of a group.
    bool varies() const { return varies_; }
    bool is_uniform() const { return values_.size() == 1; }
    /// The value that more than half have, or null.
    ValueCount const* majority() const;
    std::vector<ValueCount> const& values() const { return values_; }

    std::uint64_t last_unit = 0;  ///< number of the last unit that was counted, from 1

  private:
    ValueCount* find(PlainValue const& value);
    void forget_clear(ValueCount& counted) const;

    FactWord const* word_;
    std::vector<ValueCount> values_;
    std::uint64_t total_ = 0;
    bool varies_ = false;
};

}  // namespace rocmtune
