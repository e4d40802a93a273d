// SPDX-License-Identifier: MIT
// What lets a process use a device node that it cannot use now: one step for each cause and each
// kind of container.
#pragma once

#include <string>

#include "rocmtune/host.hpp"

namespace rocmtune {

/// The step for a node whose open failed.
std::string way_in(Host const& host, DeviceNode const& node);

/// The step for a node that does not exist; `path` is /dev/kfd or a render node.
std::string way_to_missing(Host const& host, std::string const& path);

/// The step for a kernel that drives the GPUs without KFD, which computes for ROCm.
std::string way_to_kfd();

}  // namespace rocmtune
