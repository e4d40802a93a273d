// SPDX-License-Identifier: MIT
// Which GPUs XGMI joins.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "rocmtune/host.hpp"

namespace rocmtune {

/// Hives: GPUs with a path of XGMI links between them, numbered from 0 by their first row.
class Hives {
  public:
    explicit Hives(Host const& host);

    /// The hive of a GPU; absent if no XGMI link ends at it.
    std::optional<std::size_t> of(Gpu const& gpu) const;
    std::size_t count() const { return count_; }
    /// "XGMI, 8 GPUs, each joined to each" of one hive; of several their number.
    std::string text() const;

  private:
    std::uint64_t root_of(std::uint64_t row);

    std::set<std::pair<std::uint64_t, std::uint64_t>> pairs_;  ///< the lower row first
    std::map<std::uint64_t, std::uint64_t> parents_;           ///< a forest: the root is its own
    std::map<std::uint64_t, std::size_t> numbers_;             ///< of the hive, by row
    std::size_t count_ = 0;
};

}  // namespace rocmtune
