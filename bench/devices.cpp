// SPDX-License-Identifier: MIT
// The table of backends, in the order in which `auto` tries them.
#include <algorithm>

#include "bench/device.hpp"

namespace rocmtune::bench {

Backend hip_backend();
Backend cuda_backend();
Backend cpu_backend();

std::span<Backend const> all_backends() {
    static Backend const backends[] = {hip_backend(), cuda_backend(), cpu_backend()};
    return backends;
}

Backend const* find_backend(std::string_view name) {
    auto const found = std::ranges::find(all_backends(), name, &Backend::name);
    return found == all_backends().end() ? nullptr : &*found;
}

}  // namespace rocmtune::bench
