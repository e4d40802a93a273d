// SPDX-License-Identifier: MIT
// AMD GPUs through libamdhip64 (majors 5, 6 and 7) and hipRTC, declared by ourselves
// (probe/abi.hpp) and looked for as the probe does.
#pragma once

#include <memory>
#include <vector>

#include "bench/device.hpp"

namespace rocmtune::bench {

std::vector<DeviceInfo> list_hip();
std::unique_ptr<Device> open_hip(std::uint64_t index);

}  // namespace rocmtune::bench
