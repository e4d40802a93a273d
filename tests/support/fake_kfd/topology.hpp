// SPDX-License-Identifier: MIT
// The GPUs of the tree that run_on_tree shows: its topology is the only list of devices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fake_kfd {

struct Gpu {
    std::uint32_t id = 0;     ///< KFD's gpu_id
    unsigned number = 0;      ///< from 0, in node order
    std::string target = {};  ///< "gfx90a"
};

/// Every GPU node, in node order.
std::vector<Gpu> gpus();

}  // namespace fake_kfd
