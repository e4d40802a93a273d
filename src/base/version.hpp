// SPDX-License-Identifier: MIT
// Versions compare by the value of their components: 10.0 is newer than 7.14. Dates that stand for
// a version ("2024-10") compare with dates only.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace rocmtune {

/// The numbers at the start of a version: 6, 4, 1 of "6.4.1-83", 2, 11, 0 of "2.11.0+rocm7.0". What
/// follows them says nothing here, so a pre-release counts as what it leads to: 0, 9, 2 of
/// "0.9.2rc2". A "v" and a package's epoch ("1:") before them are left out. Of a date: year, month
/// and day if it has one. Absent if the text does not begin with a number of at most 18 digits.
std::optional<std::vector<std::uint64_t>> version_parts(std::string_view text);

/// Whether the text begins with a year, a month and perhaps a day: "2024-10", "2024-10-31".
bool is_date_version(std::string_view text);

/// The order of two versions; components that one of them lacks are zero, so 6.2 equals 6.2.0 and a
/// month stands for its beginning. Absent if one of the texts is no version, or only one is a date.
std::optional<std::strong_ordering> compare_versions(std::string_view a, std::string_view b);

/// Whether both are versions, and the first is the earlier one.
bool is_before(std::string_view a, std::string_view b);

}  // namespace rocmtune
