// SPDX-License-Identifier: MIT
// Which processes are jobs: liveness keeps away from them, and the occupancy checks tell of them.
#pragma once

#include "rocmtune/records.hpp"

namespace rocmtune {

/// A process that computes; not another check, nor a daemon that only watches.
bool is_job(GpuProcess const& process);

}  // namespace rocmtune
