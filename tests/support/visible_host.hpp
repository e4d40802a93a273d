// SPDX-License-Identifier: MIT
// Hosts of nothing but GPUs, for tests of device masks.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "rocmtune/host.hpp"
#include "rocmtune/visibility.hpp"

namespace rocmtune::test {

/// GPUs in the order of their KFD nodes, each with its unique id; rows count the other way round,
/// so that a test sees when an index is mistaken for a row.
inline Host host_of(std::vector<std::string> const& unique_ids) {
    Host host;
    Source const source{"test", "test"};
    std::vector<KfdNode> nodes{{.node = 0, .kind = "cpu"}};
    for (std::size_t i = 0; i < unique_ids.size(); ++i) {
        nodes.push_back({.node = i + 1, .kind = "gpu"});
        Gpu gpu;
        gpu.row.offer(unique_ids.size() - 1 - i, source);
        gpu.kfd_node.offer(i + 1, source);
        gpu.pci_address.offer(fmt::format("0000:{:02x}:00.0", 0xF0 - i), source);
        gpu.driver.offer("amdgpu", source);
        gpu.render_access.offer(
            {.path = fmt::format("/dev/dri/renderD{}", 128 + i), .usable = true}, source);
        if (unique_ids[i].empty()) gpu.unique_id.miss(Missing::unsupported, "unique_id is 0");
        else gpu.unique_id.offer(unique_ids[i], source);
        host.gpus.insert(host.gpus.begin(), std::move(gpu));
    }
    host.kfd_nodes.offer(std::move(nodes), source);
    host.kfd_access.offer({.path = "/dev/kfd", .usable = true}, source);
    return host;
}

/// The same with made-up ids: 00000000000000a0, a1, ...
inline Host host_of(std::size_t count) {
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < count; ++i) ids.push_back(fmt::format("{:016x}", 0xa0 + i));
    return host_of(ids);
}

inline constexpr auto rocr_name = "ROCR_VISIBLE_DEVICES";
inline constexpr auto hip_name = "HIP_VISIBLE_DEVICES";
inline constexpr auto cuda_name = "CUDA_VISIBLE_DEVICES";

using Indices = std::optional<std::vector<std::uint64_t>>;

/// Position among the GPU nodes of KFD, from 0; absent if the list is not known.
inline Indices nodes_of(std::optional<std::vector<VisibleDevice>> const& devices) {
    if (!devices) return std::nullopt;
    std::vector<std::uint64_t> nodes;
    for (auto const& device : *devices) nodes.push_back(device.kfd_node.value_or(0) - 1);
    return nodes;
}

inline std::string text_of(Indices const& indices) {
    if (!indices) return "unknown";
    std::string text;
    for (auto const index : *indices) text += fmt::format("{}{}", text.empty() ? "" : " ", index);
    return text.empty() ? "none" : text;
}

}  // namespace rocmtune::test
