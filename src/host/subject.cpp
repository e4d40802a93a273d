// SPDX-License-Identifier: MIT
#include "host/subject.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace rocmtune {

namespace {

bool is_part(std::optional<std::uint64_t> partition, std::optional<std::uint64_t> partitions) {
    return partitions.value_or(1) > 1 || partition.value_or(0) > 0;
}

}  // namespace

bool is_partition(Gpu const& gpu) {
    return is_part(gpu.partition_index.value(), gpu.partition_count.value());
}

std::string subject_at(std::string_view address, std::optional<std::uint64_t> partition,
                       std::optional<std::uint64_t> partitions) {
    if (!is_part(partition, partitions)) return std::string(address);
    return fmt::format("{}/{}", address, partition.value_or(0));
}

std::string subject_of(Gpu const& gpu) {
    if (!gpu.pci_address) return "host";
    return subject_at(*gpu.pci_address, gpu.partition_index.value(), gpu.partition_count.value());
}

bool is_among(std::vector<std::uint64_t> const& rows, Gpu const& gpu) {
    return rows.empty() || (gpu.row && std::ranges::find(rows, *gpu.row) != rows.end());
}

std::optional<std::string> why_gpus_are_unread(Host const& host) {
    if (!host.gpus.empty() || host.pci_functions) return std::nullopt;
    return "PCI bus: " + std::string(missing_name(host.pci_functions.reason()));
}

}  // namespace rocmtune
