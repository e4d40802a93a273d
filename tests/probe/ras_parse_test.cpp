// SPDX-License-Identifier: MIT
#include "probe/parsers.hpp"

#include <gtest/gtest.h>

namespace rocmtune::test {
namespace {

TEST(RasParse, counters_are_read_by_name) {
    auto const block = parse_ras_counters("umc", "ue: 1\nce: 23\nde: 4\n");
    EXPECT_EQ(block.name, "umc");
    EXPECT_EQ(block.uncorrectable, 1U);
    EXPECT_EQ(block.correctable, 23U);
    EXPECT_EQ(block.deferred, 4U);
    EXPECT_FALSE(block.problem);
}

TEST(RasParse, blocks_other_than_memory_have_no_deferred_errors) {
    auto const block = parse_ras_counters("gfx", "ue: 0\nce: 0\n");
    EXPECT_EQ(block.uncorrectable, 0U);
    EXPECT_FALSE(block.deferred);
    EXPECT_FALSE(block.problem);
}

TEST(RasParse, text_without_numbers_is_the_problem) {
    auto const block = parse_ras_counters("gfx", "Query currently inaccessible\n");
    EXPECT_FALSE(block.uncorrectable);
    ASSERT_TRUE(block.problem);
    EXPECT_NE(block.problem->find("Query currently inaccessible"), std::string::npos);
    EXPECT_TRUE(parse_ras_counters("gfx", "").problem);
}

TEST(RasParse, a_counter_that_is_no_number_is_missing_with_a_reason) {
    for (auto const* value : {"-1", "x", "", "18446744073709551616", "1 2", "0x5"}) {
        auto const block = parse_ras_counters("umc", "ue: " + std::string(value) + "\nce: 3\n");
        EXPECT_FALSE(block.uncorrectable) << value;
        EXPECT_EQ(block.correctable, 3U);
        EXPECT_TRUE(block.problem) << value;
    }
}

TEST(RasParse, what_is_shown_of_odd_text_is_harmless) {
    auto const block = parse_ras_counters("umc", "ue: \x1b[2J\xff\n");
    ASSERT_TRUE(block.problem);
    EXPECT_EQ(block.problem->find('\x1b'), std::string::npos);
}

TEST(RasParse, bad_pages_are_counted_by_state) {
    auto const pages = parse_bad_pages(
        "0x00000001 : 0x00001000 : R\n0x00000002 : 0x00001000 : P\n\n"
        "0x00000003 : 0x00001000 : R\n0x00000004 : 0x00001000 : F\n");
    ASSERT_TRUE(pages);
    EXPECT_EQ(pages->retired, 2U);
    EXPECT_EQ(pages->pending, 1U);
    EXPECT_EQ(pages->unreservable, 1U);
    EXPECT_EQ(parse_bad_pages("")->retired, 0U);
    EXPECT_EQ(parse_bad_pages("\n")->retired, 0U);
}

TEST(RasParse, another_format_of_bad_pages_is_not_counted) {
    for (auto const* text :
         {"none\n", "0x1 : 0x2 : X\n", "0x1 : 0x2\n", "0x1 : 0x2 : R : R\n", "a : b : R\nrubbish"})
        EXPECT_FALSE(parse_bad_pages(text)) << text;
}

}  // namespace
}  // namespace rocmtune::test
