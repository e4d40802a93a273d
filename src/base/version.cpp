// SPDX-License-Identifier: MIT
#include "base/version.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view digits = "0123456789";

std::size_t count_digits(std::string_view text) {
    return std::min(text.find_first_not_of(digits), text.size());
}

/// "1:7.2-1" and "v7.2" begin where their version does.
std::string_view without_prefix(std::string_view text) {
    if (text.size() > 1 && (text.front() == 'v' || text.front() == 'V') &&
        count_digits(text.substr(1)) > 0) {
        return text.substr(1);
    }
    auto const epoch = count_digits(text);
    auto const has_epoch = epoch > 0 && epoch < text.size() && text[epoch] == ':';
    return has_epoch ? text.substr(epoch + 1) : text;
}

std::vector<std::uint64_t> numbers(std::string_view text, char separator, std::size_t most) {
    constexpr std::size_t most_digits = 18;
    std::vector<std::uint64_t> parts;
    while (parts.size() < most) {
        auto const end = count_digits(text);
        auto const number = end > most_digits ? std::nullopt : to_unsigned(text.substr(0, end));
        if (!number) break;
        parts.push_back(*number);
        text.remove_prefix(end);
        if (!text.starts_with(separator)) break;
        text.remove_prefix(1);
    }
    return parts;
}

}  // namespace

bool is_date_version(std::string_view text) {
    // The library release 2024-1 of some vendors has no month: two digits, and no third.
    auto const month = text.size() >= 7 ? text.substr(5, 2) : std::string_view{};
    return count_digits(text) == 4 && month.size() == 2 && text[4] == '-' &&
           (text.starts_with("19") || text.starts_with("20")) && count_digits(month) == 2 &&
           month >= "01" && month <= "12" && count_digits(text.substr(5)) == 2;
}

std::optional<std::vector<std::uint64_t>> version_parts(std::string_view text) {
    constexpr std::size_t most_parts = 64;
    auto parts = is_date_version(text) ? numbers(text, '-', 3)
                                       : numbers(without_prefix(text), '.', most_parts);
    if (parts.empty()) return std::nullopt;
    return parts;
}

std::optional<std::strong_ordering> compare_versions(std::string_view a, std::string_view b) {
    auto left = version_parts(a);
    auto right = version_parts(b);
    if (!left || !right || is_date_version(a) != is_date_version(b)) return std::nullopt;
    auto const longest = std::max(left->size(), right->size());
    left->resize(longest);
    right->resize(longest);
    return *left <=> *right;
}

bool is_before(std::string_view a, std::string_view b) {
    return compare_versions(a, b) == std::strong_ordering::less;
}

}  // namespace rocmtune
