// SPDX-License-Identifier: MIT
// The fewest lines of a host (rocmtune-host(5)) that make a GPU, and a source that keeps count.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "support/recorded.hpp"

namespace rocmtune::test {

/// A file of several lines: "simd_count 192\nsimd_per_cu 2".
inline std::string file(std::string_view path, std::string_view content) {
    auto text = fmt::format("{} =\n", path);
    for (auto const line : lines(content)) text += fmt::format("\t{}\n", line);
    return text;
}

inline std::string kfd_path(int node, std::string_view name) {
    return fmt::format("/sys/class/kfd/kfd/topology/nodes/{}/{}", node, name);
}

/// A node with these properties; gpu_id is 1000 + node for a GPU.
inline std::string kfd_node(int node, std::string_view properties) {
    bool const gpu = properties.find("simd_count 0") == properties.npos;
    return fmt::format("{} = {}\n", kfd_path(node, "gpu_id"), gpu ? 1000 + node : 0) +
           file(kfd_path(node, "properties"), properties);
}

inline constexpr std::string_view cpu_properties =
    "cpu_cores_count 16\nsimd_count 0\ngfx_target_version 0";

/// A gfx1100 node at a place.
inline std::string kfd_gpu(int node, std::uint64_t location, std::string_view more = "domain 0") {
    return kfd_node(
        node,
        fmt::format("cpu_cores_count 0\nsimd_count 192\nsimd_per_cu 2\ngfx_target_version 110000\n"
                    "vendor_id 4098\ndevice_id 29772\nlocation_id {}\n{}",
                    location, more));
}

/// An RX 7900 (744c:cc) on the PCI bus at `address`, its files below `path`.
inline std::string pci_gpu(std::string_view address, std::string_view path,
                           std::string_view device = "0x744c", std::string_view revision = "0xcc") {
    return fmt::format(
        "/sys/bus/pci/devices/{0} -> {1}\n{1}/vendor = 0x1002\n{1}/class = 0x030000\n"
        "{1}/device = {2}\n{1}/revision = {3}\n",
        address, path, device, revision);
}

/// Keeps the paths that were asked of another source.
class CountingSource : public HostSource {
  public:
    explicit CountingSource(std::unique_ptr<HostSource> inner) : inner_(std::move(inner)) {}
    Reply ask(Query const& query) override {
        asked.emplace_back(query.path);
        return inner_->ask(query);
    }
    std::optional<std::string> environment() override { return inner_->environment(); }
    std::vector<std::string> asked;

  private:
    std::unique_ptr<HostSource> inner_;
};

}  // namespace rocmtune::test
