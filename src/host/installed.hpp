// SPDX-License-Identifier: MIT
// What a host has, by its name.
#pragma once

#include <algorithm>
#include <string_view>

#include "rocmtune/host.hpp"

namespace rocmtune {

/// Null if the runtime was not asked.
inline Runtime const* runtime_of(Host const& host, std::string_view name) {
    if (!host.runtimes) return nullptr;
    auto const found = std::ranges::find(*host.runtimes, name, &Runtime::name);
    return found == host.runtimes->end() ? nullptr : &*found;
}

/// The first Python package of that name; null if there is none or nobody can tell.
inline Framework const* framework_of(Host const& host, std::string_view name) {
    if (!host.frameworks) return nullptr;
    auto const found = std::ranges::find(*host.frameworks, name, &Framework::name);
    return found == host.frameworks->end() ? nullptr : &*found;
}

}  // namespace rocmtune
