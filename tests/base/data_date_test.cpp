// SPDX-License-Identifier: MIT
#include "base/data_date.hpp"

#include <gtest/gtest.h>

#include <string>

namespace rocmtune {
namespace {

/// Other data in force for one test.
class DataOf {
  public:
    explicit DataOf(std::string date) { set_data_date(std::move(date)); }
    DataOf(DataOf const&) = delete;
    DataOf& operator=(DataOf const&) = delete;
    ~DataOf() { set_data_date(before_); }

  private:
    std::string before_{data_date()};
};

TEST(DataDate, a_text_is_old_over_a_year_before_it) {
    DataOf const data("2026-09-11");
    for (auto const* date : {"2025-08", "2025-08-31", "2024", "1999-12"})
        EXPECT_TRUE(is_old_text(date)) << date;
    // Of a year alone the last month counts.
    for (auto const* date : {"2025-09", "2025-09-01", "2025", "2026-09-11", "2027"})
        EXPECT_FALSE(is_old_text(date)) << date;
    EXPECT_EQ(old_text_note("2024-10"), ", over a year before these data");
    EXPECT_EQ(old_text_note("2026-01"), "");
}

TEST(DataDate, versions_and_nothing_have_no_age) {
    DataOf const data("2026-09-11");
    for (auto const* text : {"", "6.2", "2.11.0", "10.2", "2024.1", "2024-13", "v2024", "20240101"})
        EXPECT_FALSE(is_old_text(text)) << text;
}

}  // namespace
}  // namespace rocmtune
