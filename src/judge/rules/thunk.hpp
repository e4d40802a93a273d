// SPDX-License-Identifier: MIT
// The GPUs that libhsakmt gives to ROCr, before any mask.
#pragma once

#include "judge/rules/masks.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

struct ThunkView {
    std::vector<Gpu const*> gpus = {};    ///< in the order of their KFD nodes
    std::vector<std::string> notes = {};  ///< devices left out, failures, assumptions
    bool known = true;
    bool complete = true;  ///< no device was left out: other tools list the same ones
};

/// @returns pointers into `host`.
ThunkView thunk_view(Host const& host);

/// What the runtimes identify a GPU by.
DeviceId device_id(Gpu const& gpu);

}  // namespace rocmtune
