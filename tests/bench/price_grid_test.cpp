// SPDX-License-Identifier: MIT
// The contract of vpoc: rows, exact volumes, point of control, value area.
#include "bench/ticks.hpp"

#include <gtest/gtest.h>

#include "rocmtune/error.hpp"

namespace rocmtune::bench {
namespace {

using Sums = std::vector<std::uint64_t>;

TEST(PriceGrid, over_a_range_the_last_row_is_closed) {
    auto const grid = PriceGrid::over_range(10, 20, 5);
    EXPECT_EQ(grid.row_of(0), 0U);
    EXPECT_EQ(grid.row_of(1.99F), 0U);
    EXPECT_EQ(grid.row_of(2), 1U);
    EXPECT_EQ(grid.row_of(9.99F), 4U);
    EXPECT_EQ(grid.row_of(10), 4U) << "the highest price belongs to the last row";
}

TEST(PriceGrid, of_ticks_has_a_row_for_both_ends) {
    auto const grid = PriceGrid::of_ticks(100, 101, 0.25);
    EXPECT_EQ(grid.bins, 5U);
    EXPECT_EQ(grid.row_of(0), 0U);
    EXPECT_EQ(grid.row_of(0.25F), 1U);
    EXPECT_EQ(grid.row_of(1), 4U);
}

TEST(PriceGrid, of_ticks_takes_the_nearest_row_and_the_even_one_in_between) {
    auto const grid = PriceGrid::of_ticks(0, 10, 1);
    EXPECT_EQ(grid.row_of(2.4F), 2U);
    EXPECT_EQ(grid.row_of(2.6F), 3U);
    EXPECT_EQ(grid.row_of(2.5F), 2U);
    EXPECT_EQ(grid.row_of(3.5F), 4U);
}

TEST(PriceGrid, equal_prices_are_one_row_of_any_height) {
    auto const grid = PriceGrid::over_range(5, 5, 10);
    EXPECT_EQ(grid.row_of(0), 0U);
}

TEST(PriceGrid, refuses_counts_that_fp32_cannot_tell_apart) {
    EXPECT_THROW(PriceGrid::over_range(0, 1, 0), Error);
    EXPECT_THROW(PriceGrid::over_range(0, 1, most_bins + 1), Error);
    EXPECT_NO_THROW(PriceGrid::over_range(0, 1, most_bins));
    EXPECT_THROW(PriceGrid::of_ticks(0, 1e9, 1), Error);
    EXPECT_THROW(PriceGrid::of_ticks(0, 1, 1e-12), Error);
}

TEST(VolumeScale, is_the_finest_that_holds_the_largest_volume_in_28_bits) {
    auto const scale = VolumeScale::for_volumes(1000, 1e6);
    EXPECT_LE(1000 * static_cast<double>(scale.factor()), 0x1p28);
    EXPECT_GT(2000 * static_cast<double>(scale.factor()), 0x1p28);
    EXPECT_EQ(scale.fixed(1000), 1000U << scale.shift);
}

TEST(VolumeScale, keeps_the_sum_below_62_bits) {
    auto const scale = VolumeScale::for_volumes(1, 1e18);
    EXPECT_LE(1e18 / scale.resolution(), 0x1p62);
}

TEST(VolumeScale, of_volumes_beyond_28_bits_is_coarser_than_one) {
    auto const scale = VolumeScale::for_volumes(1e12, 1e13);
    EXPECT_LT(scale.shift, 0);
    EXPECT_LE(scale.fixed(1e12F), 1U << 28);
}

TEST(VolumeScale, of_no_volume_at_all_is_one) {
    EXPECT_EQ(VolumeScale::for_volumes(0, 0).shift, 0);
}

TEST(Landmarks, the_lowest_of_equals_is_the_point_of_control) {
    EXPECT_EQ(value_area_of(Sums{1, 9, 2, 9, 1}).point_of_control, 1U);
}

TEST(Landmarks, the_value_area_grows_to_the_larger_neighbour_until_70_percent) {
    auto const area = value_area_of(Sums{5, 10, 50, 20, 15});  // 50, + 20 = 70 of 100
    EXPECT_EQ(area.point_of_control, 2U);
    EXPECT_EQ(area.low, 2U);
    EXPECT_EQ(area.high, 3U);
}

TEST(Landmarks, the_value_area_grows_upwards_if_neighbours_are_equal) {
    auto const area = value_area_of(Sums{20, 50, 20, 10});
    EXPECT_EQ(area.low, 1U);
    EXPECT_EQ(area.high, 2U);
}

TEST(Landmarks, the_value_area_stops_at_the_ends) {
    auto const area = value_area_of(Sums{40, 30, 30});
    EXPECT_EQ(area.low, 0U);
    EXPECT_EQ(area.high, 1U);
    auto const all = value_area_of(Sums{1, 1, 1});
    EXPECT_EQ(all.high, 2U);
}

TEST(Landmarks, sums_near_the_limit_do_not_overflow) {
    auto const big = std::uint64_t{1} << 61;
    auto const area = value_area_of(Sums{big, big + 1, big});
    EXPECT_EQ(area.point_of_control, 1U);
    EXPECT_EQ(area.high - area.low, 2U);
}

TEST(Landmarks, of_no_volume_are_the_lowest_row) {
    auto const none = value_area_of(Sums{0, 0, 0});
    EXPECT_EQ(none.point_of_control, 0U);
    EXPECT_EQ(none.high, 0U);
}

TEST(Profile, is_in_prices_and_volumes) {
    PriceGrid const grid = PriceGrid::of_ticks(100, 100.5, 0.25);
    VolumeScale const scale{2};
    auto const profile = profile_of(grid, scale, Sums{4, 40, 8});
    EXPECT_EQ(profile.point_of_control, 100.25);
    EXPECT_EQ(profile.total_volume, 13);
    EXPECT_EQ(profile.volumes, (std::vector<double>{1, 10, 2}));
    EXPECT_EQ(profile.value_area_low, 100.25);
}

}  // namespace
}  // namespace rocmtune::bench
