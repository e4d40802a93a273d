// SPDX-License-Identifier: MIT
#include "judge/verify/statistics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rocmtune::verify {
namespace {

using testing::DoubleNear;
using testing::Optional;
using Values = std::vector<double>;

TEST(SignedRank, p_values_are_those_of_counting_all_signs) {
    // Of 2^5 equally likely choices of signs one has all ranks above 0, two leave out the 1 at
    // most.
    EXPECT_DOUBLE_EQ(p_above(Values{1, 2, 3, 4, 5}, 0), 1.0 / 32);
    EXPECT_DOUBLE_EQ(p_above(Values{-1, 2, 3, 4, 5}, 0), 2.0 / 32);
    EXPECT_DOUBLE_EQ(p_above(Values{1, -2, 3, 4, 5}, 0), 3.0 / 32);
    EXPECT_DOUBLE_EQ(p_above(Values{1, 2, -3, 4, 5}, 0), 5.0 / 32);
    EXPECT_DOUBLE_EQ(p_below(Values{-1, -2, -3, -4, -5}, 0), 1.0 / 32);
    EXPECT_DOUBLE_EQ(p_of_none(Values{1, 2, 3, 4, 5}), 2.0 / 32);
}

TEST(SignedRank, p_values_count_from_the_bound) {
    EXPECT_DOUBLE_EQ(p_above(Values{11, 12, 13}, 10), 1.0 / 8);
    EXPECT_DOUBLE_EQ(p_above(Values{11, 12, 13}, 20), 1.0);
    EXPECT_DOUBLE_EQ(p_below(Values{11, 12, 13}, 20), 1.0 / 8);
}

TEST(SignedRank, of_no_differences_says_nothing) {
    EXPECT_EQ(p_above(Values{}, 0), 1);
    EXPECT_EQ(p_of_none(Values{}), 1);
    EXPECT_FALSE(shift_of(Values{}).low);
}

TEST(SignedRank, equal_differences_at_the_bound_prove_nothing) {
    Values const zeros(20, 0.0);
    EXPECT_EQ(p_above(zeros, 0), 1);
    EXPECT_EQ(p_below(zeros, 0), 1);
}

TEST(SignedRank, the_interval_is_that_of_the_tables) {
    // n = 8: the rank sum 3 has the tail 5/256 < 0.025, 4 has 7/256: the fourth of the sorted means
    // at each end (M. Hollander and D. A. Wolfe, "Nonparametric Statistical Methods", table A.4).
    auto const shift = shift_of(Values{1, 2, 3, 4, 5, 6, 7, 8});
    EXPECT_DOUBLE_EQ(shift.estimate, 4.5);
    EXPECT_THAT(shift.low, Optional(DoubleNear(2, 0.51)));
    EXPECT_DOUBLE_EQ(*shift.low + *shift.high, 9);
    // The means from below: 1, 1.5, 2, 2.
    EXPECT_DOUBLE_EQ(*shift.low, 2);
}

TEST(SignedRank, fewer_than_six_differences_have_no_interval) {
    EXPECT_FALSE(shift_of(Values{1, 2, 3, 4, 5}).low);
    EXPECT_TRUE(shift_of(Values{1, 2, 3, 4, 5, 6}).low);
}

TEST(SignedRank, the_interval_and_the_test_agree) {
    Values const d{0.3, -0.1, 0.4, 0.2, 0.6, 0.1, 0.5, -0.2, 0.35, 0.15};
    auto const shift = shift_of(d);
    EXPECT_LE(p_above(d, *shift.low - 1e-9), 0.025);
    EXPECT_GT(p_above(d, *shift.low + 1e-9), 0.025);
    EXPECT_LE(p_below(d, *shift.high + 1e-9), 0.025);
    EXPECT_GT(p_below(d, *shift.high - 1e-9), 0.025);
}

TEST(SignedRank, one_wild_difference_hardly_moves_it) {
    Values d(19, 0.0);
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = 0.01 * static_cast<double>(i % 5);
    auto const before = shift_of(d);
    d.push_back(1e9);
    auto const after = shift_of(d);
    EXPECT_NEAR(before.estimate, after.estimate, 0.01);
    EXPECT_LT(*after.high, 0.05);
}

TEST(SignedRank, takes_no_more_than_it_can_pair) {
    Values d(most_differences, 1.0);
    d.resize(3 * most_differences, -1.0);
    EXPECT_EQ(shift_of(d).estimate, 1);
}

}  // namespace
}  // namespace rocmtune::verify
