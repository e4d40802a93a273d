// SPDX-License-Identifier: MIT
#include "base/statistics.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace rocmtune {
namespace {

TEST(Statistics, of_no_samples_everything_is_zero) {
    EXPECT_EQ(summarize({}).median, 0);
    EXPECT_EQ(summarize({}).p90, 0);
}

TEST(Statistics, one_sample_is_its_own_interval) {
    std::vector<double> const one{7};
    auto const summary = summarize(one);
    EXPECT_EQ(summary.median, 7);
    EXPECT_EQ(summary.low, 7);
    EXPECT_EQ(summary.high, 7);
    EXPECT_EQ(summary.p10, 7);
}

TEST(Statistics, quantiles_are_interpolated_between_neighbours) {
    std::vector<double> const samples{4, 1, 3, 2};
    EXPECT_DOUBLE_EQ(summarize(samples).median, 2.5);
    EXPECT_DOUBLE_EQ(summarize(samples).p10, 1.3);
    EXPECT_DOUBLE_EQ(summarize(samples).p90, 3.7);
}

TEST(Statistics, an_outlier_moves_neither_median_nor_interval_far) {
    std::vector<double> samples(40, 100);
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i] += static_cast<double>(i % 5);
    auto const before = summarize(samples);
    samples.back() = 1e9;
    auto const after = summarize(samples);
    EXPECT_NEAR(after.median, before.median, 1);
    EXPECT_LT(after.high, 110);
}

TEST(Statistics, the_interval_covers_the_true_median_about_19_times_in_20) {
    std::mt19937 random(3);
    std::normal_distribution<double> normal(50, 5);
    int covered = 0;
    constexpr int rounds = 200;
    for (int round = 0; round < rounds; ++round) {
        std::vector<double> samples(30);
        for (auto& sample : samples) sample = normal(random);
        auto const summary = summarize(samples);
        covered += summary.low <= 50 && 50 <= summary.high;
    }
    EXPECT_GE(covered, rounds * 88 / 100);
    EXPECT_LE(covered, rounds * 99 / 100);
}

TEST(Statistics, equal_samples_give_equal_summaries) {
    std::vector<double> const samples{5, 9, 1, 7, 3, 3, 8};
    EXPECT_EQ(summarize(samples).low, summarize(samples).low);
    EXPECT_LE(summarize(samples).low, summarize(samples).median);
    EXPECT_GE(summarize(samples).high, summarize(samples).median);
}

}  // namespace
}  // namespace rocmtune
