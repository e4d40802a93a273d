// SPDX-License-Identifier: MIT
// Versions compare by the value of their components: 10.0 is newer than 7.14.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace rocmtune {

/// The numbers at the start of a version: 6, 4, 1 of "6.4.1-83", 2, 7, 0 of "2.7.0+gitf717b2a". A
/// pre-release counts as what it leads to: 0, 9, 2 of "0.9.2rc2". Absent if the text does not begin
/// with a number of at most 18 digits.
std::optional<std::vector<std::uint64_t>> version_parts(std::string_view text);

/// The order of two versions; components that one of them lacks are zero, so 6.2 equals 6.2.0.
/// Absent if one of the texts is no version.
std::optional<std::strong_ordering> compare_versions(std::string_view a, std::string_view b);

}  // namespace rocmtune
