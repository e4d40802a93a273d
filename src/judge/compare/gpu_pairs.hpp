// SPDX-License-Identifier: MIT
// Which GPU of one report is which of another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/report.hpp"

namespace rocmtune {

/// Places in the two lists; one is absent for a GPU without counterpart.
struct MatchedGpus {
    std::optional<std::size_t> a = {};
    std::optional<std::size_t> b = {};
    std::string by = "none";
};

/// Pairs in the order of A, then what only B has. The identity of the chip counts most (a card that
/// moved is the same card), then the place, then, among GPUs of the same model or where nothing
/// else is left, the order.
std::vector<MatchedGpus> match_gpus(std::vector<ReadFacts> const& a,
                                    std::vector<ReadFacts> const& b);

/// Whether a GPU of A is, by its identity, a GPU of B.
bool share_a_gpu(std::vector<MatchedGpus> const& pairs);

}  // namespace rocmtune
