// SPDX-License-Identifier: MIT
// Judgement: what fits into the memory of GPUs, and what could be done where it does not.
#pragma once

#include <vector>

#include "judge/plan/setup.hpp"
#include "rocmtune/finding.hpp"
#include "rocmtune/plan.hpp"

namespace rocmtune {

/// Plan::unknown of a host without GPUs, where the need is the answer.
inline constexpr std::string_view no_gpu = "this host has no AMD GPU";

/// @param gpus     memory of GPUs; the chosen ones work together
/// @param unknown  why it is not known which GPUs there are; empty if it is
/// @throws Error for a wish that cannot be met (setup_of).
Plan make_plan(ModelShape const& shape, PlanWish const& wish, PlanData const& data,
               std::vector<PlanGpu> gpus, std::string unknown = {});

/// RT7201 where it does not fit, RT7202 where that cannot be told, RT7203 where it fits only if the
/// estimate is right.
std::vector<Finding> judge_plan(Plan const& plan);

}  // namespace rocmtune
