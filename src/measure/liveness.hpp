// SPDX-License-Identifier: MIT
// Lets each GPU work a little, in a process of its own: the one that hangs or dies is known by name
// and the others finish.
#pragma once

#include <chrono>
#include <vector>

#include "judge/checks/check.hpp"
#include "machine/worker.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

struct LivenessLimits {
    std::chrono::milliseconds gpu{8000};     ///< one GPU; starting HIP is most of it
    std::chrono::milliseconds total{30000};  ///< all of them, and what ending the last ones takes
    bool force = false;                      ///< also where a job computes
    bool wake = false;                       ///< also where a GPU sleeps
    std::vector<std::uint64_t> rows = {};    ///< empty: all
};

/// One trial for each GPU, also for those that may not be tried. Never throws for what a GPU does,
/// and is back after `total`. Eight GPUs are tried at a time, and each that is over makes room for
/// the next. Where those so far did not answer at all, no other is begun: the driver hangs, and
/// each would only wait as long. Where some did, the next ones have several times as long as those
/// took.
std::vector<Trial> try_gpus(Host const& host, LivenessLimits const& limits,
                            WorkerMachinery const& machinery = {});

}  // namespace rocmtune
