// SPDX-License-Identifier: MIT
#include "host/environment.hpp"

#include <algorithm>

namespace rocmtune {

bool is_device_mask(std::string_view name) {
    return std::ranges::find(mask_names, name) != mask_names.end();
}

bool is_gfx_override(std::string_view name) {
    return name.starts_with("HSA_OVERRIDE_GFX_VERSION");
}

std::optional<std::string> variable_of(Host const& host, std::string_view name) {
    if (!host.environment) return std::nullopt;
    auto const found = host.environment->find(std::string(name));
    return found == host.environment->end() ? std::nullopt : std::optional(found->second);
}

bool is_set(Host const& host, std::string_view name) {
    auto const& hidden = host.environment_hidden;
    return variable_of(host, name) || (hidden && std::ranges::find(*hidden, name) != hidden->end());
}

std::map<std::string, std::string> gfx_overrides(Host const& host) {
    std::map<std::string, std::string> overrides;
    if (!host.environment) return overrides;
    for (auto const& [name, value] : *host.environment)
        if (is_gfx_override(name) && !value.empty()) overrides.emplace(name, value);
    return overrides;
}

}  // namespace rocmtune
