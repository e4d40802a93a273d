// SPDX-License-Identifier: MIT
// A short form of bench/self/verify_simulation.cpp, over every kind of noise.
#include <gtest/gtest.h>

#include "bench/self/noise.hpp"

namespace rocmtune::verify::simulation {
namespace {

constexpr std::size_t blocks = 20;
constexpr std::size_t runs = 400;

class Simulation : public testing::TestWithParam<NamedNoise> {
  protected:
    Random random{20260901};
};

TEST_P(Simulation, without_effect_seldom_gives_one) {
    // However noisy the host is. Of 400 the method gives three at most; ten would be chance once in
    // a thousand.
    for (double const scale : {0.01, 0.03, 0.2})
        EXPECT_LE(tally(GetParam().noise, scale, 0, blocks, runs, random).false_verdicts(),
                  10.0 / runs)
            << scale;
}

TEST_P(Simulation, finds_what_it_promises_to_find) {
    if (!GetParam().realistic) GTEST_SKIP() << "no power is promised of it";
    EXPECT_GE(
        tally(GetParam().noise, 0.01, 0.04, blocks, runs, random).share(SettingVerdict::confirmed),
        0.95);
    EXPECT_GE(
        tally(GetParam().noise, 0.03, 0.08, blocks, runs, random).share(SettingVerdict::confirmed),
        0.95);
    EXPECT_GE(
        tally(GetParam().noise, 0.01, -0.04, blocks, runs, random).share(SettingVerdict::harmful),
        0.95);
}

TEST_P(Simulation, intervals_hold_the_truth_as_often_as_they_say) {
    auto const it = tally(GetParam().noise, 0.03, 0.05, blocks, 2 * runs, random);
    // 95.2 % by construction; the standard deviation of 800 is 0.8 %.
    EXPECT_GE(it.coverage(), 0.925);
    EXPECT_LE(it.coverage(), 0.975);
}

std::string name_of(testing::TestParamInfo<NamedNoise> const& info) {
    std::string name(info.param.name);
    for (auto& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(Noises, Simulation, testing::ValuesIn(noises), name_of);

/// The blocks are what makes it so: without the coin, an even drift would be an effect.
TEST(SimulationItself, notices_a_design_without_the_coin) {
    Random random(20260901);
    std::size_t wrong = 0;
    for (int i = 0; i < 200; ++i) {
        auto const logs = throttling(4 * blocks, random);
        std::vector<double> differences;
        for (std::size_t b = 0; b < blocks; ++b) {
            // First all of A, then all of B, as guides tell to measure.
            auto const a = logs[2 * b] + logs[2 * b + 1];
            auto const z = logs[2 * blocks + 2 * b] + logs[2 * blocks + 2 * b + 1];
            differences.push_back(0.02 * (z - a) / 2);
        }
        std::vector<std::vector<double>> const one{differences};
        wrong += judge(one, 0.02).front().verdict != SettingVerdict::no_effect;
    }
    EXPECT_GT(wrong, 100U);
}

}  // namespace
}  // namespace rocmtune::verify::simulation
