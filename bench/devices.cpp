// SPDX-License-Identifier: MIT
// The table of backends, in the order in which `auto` tries them.
#include <algorithm>

#include "bench/devices/cpu.hpp"
#include "bench/devices/cuda.hpp"
#include "bench/devices/hip.hpp"

namespace rocmtune::bench {
namespace {

constexpr Backend backends[] = {
    {"hip", list_hip, open_hip},
    {"cuda", list_cuda, open_cuda},
    {"cpu", list_cpu, open_cpu},
};

}  // namespace

Backend const* find_backend(std::string_view name) {
    auto const found = std::find_if(std::begin(backends), std::end(backends),
                                    [&](Backend const& backend) { return backend.name == name; });
    return found == std::end(backends) ? nullptr : &*found;
}

}  // namespace rocmtune::bench
