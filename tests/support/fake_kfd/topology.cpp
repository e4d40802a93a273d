// SPDX-License-Identifier: MIT
#include "topology.hpp"

#include <array>
#include <cstdio>
#include <fstream>

namespace fake_kfd {
namespace {

/// Decimal pairs of digits, the last two written in hexadecimal: 90010 is gfx90a.
std::string target_of(unsigned version) {
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), "gfx%u%x%x", version / 10000, version / 100 % 100,
                  version % 100);
    return text.data();
}

unsigned property(std::string const& path, std::string const& wanted) {
    std::ifstream file(path);
    std::string name;
    for (std::uint64_t value = 0; file >> name >> value;)
        if (name == wanted) return static_cast<unsigned>(value);
    return 0;
}

}  // namespace

std::vector<Gpu> gpus() {
    std::vector<Gpu> found;
    for (int node = 0;; ++node) {
        auto const path = "/sys/class/kfd/kfd/topology/nodes/" + std::to_string(node);
        std::ifstream file(path + "/gpu_id");
        if (!file) return found;
        Gpu gpu{.number = static_cast<unsigned>(found.size())};
        if (!(file >> gpu.id) || gpu.id == 0) continue;
        gpu.target = target_of(property(path + "/properties", "gfx_target_version"));
        found.push_back(gpu);
    }
}

}  // namespace fake_kfd
