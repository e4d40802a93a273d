// SPDX-License-Identifier: MIT
#include "probe/parsers.hpp"

#include <gtest/gtest.h>

namespace rocmtune::test {
namespace {

using Levels = std::vector<double>;

TEST(ClockTable, the_star_marks_the_level_in_use) {
    auto const clock = parse_clock_table("sclk", "0: 500Mhz\n1: 2100Mhz *\n2: 2500Mhz\n");
    ASSERT_TRUE(clock);
    EXPECT_EQ(clock->name, "sclk");
    EXPECT_EQ(clock->levels_mhz, (Levels{500, 2100, 2500}));
    EXPECT_EQ(clock->current_mhz, 2100);
    EXPECT_FALSE(clock->deep_sleep_mhz);
}

TEST(ClockTable, a_deep_sleep_line_is_no_level) {
    auto const asleep = parse_clock_table("sclk", "S: 19Mhz *\n0: 800Mhz\n1: 2700Mhz");
    EXPECT_EQ(asleep->levels_mhz, (Levels{800, 2700}));
    EXPECT_EQ(asleep->deep_sleep_mhz, 19);
    EXPECT_EQ(asleep->current_mhz, 19);
    auto const awake = parse_clock_table("sclk", "S: 0Mhz\n0: 800Mhz *\n");
    EXPECT_EQ(awake->current_mhz, 800);
    EXPECT_EQ(awake->deep_sleep_mhz, 0);
}

TEST(ClockTable, of_several_starred_lines_the_last_counts) {
    EXPECT_EQ(parse_clock_table("mclk", "0: 96Mhz *\n1: 456Mhz *\n2: 96Mhz\n")->current_mhz, 456);
}

TEST(ClockTable, a_table_without_star_has_no_current_level) {
    auto const clock = parse_clock_table("sclk", "0: 500Mhz\n");
    EXPECT_EQ(clock->levels_mhz, Levels{500});
    EXPECT_FALSE(clock->current_mhz);
}

TEST(ClockTable, blanks_and_case_of_the_unit_do_not_matter) {
    EXPECT_EQ(parse_clock_table("x", " 0 :  500 MHz  * \r\n")->current_mhz, 500);
    EXPECT_EQ(parse_clock_table("x", "0: 500.5Mhz*\n")->current_mhz, 500.5);
}

TEST(ClockTable, text_without_a_clock_is_no_table) {
    for (auto const* text : {"", "\n", "0: 2.5GT/s, x16\n", "*", ":", "0: Mhz *", "0: -5Mhz *",
                             "0: infMhz", "0: nanMhz", "500Mhz", "0: 1e400Mhz", "not supported\n"})
        EXPECT_FALSE(parse_clock_table("x", text)) << text;
}

TEST(ClockTable, lines_without_a_clock_do_not_hide_the_others) {
    auto const clock = parse_clock_table("x", "OD_SCLK:\n0: 500Mhz\nrubbish\n1: ?\n2: 700Mhz *");
    EXPECT_EQ(clock->levels_mhz, (Levels{500, 700}));
}

TEST(ClockTable, of_overclocked_memory_is_what_is_set_not_what_could_be) {
    auto const set = parse_overdrive_memory_table(
        "OD_SCLK:\n0: 500Mhz\n1: 2735Mhz\nOD_MCLK:\n0: 97Mhz\n1: 1350MHz\n"
        "   OD_VDDGFX_OFFSET:\n0mV\nOD_RANGE:\nSCLK: 500Mhz 5000Mhz\nMCLK: 97Mhz 1500Mhz\n");
    ASSERT_TRUE(set);
    EXPECT_EQ(set->name, "od_mclk");
    EXPECT_EQ(set->levels_mhz, (Levels{97, 1350}));
    EXPECT_FALSE(set->current_mhz);
    // Vega puts voltages behind the clocks.
    EXPECT_EQ(parse_overdrive_memory_table("OD_MCLK:\n0:   167Mhz   800mV\n3:   920Mhz   950mV\n")
                  ->levels_mhz,
              (Levels{167, 920}));
    EXPECT_FALSE(parse_overdrive_memory_table("OD_SCLK:\n0: 600Mhz\n1: 2900Mhz\nOD_RANGE:\n"));
}

}  // namespace
}  // namespace rocmtune::test
