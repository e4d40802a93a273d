// SPDX-License-Identifier: MIT
// What was weighed for this host and left out: an empty script is then an answer.
#pragma once

#include <span>

#include "judge/rules/gates.hpp"
#include "knowledge/rule.hpp"
#include "rocmtune/recommendation.hpp"

namespace rocmtune {

/// Fills Advice::considered with variables that rules for these GPUs speak of and that are neither
/// recommended nor left open, and with the override of the target; sorted by name, each once.
void add_considered(SelectedHost const& selected, ChipSet const& chips, Selection const& selection,
                    std::span<Rule const> rules, Advice& advice);

}  // namespace rocmtune
