// SPDX-License-Identifier: MIT
// What the end of a liveness worker says of the GPU that it tried.
#pragma once

#include <string>
#include <utility>

#include "judge/checks/check.hpp"
#include "machine/worker.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

inline Trial trial_of(Gpu const& gpu, TrialEnd end, std::string message) {
    return {.row = gpu.row.value_or(0), .end = end, .message = std::move(message)};
}

/// The trial as its worker ended it (bench/liveness.cpp). Only what happened in a call
/// of the runtime accuses the GPU.
Trial trial_from(Gpu const& gpu, WorkerOutcome const& outcome);

/// Whether the GPU copied rightly, whatever became of the worker afterwards.
bool has_copied(WorkerOutcome const& outcome);

}  // namespace rocmtune
