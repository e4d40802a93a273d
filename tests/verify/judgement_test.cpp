// SPDX-License-Identifier: MIT
#include "judge/verify/statistics.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rocmtune::verify {
namespace {

using testing::HasSubstr;
using Values = std::vector<double>;

/// `blocks` differences about an effect, each a little off.
Values about(double effect, std::size_t blocks, double step = 1e-4) {
    Values d;
    for (std::size_t i = 0; i < blocks; ++i)
        d.push_back(effect + step * (static_cast<double>(i % 7) - 3));
    return d;
}

Judgement judged(Values d, double margin = 0.02) {
    std::vector<Values> const one{std::move(d)};
    return judge(one, margin).front();
}

TEST(Judgement, a_block_is_free_of_even_drift) {
    // Each run is twice as fast as the one before; the candidate does nothing.
    EXPECT_NEAR(difference_of({false, {1, 2, 4, 8}}), 0, 1e-12);
    EXPECT_NEAR(difference_of({true, {1, 2, 4, 8}}), 0, 1e-12);
}

TEST(Judgement, a_block_is_the_log_of_candidate_over_baseline) {
    EXPECT_NEAR(difference_of({false, {10, 11, 11, 10}}), std::log(1.1), 1e-12);
    EXPECT_NEAR(difference_of({true, {11, 10, 10, 11}}), std::log(1.1), 1e-12);
}

TEST(Judgement, is_confirmed_when_the_whole_interval_is_better_than_the_margin) {
    EXPECT_EQ(judged(about(0.05, 20)).verdict, SettingVerdict::confirmed);
    EXPECT_EQ(judged(about(0.05, 20), 0.1).verdict, SettingVerdict::no_effect);
}

TEST(Judgement, is_harmful_when_the_whole_interval_is_worse) {
    EXPECT_EQ(judged(about(-0.05, 20)).verdict, SettingVerdict::harmful);
}

TEST(Judgement, is_no_effect_when_the_interval_is_inside) {
    EXPECT_EQ(judged(about(0.001, 20)).verdict, SettingVerdict::no_effect);
    EXPECT_EQ(judged(Values(20, 0.0)).verdict, SettingVerdict::no_effect);
}

TEST(Judgement, is_open_when_the_interval_holds_an_end_of_the_margin) {
    auto const it = judged(about(std::log1p(0.02), 20, 0.01));
    EXPECT_EQ(it.verdict, SettingVerdict::inconclusive);
    EXPECT_EQ(it.reason, "the interval holds an end of the margin");
}

TEST(Judgement, is_open_when_the_noise_is_larger_than_the_margin) {
    auto const it = judged(about(0.0, 20, 0.1));
    EXPECT_EQ(it.verdict, SettingVerdict::inconclusive);
    EXPECT_EQ(it.reason, "the noise hides effects of the size of the margin");
    ASSERT_TRUE(it.blocks_needed);
    // The interval is ten times too wide, so it takes about a hundred times as many.
    EXPECT_GT(*it.blocks_needed, 400U);
    EXPECT_LT(*it.blocks_needed, 20000U);
}

TEST(Judgement, of_too_few_blocks_says_how_many_it_takes) {
    auto const it = judged(about(0.5, 7));
    EXPECT_EQ(it.verdict, SettingVerdict::inconclusive);
    EXPECT_EQ(it.reason, "7 of at least 8 blocks were measured");
    EXPECT_EQ(it.blocks_needed, 10U);
    EXPECT_EQ(judged(about(0.5, 8)).verdict, SettingVerdict::confirmed);
}

TEST(Judgement, of_several_settings_asks_more_of_each) {
    // Nine blocks on one side: p is 2 / 512, enough alone and not one of three.
    EXPECT_EQ(judged(about(0.05, 9)).verdict, SettingVerdict::confirmed);
    std::vector<Values> const three(3, about(0.05, 9));
    for (auto const& it : judge(three, 0.02)) {
        EXPECT_EQ(it.verdict, SettingVerdict::inconclusive);
        EXPECT_THAT(it.reason, HasSubstr("9 of at least 10 blocks"));
    }
    EXPECT_EQ(judge(std::vector<Values>(3, about(0.05, 10)), 0.02).front().verdict,
              SettingVerdict::confirmed);
}

TEST(Judgement, holm_leaves_the_clear_ones_standing) {
    std::vector<Values> const two{about(0.05, 20), about(std::log1p(0.02), 20, 0.01)};
    auto const all = judge(two, 0.02);
    EXPECT_EQ(all[0].verdict, SettingVerdict::confirmed);
    EXPECT_EQ(all[1].verdict, SettingVerdict::inconclusive);
}

TEST(Judgement, the_fewest_blocks_grow_with_the_number_of_settings) {
    EXPECT_EQ(least_blocks(1), 8U);
    EXPECT_EQ(least_blocks(2), 9U);
    EXPECT_EQ(least_blocks(8), 11U);
}

TEST(Judgement, plans_more_blocks_for_more_noise) {
    EXPECT_EQ(blocks_for(0, 0.02, 1), 10U);
    EXPECT_LT(blocks_for(0.02, 0.02, 1), blocks_for(0.03, 0.02, 1));
    EXPECT_EQ(blocks_for(10, 0.02, 1), 200U);
}

TEST(Judgement, the_smallest_effect_grows_with_the_interval) {
    EXPECT_FALSE(smallest_effect({.estimate = 0}, 0.02));
    EXPECT_NEAR(*smallest_effect({0, 0.0, 0.0}, 0.02), 0.02, 1e-12);
    EXPECT_NEAR(*smallest_effect({0, -0.0196, 0.0196}, 0.02), 0.0574, 0.001);
}

TEST(Judgement, scatter_is_no_drift) {
    EXPECT_EQ(scatter_of(Values{1}), 0);
    Values rising;
    for (int i = 0; i < 50; ++i) rising.push_back(0.001 * i);
    EXPECT_LT(scatter_of(rising), 0.002);
    EXPECT_GT(scatter_of(Values{0, 1, 0, 1, 0, 1}), 0.5);
}

}  // namespace
}  // namespace rocmtune::verify
