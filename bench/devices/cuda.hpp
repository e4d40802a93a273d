// SPDX-License-Identifier: MIT
// NVIDIA GPUs through libcuda and NVRTC: the proof of the common kernels on a GPU, and a comparison
// for hosts with both.
#pragma once

#include <memory>
#include <vector>

#include "bench/device.hpp"

namespace rocmtune::bench {

std::vector<DeviceInfo> list_cuda();
std::unique_ptr<Device> open_cuda(std::uint64_t index);

}  // namespace rocmtune::bench
