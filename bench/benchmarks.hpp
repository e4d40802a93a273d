// SPDX-License-Identifier: MIT
// The plans of the benchmarks, one file each; the table is in benchmarks.cpp.
#pragma once

#include <vector>

#include "bench/session.hpp"

namespace rocmtune::bench {

std::vector<Step> plan_bandwidth(Session& session);
/// Copies between host and device, which plan_bandwidth() appends to its steps.
std::vector<Step> plan_host_copies(Session& session);
std::vector<Step> plan_gemm(Session& session);
std::vector<Step> plan_vpoc(Session& session);

}  // namespace rocmtune::bench
