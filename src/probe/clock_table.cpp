// SPDX-License-Identifier: MIT
#include "probe/clock_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
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

}  // namespace rocmtune
