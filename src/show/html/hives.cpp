// SPDX-License-Identifier: MIT
#include "show/html/hives.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace rocmtune {

Hives::Hives(Host const& host) {
    for (auto const& link : host.links)
        if (link.kind == "xgmi" && link.from_row && link.to_row && link.from_row != link.to_row)
            pairs_.emplace(std::minmax(*link.from_row, *link.to_row));
    for (auto const& [a, b] : pairs_) {
        parents_.emplace(a, a);
        parents_.emplace(b, b);
        parents_[root_of(b)] = root_of(a);
    }
    std::map<std::uint64_t, std::size_t> order;
    for (auto const& [row, parent] : parents_)
        numbers_[row] = order.emplace(root_of(row), order.size()).first->second;
    count_ = order.size();
}

/// Shortens the path that it walks: the next one is quick.
std::uint64_t Hives::root_of(std::uint64_t row) {
    while (parents_[row] != row) row = parents_[row] = parents_[parents_[row]];
    return row;
}

std::optional<std::size_t> Hives::of(Gpu const& gpu) const {
    auto const found = numbers_.find(gpu.row.value_or(0));
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

std::string Hives::text() const {
    if (count_ > 1) return fmt::format("{} XGMI hives", count_);
    auto const members = numbers_.size();
    if (pairs_.size() == members * (members - 1) / 2)
        return fmt::format("XGMI \u00b7 {} GPUs, each joined to each", members);
    return fmt::format("XGMI \u00b7 {} GPUs, {} direct pairs, not each to each", members,
                       pairs_.size());
}

}  // namespace rocmtune
