// SPDX-License-Identifier: MIT
#include "host/subject.hpp"

#include <fmt/format.h>

namespace rocmtune {

std::string subject_of(Gpu const& gpu) {
    if (!gpu.pci_address) return "host";
    bool const partitioned =
        gpu.partition_count.value_or(1) > 1 || gpu.partition_index.value_or(0) > 0;
    if (!partitioned) return *gpu.pci_address;
    return fmt::format("{}/{}", *gpu.pci_address, gpu.partition_index.value_or(0));
}

std::optional<std::string> why_gpus_are_unread(Host const& host) {
    if (!host.gpus.empty() || host.pci_functions) return std::nullopt;
    return "PCI bus: " + std::string(missing_name(host.pci_functions.reason()));
}

}  // namespace rocmtune
