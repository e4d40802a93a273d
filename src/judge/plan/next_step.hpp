// SPDX-License-Identifier: MIT
// Judgement: what to do where a plan does not fit.
#pragma once

#include <string>
#include <vector>

#include "judge/plan/setup.hpp"

namespace rocmtune {

/// A command that plans what fits instead, the least change first: a smaller batch, another way,
/// shorter sequences, more GPUs, a smaller model. What is behind # says which.
/// @param ways   what the options of the plan were made of, in their order
/// @param place  PlanWish::place
std::string next_step_of(Plan const& plan, std::vector<Setup> const& ways,
                         std::string const& place);

}  // namespace rocmtune
