// SPDX-License-Identifier: MIT
// The table of backends, in the order in which `auto` tries them.
#include <algorithm>

#include "bench/device.hpp"

namespace rocmtune::bench {

Backend hip_backend();
Backend cuda_backend();
Backend cpu_backend();

Backend const* find_backend(std::string_view name) {
    static Backend const backends[] = {hip_backend(), cuda_backend(), cpu_backend()};
    auto const* const found = std::ranges::find(backends, name, &Backend::name);
    return found == std::end(backends) ? nullptr : found;
}

}  // namespace rocmtune::bench
