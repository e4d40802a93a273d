// SPDX-License-Identifier: MIT
// What a progress line says of the time that is left.
#include <gtest/gtest.h>

#include "measure/benchmarks.hpp"

namespace rocmtune::test {
namespace {

TEST(TimeLeft, is_not_told_by_the_first_steps) {
    TimeLeft left(1);
    left.begin(0, 10, 0);
    EXPECT_EQ(left.text(), "");
    left.begin(2, 10, 2);
    EXPECT_EQ(left.text(), "");
}

TEST(TimeLeft, is_that_of_as_many_steps_as_there_are_still) {
    TimeLeft left(1);
    left.begin(0, 10, 0);
    left.begin(4, 10, 8);
    EXPECT_DOUBLE_EQ(left.seconds(), 12);
    EXPECT_EQ(left.text(), ", about 15 s left");
    left.begin(9, 10, 18);
    EXPECT_EQ(left.text(), ", about 5 s left");
}

TEST(TimeLeft, counts_parts_that_have_not_begun_as_those_that_have) {
    TimeLeft left(3);
    left.begin(0, 10, 0);
    left.begin(5, 10, 10);
    EXPECT_DOUBLE_EQ(left.seconds(), (5 + 20) * 2);
    left.begin(0, 30, 20);
    EXPECT_DOUBLE_EQ(left.seconds(), (30 + 20) * 2);
    left.begin(0, 2, 80);
    EXPECT_DOUBLE_EQ(left.seconds(), 2 * 2);
}

TEST(TimeLeft, is_told_in_minutes_where_it_is_long) {
    TimeLeft left(1);
    left.begin(0, 100, 0);
    left.begin(10, 100, 60);
    EXPECT_EQ(left.text(), ", about 9 min left");
}

}  // namespace
}  // namespace rocmtune::test
