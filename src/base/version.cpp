// SPDX-License-Identifier: MIT
#include "base/version.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace rocmtune {

std::optional<std::vector<std::uint64_t>> version_parts(std::string_view text) {
    constexpr std::size_t most_digits = 18;
    std::vector<std::uint64_t> parts;
    while (true) {
        auto const end = std::min(text.find_first_not_of("0123456789"), text.size());
        auto const number = end > most_digits ? std::nullopt : to_unsigned(text.substr(0, end));
        if (!number) break;
        parts.push_back(*number);
        text.remove_prefix(end);
        if (!text.starts_with('.')) break;
        text.remove_prefix(1);
    }
    if (parts.empty()) return std::nullopt;
    return parts;
}

std::optional<std::strong_ordering> compare_versions(std::string_view a, std::string_view b) {
    auto left = version_parts(a);
    auto right = version_parts(b);
    if (!left || !right) return std::nullopt;
    auto const longest = std::max(left->size(), right->size());
    left->resize(longest);
    right->resize(longest);
    return *left <=> *right;
}

}  // namespace rocmtune
