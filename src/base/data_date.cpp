// SPDX-License-Identifier: MIT
#include "base/data_date.hpp"

#include <optional>
#include <utility>

#include "base/text.hpp"
#include "build_info.hpp"

namespace rocmtune {
namespace {

std::string& date_in_force() {
    static std::string date(built_in_data_date);
    return date;
}

/// Months since the year 0.
std::optional<std::uint64_t> months_of(std::string_view date) {
    constexpr std::size_t year_digits = 4, month_end = 7;
    auto const year = to_unsigned(date.substr(0, year_digits), 10);
    constexpr std::uint64_t first_year = 1990, last_year = 2200, months_a_year = 12;
    if (!year || *year < first_year || *year > last_year) return std::nullopt;
    if (date.size() == year_digits) return *year * months_a_year + months_a_year;
    if (date.size() < month_end || date[year_digits] != '-') return std::nullopt;
    auto const month = to_unsigned(date.substr(year_digits + 1, 2), 10);
    if (!month || *month < 1 || *month > months_a_year) return std::nullopt;
    return *year * months_a_year + *month;
}

}  // namespace

std::string_view data_date() {
    return date_in_force();
}

void set_data_date(std::string date) {
    date_in_force() = std::move(date);
}

bool is_old_text(std::string_view date) {
    constexpr std::uint64_t a_year = 12;
    auto const text = months_of(date), data = months_of(data_date());
    return text && data && *text + a_year < *data;
}

std::string_view old_text_note(std::string_view date) {
    return is_old_text(date) ? ", over a year before these data" : "";
}

}  // namespace rocmtune
