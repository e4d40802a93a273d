// SPDX-License-Identifier: MIT
// Trial: what came of letting one GPU work, in a process of its own. Who runs it only reports; what
// it means is judged here like any other fact.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rocmtune/finding.hpp"

namespace rocmtune {

enum class TrialEnd : std::uint8_t {
    verified,      ///< what came back was right
    wrong,         ///< what came back was not what was sent
    refused,       ///< a call of the runtime failed
    crashed,       ///< the process died in a call
    late,          ///< it did not answer in time, and was killed
    unkillable,    ///< likewise, and SIGKILL did not reach it: it is stuck in the driver
    no_runtime,    ///< this host has no HIP runtime to try it with
    not_possible,  ///< this process is not shown the GPU
    not_allowed,   ///< it would disturb: a job, or a GPU that sleeps
    not_known,     ///< the trial itself failed: nothing is known of the GPU
};

struct Trial {
    std::uint64_t row = 0;  ///< of the GPU, as probe prints it
    TrialEnd end = TrialEnd::not_known;
    std::string message = {};  ///< what happened, without the GPU's name
    std::vector<Evidence> evidence = {};
};

}  // namespace rocmtune
