// SPDX-License-Identifier: MIT
// Judgement: what fits into the memory of GPUs, and what could be done where it does not.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/plan/setup.hpp"
#include "rocmtune/finding.hpp"
#include "rocmtune/host.hpp"
#include "rocmtune/plan.hpp"

namespace rocmtune {

/// All GPUs of the host; `rows` are chosen. Without rows those of one kind are: the kind that has
/// the most memory in all, cards before the GPUs of processors, since a job over unlike GPUs is
/// bound by the least of them.
std::vector<PlanGpu> gpu_memory(Host const& host, std::vector<std::uint64_t> const& rows);

/// GPUs that nobody has looked at, with this memory, all of it free.
std::vector<PlanGpu> given_memory(std::uint64_t bytes);

/// Ways to do the same, the asked one first: other sharding, checkpointing, a smaller optimiser,
/// adapters; or other formats of the weights.
std::vector<Setup> ways_of(Setup const& asked);

/// One way in `budget` bytes on each GPU; without a budget only the need is known.
PlanOption option_of(Setup const& setup, std::optional<double> budget, bool asked);

/// A command that plans what fits instead, the least change first: a smaller batch, another way,
/// shorter sequences, more GPUs, a smaller model. What is behind # says which.
/// @param ways   what the options of the plan were made of, in their order
/// @param place  PlanWish::place
std::string next_step_of(Plan const& plan, std::vector<Setup> const& ways,
                         std::string const& place);

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

/// The same of several models; of inference with more than one also whether they fit at the same
/// time, where each fits alone.
std::vector<Finding> judge_plans(std::vector<Plan> const& plans);

}  // namespace rocmtune
