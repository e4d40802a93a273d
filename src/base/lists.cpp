// SPDX-License-Identifier: MIT
#include "base/lists.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

/// Largest CPU number that is believed. x86 kernels go up to 8192 (arch/x86/Kconfig, NR_CPUS).
constexpr std::uint64_t max_cpu = 65535;

/// Digits beyond these do not fit a number, and no site counts so far.
constexpr std::size_t most_digits = 15;

/// The number at the end of a name, with its width: node007 is node, 7, 3.
struct Numbered {
    std::string front;
    std::uint64_t number = 0;
    std::size_t width = 0;  ///< 0: there is no number
};

Numbered numbered(std::string const& name) {
    auto start = name.size();
    while (start > 0 && is_digit(name[start - 1])) --start;
    auto const digits = std::string_view(name).substr(start);
    if (start == 0 || digits.empty() || digits.size() > most_digits) return {name};
    return {name.substr(0, start), *to_unsigned(digits, 10), digits.size()};
}

std::string ranges_of(std::vector<std::uint64_t> const& numbers, std::size_t width) {
    std::string text;
    for (std::size_t i = 0; i < numbers.size();) {
        auto last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
        text += fmt::format("{}{:0{}}", text.empty() ? "" : ",", numbers[i], width);
        if (last > i) text += fmt::format("-{:0{}}", numbers[last], width);
        i = last + 1;
    }
    return text;
}

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

bool is_node_name(std::string_view name) {
    if (name.empty() || !(is_letter(name[0]) || is_digit(name[0]))) return false;
    return std::ranges::all_of(name, [](char c) {
        return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == '.';
    });
}

std::string hostlist(std::vector<std::string> names) {
    std::ranges::sort(names);
    names.erase(std::ranges::unique(names).begin(), names.end());
    std::map<std::pair<std::string, std::size_t>, std::vector<std::uint64_t>> groups;
    for (auto const& name : names) {
        auto const it = numbered(name);
        groups[{it.front, it.width}].push_back(it.number);
    }
    std::string text;
    for (auto& [key, numbers] : groups) {
        auto const& [front, width] = key;
        std::ranges::sort(numbers);
        text += (text.empty() ? "" : ",") + front;
        if (width == 0) continue;
        auto const ranges = ranges_of(numbers, width);
        text += numbers.size() == 1 ? ranges : '[' + ranges + ']';
    }
    return text;
}

}  // namespace rocmtune
