// SPDX-License-Identifier: MIT
// The processors of this host as a device: reference, and what is there where no GPU is.
#pragma once

#include <memory>
#include <vector>

#include "bench/device.hpp"

namespace rocmtune::bench {

std::vector<DeviceInfo> list_cpu();
std::unique_ptr<Device> open_cpu(std::uint64_t index);

}  // namespace rocmtune::bench
