// SPDX-License-Identifier: MIT
#include "host/gpu_use.hpp"

#include <algorithm>

namespace rocmtune {

bool is_asleep(Gpu const& gpu) {
    return gpu.runtime_status &&
           (*gpu.runtime_status == "suspended" || *gpu.runtime_status == "suspending");
}

Gpu const* sleeping_gpu(Host const& host) {
    auto const found = std::ranges::find_if(host.gpus, is_asleep);
    return found == host.gpus.end() ? nullptr : &*found;
}

bool holds(GpuProcess const& process, Gpu const& gpu) {
    return gpu.pci_address &&
           std::ranges::find(process.gpus, *gpu.pci_address) != process.gpus.end();
}

bool is_held(Host const& host, Gpu const& gpu) {
    return host.gpu_processes &&
           std::ranges::any_of(*host.gpu_processes,
                               [&](GpuProcess const& process) { return holds(process, gpu); });
}

}  // namespace rocmtune
