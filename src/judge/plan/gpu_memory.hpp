// SPDX-License-Identifier: MIT
// Judgement: how much memory the GPUs of a host have for one more program.
#pragma once

#include <vector>

#include "rocmtune/host.hpp"
#include "rocmtune/plan.hpp"

namespace rocmtune {

/// All GPUs of the host; `rows` are chosen. Without rows those of one kind are: the kind that has
/// the most memory in all, cards before the GPUs of processors, since a job over unlike GPUs is
/// bound by the least of them.
std::vector<PlanGpu> gpu_memory(Host const& host, std::vector<std::uint64_t> const& rows);

/// GPUs that nobody has looked at, with this memory, all of it free.
std::vector<PlanGpu> given_memory(std::uint64_t bytes);

}  // namespace rocmtune
