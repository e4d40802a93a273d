// SPDX-License-Identifier: MIT
// How often each value of a fact occurs in a group, and where the rare ones are. Memory is bounded
// by distinct values and by names of those that deviate, not by the number of hosts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reports/fact_kinds.hpp"
#include "rocmtune/fleet.hpp"

namespace rocmtune {

/// A host or GPU while it is being counted; the name of a host is shared by all that speak of it.
struct CountedUnit {
    std::shared_ptr<std::string const> host = {};
    std::shared_ptr<std::string const> gpu = {};  ///< empty: the host itself
    PlainValue detail = {};
};

/// One value with those that have it.
struct ValueCount {
    PlainValue value = {};
    std::uint64_t count = 0;
    std::vector<CountedUnit> units = {};  ///< at most most_named; none of a clear majority
    bool is_clear = false;
};

class ValueCounts {
  public:
    static constexpr std::size_t most_values = 64;
    static constexpr std::size_t most_named = 1024;

    explicit ValueCounts(FactWord const* word) : word_(word) {}

    /// `word` is null for facts of our own making (the number of GPUs).
    FactWord const* word() const { return word_; }
    void add(PlainValue const& value, CountedUnit const& unit);
    /// Adds `count` units of which only some are named.
    void add_many(PlainValue const& value, std::uint64_t count, std::vector<CountedUnit> units);

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
