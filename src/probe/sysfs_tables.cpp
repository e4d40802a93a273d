// SPDX-License-Identifier: MIT
// Formats of the files that amdgpu and KFD have in sysfs.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"
#include "probe/parsers.hpp"

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

namespace {

/// "2100Mhz *": the number, if this unit follows it at once.
std::optional<double> megahertz(std::string_view text) {
    auto const unit = std::min(text.find_first_not_of("0123456789."), text.size());
    if (!lower(trim(text.substr(unit))).starts_with("mhz")) return std::nullopt;
    return leading_real(text);
}

}  // namespace

std::optional<ClockDomain> parse_clock_table(std::string name, std::string_view text) {
    ClockDomain clock{.name = std::move(name)};
    bool any = false;
    for (auto const line : lines(text)) {
        auto const colon = line.find(':');
        if (colon == line.npos) continue;
        auto const value = trim(line.substr(colon + 1));
        auto const mhz = megahertz(value);
        if (!mhz) continue;
        bool const asleep = trim(line.substr(0, colon)) == "S";
        if (asleep) clock.deep_sleep_mhz = mhz;
        else clock.levels_mhz.push_back(*mhz);
        if (value.ends_with('*')) clock.current_mhz = mhz;
        any = true;
    }
    if (!any) return std::nullopt;
    return clock;
}

std::optional<ClockDomain> parse_overdrive_memory_table(std::string_view text) {
    std::string section;
    bool inside = false;
    for (auto const line : lines(text)) {
        auto const it = trim(line);
        if (it.ends_with(':')) inside = it == "OD_MCLK:";
        else if (inside) section += fmt::format("{}\n", it);
    }
    return parse_clock_table("od_mclk", section);
}

RasBlock parse_ras_counters(std::string name, std::string_view text) {
    RasBlock block{.name = std::move(name)};
    for (auto const& [key, value] : key_value_lines(text, ':')) {
        auto const count = to_unsigned(value, 10);
        bool const known = key == "ue" || key == "ce" || key == "de";
        if (known && !count && !block.problem)
            block.problem = fmt::format("{}: no number '{}'", key, printable(value.substr(0, 40)));
        if (key == "ue") block.uncorrectable = count;
        else if (key == "ce") block.correctable = count;
        else if (key == "de") block.deferred = count;
    }
    if (!block.uncorrectable && !block.correctable && !block.deferred && !block.problem)
        block.problem = "no counters: " + printable(text.substr(0, 60));
    return block;
}

std::optional<BadPages> parse_bad_pages(std::string_view text) {
    BadPages pages;
    for (auto const line : lines(text)) {
        auto const parts = split(line, ':');
        if (trim(line).empty()) continue;
        if (parts.size() != 3) return std::nullopt;
        auto const state = trim(parts[2]);
        if (state == "R") ++pages.retired;
        else if (state == "P") ++pages.pending;
        else if (state == "F") ++pages.unreservable;
        else return std::nullopt;
    }
    return pages;
}

}  // namespace rocmtune
