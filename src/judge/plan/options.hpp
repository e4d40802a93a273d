// SPDX-License-Identifier: MIT
// Judgement: how far each way of doing it goes in a given memory.
#pragma once

#include <optional>
#include <vector>

#include "judge/plan/setup.hpp"

namespace rocmtune {

/// Ways to do the same, the asked one first: other sharding, checkpointing, a smaller optimiser,
/// adapters; or other formats of the weights.
std::vector<Setup> ways_of(Setup const& asked);

/// One way in `budget` bytes on each GPU; without a budget only the need is known.
PlanOption option_of(Setup const& setup, std::optional<double> budget, bool asked);

}  // namespace rocmtune
