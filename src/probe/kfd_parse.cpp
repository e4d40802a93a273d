// SPDX-License-Identifier: MIT
#include "probe/kfd_parse.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {

KfdProperties parse_kfd_properties(std::string_view text) {
    KfdProperties properties;
    while (!text.empty()) {
        auto const line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        auto const blank = std::min(line.find(' '), line.size());
        auto const number = to_unsigned(trim(line.substr(blank)), 10);
        if (number && blank > 0) properties.emplace_back(line.substr(0, blank), *number);
    }
    return properties;
}

std::optional<std::uint64_t> kfd_property(KfdProperties const& properties, std::string_view key) {
    auto const found = std::find_if(properties.rbegin(), properties.rend(),
                                    [&](auto const& property) { return property.first == key; });
    return found == properties.rend() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> gfx_target_name(std::uint64_t version) {
    auto const major = version / 10000;
    auto const minor = version / 100 % 100;
    auto const stepping = version % 100;
    if (major == 0 || major > 99 || minor > 15 || stepping > 15) return std::nullopt;
    return fmt::format("gfx{}{:x}{:x}", major, minor, stepping);
}

std::string link_kind(std::uint64_t type) {
    // CRAT_IOLINK_TYPE_* of Linux drivers/gpu/drm/amd/amdkfd/kfd_crat.h
    static constexpr std::array<std::string_view, 16> kinds{"",
                                                            "hypertransport",
                                                            "pcie",
                                                            "amba",
                                                            "mipi",
                                                            "qpi",
                                                            "",
                                                            "",
                                                            "rapidio",
                                                            "infiniband",
                                                            "",
                                                            "xgmi",
                                                            "xgop",
                                                            "gz",
                                                            "rdma-ethernet",
                                                            "rdma"};
    if (type < kinds.size() && !kinds[type].empty()) return std::string(kinds[type]);
    return fmt::format("type-{}", type);
}

}  // namespace rocmtune
