// SPDX-License-Identifier: MIT
#include "base/cpu_list.hpp"

#include "base/text.hpp"

namespace rocmtune {
namespace {

/// Largest CPU number that is believed. x86 kernels go up to 8192 (arch/x86/Kconfig, NR_CPUS).
constexpr std::uint64_t max_cpu = 65535;

}  // namespace

std::optional<std::vector<std::uint32_t>> parse_cpu_list(std::string_view text) {
    std::vector<std::uint32_t> cpus;
    if (trim(text).empty()) return cpus;
    for (auto const part : split(trim(text), ',')) {
        auto const dash = part.find('-');
        auto const first = to_unsigned(part.substr(0, dash), 10);
        auto const last = dash == part.npos ? first : to_unsigned(part.substr(dash + 1), 10);
        if (!first || !last || *last < *first || *last > max_cpu) return std::nullopt;
        if (!cpus.empty() && *first <= cpus.back()) return std::nullopt;
        for (auto cpu = *first; cpu <= *last; ++cpu)
            cpus.push_back(static_cast<std::uint32_t>(cpu));
    }
    return cpus;
}

}  // namespace rocmtune
