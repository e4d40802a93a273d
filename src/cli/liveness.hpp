// SPDX-License-Identifier: MIT
// Lets each GPU work a little, in a process of its own: the one that hangs or dies is known by name
// and the others finish.
#pragma once

#include <chrono>
#include <vector>

#include "checks/trial.hpp"
#include "rocmtune/host.hpp"
#include "system/worker.hpp"

namespace rocmtune {

struct LivenessLimits {
    std::chrono::milliseconds gpu{8000};     ///< one GPU; starting HIP is most of it
    std::chrono::milliseconds total{30000};  ///< all of them, in as many rounds as it takes
    bool force = false;                      ///< also where a job computes
    bool wake = false;                       ///< also where a GPU sleeps
    std::vector<std::uint64_t> rows = {};    ///< empty: all
};

/// One trial for each GPU, also for those that may not be tried. Never throws for what a GPU does,
/// and takes no longer than `total` plus what ending the last processes takes. After a round in
/// which no GPU answered no other is begun: the driver hangs, and each round would only wait as
/// long. After one in which some did not, the others have several times what those took that did.
std::vector<Trial> try_gpus(Host const& host, LivenessLimits const& limits,
                            WorkerMachinery const& machinery = {});

}  // namespace rocmtune
