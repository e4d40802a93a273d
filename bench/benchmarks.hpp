// SPDX-License-Identifier: MIT
// The plans of the benchmarks, one file each; the table is in benchmarks.cpp.
#pragma once

#include <vector>

#include "bench/session.hpp"

namespace rocmtune::bench {

std::vector<Step> plan_bandwidth(Session& session);
/// Copies between host and device, which plan_bandwidth() appends to its steps.
std::vector<Step> plan_host_copies(Session& session);
/// Copies between this device and the others that were chosen.
std::vector<Step> plan_peer_copies(Session& session);
std::vector<Step> plan_gemm(Session& session);
/// Products of n x n matrices on 1 to all of the chosen devices at once.
std::vector<Step> plan_gemm_scaling(Session& session, std::uint64_t n);
std::vector<Step> plan_vpoc(Session& session);
/// Collective operations over all of the chosen devices.
std::vector<Step> plan_collectives(Session& session);

}  // namespace rocmtune::bench
