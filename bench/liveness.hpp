// SPDX-License-Identifier: MIT
// The worker of the check liveness; what it answers stands in liveness.cpp.
#pragma once

#include <span>
#include <string>

#include "machine/worker.hpp"

namespace rocmtune::bench {

/// The step in which a kernel is compiled, or taken from the cache, and loaded. Whatever happens in
/// it, the GPU has copied rightly before.
inline constexpr char const* making_a_kernel = "making a kernel";

void run_liveness_worker(WorkerChannel& channel, std::span<std::string const> arguments);

}  // namespace rocmtune::bench
