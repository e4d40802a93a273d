// SPDX-License-Identifier: MIT
// RT1xxx: whether all sources speak of the same devices.
#pragma once

#include <vector>

#include "rocmtune/finding.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

/// Judges the device map of a settled host: facts that comparable sources state differently
/// (RT1001), devices that only a library reports (RT1002), several HIP runtimes in one process
/// (RT1003), a reported gfx target that is not the hardware's (RT1004), numbers that stand for two
/// GPUs or GPUs with two numbers (RT1005). Silent on a healthy host. In the order of ids, then of
/// rows.
std::vector<Finding> judge_device_map(Host const& host);

}  // namespace rocmtune
