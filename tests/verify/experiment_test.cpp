// SPDX-License-Identifier: MIT
// The experiment over runs that are made up: each verdict, each way to fail.
#include "judge/verify/experiment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rocmtune::verify {
namespace {

using testing::HasSubstr;
using Changes = std::span<EnvironmentChange const>;

/// A machine whose runs take 0.1 s and print what a function says.
struct Machine {
    std::function<Run(Changes, std::size_t)> answer;
    std::size_t runs = 0;

    Runner runner() {
        return [this](Changes changes, bool watch) {
            auto run = answer(changes, runs++);
            run.seconds = 0.1;
            if (watch && run.ok) run.mapped = {"/lib/libreader.so.1"};
            return run;
        };
    }
};

Run prints(double value, std::string unit = "") {
    return {.ok = true, .value = value, .unit = std::move(unit)};
}

Run fails(std::string why) {
    return {.problem = std::move(why)};
}

Candidate setting(std::string name, std::string package = "libreader") {
    return {.name = name, .value = "1", .changes = {{name, "1"}}, .readers = {{"R", package}}};
}

bool sets(Changes changes, std::string_view name) {
    for (auto const& change : changes)
        if (change.name == name) return true;
    return false;
}

ExperimentPlan plan_of(double budget = 20) {
    return {.budget_seconds = budget, .seed = 1};
}

/// The result for a candidate X.
ExperimentResult result_of(std::function<Run(Changes, std::size_t)> answer,
                           ExperimentPlan const& plan = plan_of(),
                           std::vector<Candidate> const& candidates = {setting("X")}) {
    Machine machine{std::move(answer)};
    return run_experiment(candidates, machine.runner(), plan);
}

SettingVerdict verdict_of(ExperimentResult const& result) {
    return result.trials.front().judgement.verdict;
}

TEST(Experiment, finds_what_is_better_worse_or_the_same) {
    auto const with = [](double value) {
        return
            [value](Changes changes, std::size_t) { return prints(changes.empty() ? 100 : value); };
    };
    EXPECT_EQ(verdict_of(result_of(with(110))), SettingVerdict::confirmed);
    EXPECT_EQ(verdict_of(result_of(with(90))), SettingVerdict::harmful);
    EXPECT_EQ(verdict_of(result_of(with(100.5))), SettingVerdict::no_effect);
}

TEST(Experiment, turns_round_what_is_better_if_it_is_lower) {
    auto const slower = [](Changes changes, std::size_t) {
        return prints(changes.empty() ? 100 : 110, "ms");
    };
    auto plan = plan_of();
    EXPECT_EQ(verdict_of(result_of(slower, plan)), SettingVerdict::confirmed);
    plan.direction_by_unit = true;
    auto const result = result_of(slower, plan);
    EXPECT_TRUE(result.lower_is_better);
    EXPECT_EQ(verdict_of(result), SettingVerdict::harmful);
}

TEST(Experiment, is_not_deceived_by_drift) {
    auto const drifting = [](Changes, std::size_t i) {
        return prints(100.0 + static_cast<double>(i));
    };
    EXPECT_EQ(verdict_of(result_of(drifting)), SettingVerdict::no_effect);
}

TEST(Experiment, keeps_every_figure_and_the_orders) {
    auto const result =
        result_of([](Changes changes, std::size_t) { return prints(changes.empty() ? 100 : 110); });
    auto const& trial = result.trials.front();
    EXPECT_EQ(result.blocks, 10U);
    EXPECT_EQ(trial.baseline, std::vector<double>(20, 100));
    EXPECT_EQ(trial.with, std::vector<double>(20, 110));
    EXPECT_THAT(trial.orders, HasSubstr("ABBA"));
    EXPECT_THAT(trial.orders, HasSubstr("BAAB"));
    EXPECT_EQ(trial.seen_reader, "/lib/libreader.so.1");
}

TEST(Experiment, without_a_witness_measures_nothing) {
    Machine machine{[](Changes, std::size_t) { return prints(100); }};
    auto const result = run_experiment({setting("X", "libother")}, machine.runner(), plan_of());
    EXPECT_EQ(verdict_of(result), SettingVerdict::not_measurable);
    EXPECT_LT(machine.runs, 8U);
}

TEST(Experiment, takes_the_users_word_for_a_reader) {
    auto candidate = setting("X", "libother");
    candidate.assume_read = true;
    auto const result =
        result_of([](Changes, std::size_t) { return prints(100); }, plan_of(), {candidate});
    EXPECT_EQ(verdict_of(result), SettingVerdict::no_effect);
    EXPECT_EQ(result.trials.front().seen_reader, "asserted");
}

TEST(Experiment, a_setting_that_makes_the_program_fail_is_harmful) {
    auto const result = result_of([](Changes changes, std::size_t) {
        return changes.empty() ? prints(100) : fails("killed by SIGSEGV");
    });
    EXPECT_EQ(verdict_of(result), SettingVerdict::harmful);
    EXPECT_THAT(result.trials.front().judgement.reason, HasSubstr("killed by SIGSEGV"));
    EXPECT_EQ(result.candidates_failed, 3U);
    EXPECT_EQ(result.baseline_failed, 0U);
}

TEST(Experiment, a_setting_that_fails_later_is_harmful_too) {
    auto const result = result_of([](Changes changes, std::size_t i) {
        return changes.empty() || i < 10 ? prints(100) : fails("exit code 1");
    });
    EXPECT_EQ(verdict_of(result), SettingVerdict::harmful);
}

TEST(Experiment, a_single_failure_is_repeated) {
    auto const result = result_of([](Changes changes, std::size_t i) {
        if (i == 12 || i == 30) return fails("exit code 1");
        return prints(changes.empty() ? 100 : 110);
    });
    EXPECT_EQ(verdict_of(result), SettingVerdict::confirmed);
    EXPECT_EQ(result.baseline_failed + result.candidates_failed, 2U);
    EXPECT_EQ(result.trials.front().with.size(), 20U);
}

TEST(Experiment, runs_that_fail_either_way_decide_nothing) {
    auto const result = result_of([](Changes, std::size_t i) {
        return i > 6 && i % 3 == 0 ? fails("exit code 1") : prints(100);
    });
    EXPECT_EQ(verdict_of(result), SettingVerdict::inconclusive);
    EXPECT_THAT(result.trials.front().judgement.reason, HasSubstr("exit code 1"));
}

TEST(Experiment, a_baseline_that_fails_ends_it) {
    Machine machine{[](Changes, std::size_t) { return fails("exit code 3"); }};
    auto const result = run_experiment({setting("X")}, machine.runner(), plan_of());
    EXPECT_EQ(result.failure, "exit code 3");
    EXPECT_EQ(machine.runs, 1U);
    EXPECT_EQ(verdict_of(result), SettingVerdict::inconclusive);
}

TEST(Experiment, another_unit_is_a_failure) {
    auto const result = result_of([](Changes changes, std::size_t) {
        return prints(100, changes.empty() ? "GB/s" : "MB/s");
    });
    EXPECT_EQ(verdict_of(result), SettingVerdict::harmful);
    EXPECT_THAT(result.trials.front().judgement.reason, HasSubstr("another unit: 'MB/s'"));
}

TEST(Experiment, a_budget_that_is_too_small_says_which_would_do) {
    Machine machine{[](Changes, std::size_t) { return prints(100); }};
    auto const result = run_experiment({setting("X")}, machine.runner(), plan_of(2));
    EXPECT_EQ(verdict_of(result), SettingVerdict::inconclusive);
    EXPECT_THAT(result.trials.front().judgement.reason,
                HasSubstr("the budget of 2 s holds 3 blocks"));
    EXPECT_EQ(machine.runs, 5U);
}

TEST(Experiment, several_settings_are_measured_singly_and_together) {
    auto together = setting("together");
    together.together = true;
    together.changes = {{"X", "1"}, {"Y", "1"}};
    auto const result = result_of(
        [](Changes changes, std::size_t) {
            return prints(100 * (sets(changes, "X") ? 1.1 : 1) * (sets(changes, "Y") ? 0.8 : 1));
        },
        plan_of(60), {setting("X"), setting("Y"), together});
    ASSERT_EQ(result.trials.size(), 3U);
    EXPECT_EQ(result.trials[0].judgement.verdict, SettingVerdict::confirmed);
    EXPECT_EQ(result.trials[1].judgement.verdict, SettingVerdict::harmful);
    EXPECT_EQ(result.trials[2].judgement.verdict, SettingVerdict::harmful);
    EXPECT_NEAR(std::expm1(result.trials[2].judgement.shift.estimate), -0.12, 1e-9);
}

TEST(Experiment, nothing_is_measured_together_if_one_cannot_be_seen) {
    auto together = setting("together");
    together.together = true;
    auto const result = result_of([](Changes, std::size_t) { return prints(100); }, plan_of(60),
                                  {setting("X"), setting("Y", "libother"), together});
    ASSERT_EQ(result.trials.size(), 2U);
    EXPECT_EQ(result.trials[1].judgement.verdict, SettingVerdict::not_measurable);
}

TEST(Experiment, an_interruption_leaves_what_is_known) {
    auto const result = result_of([](Changes changes, std::size_t i) {
        auto run = prints(changes.empty() ? 100 : 110);
        if (i >= 21) run = {.interrupted = true};
        return run;
    });
    EXPECT_TRUE(result.interrupted);
    EXPECT_EQ(result.trials.front().with.size(), 8U);
    EXPECT_THAT(result.trials.front().judgement.reason, HasSubstr("interrupted"));
    EXPECT_EQ(result.baseline_failed, 0U);
}

TEST(Experiment, blocks_under_uneven_conditions_are_repeated_and_not_for_ever) {
    std::size_t uneven = 0;
    auto const answer = [&](std::size_t most) {
        return [&uneven, most](Changes changes, std::size_t) {
            auto run = prints(changes.empty() ? 100 : 110);
            bool const busy = !changes.empty() && uneven < most;
            uneven += busy ? 1 : 0;
            run.conditions.others_load = busy ? 0.9 : 0.0;
            return run;
        };
    };
    auto const once = result_of(answer(3));  // the first is seen before the blocks
    EXPECT_EQ(once.trials.front().repeated, 1U);
    EXPECT_EQ(once.trials.front().uneven, 0U);
    EXPECT_EQ(once.trials.front().with.size(), 20U);
    uneven = 0;
    auto const always = result_of(answer(1000000));
    EXPECT_EQ(always.trials.front().repeated, 2U);
    EXPECT_EQ(always.trials.front().uneven, 10U);
}

TEST(Experiment, equal_seeds_give_equal_orders) {
    auto const orders = [](std::uint64_t seed) {
        auto plan = plan_of();
        plan.seed = seed;
        return result_of([](Changes, std::size_t) { return prints(100); }, plan)
            .trials.front()
            .orders;
    };
    EXPECT_EQ(orders(1), orders(1));
    EXPECT_NE(orders(1), orders(2));
}

TEST(Experiment, a_first_run_that_fails_by_chance_does_not_hide_what_reads_the_setting) {
    // Runs: one that warms up, three pilots, and then the first with the setting.
    auto const result = result_of([](Changes changes, std::size_t run) {
        return sets(changes, "X") && run == 4 ? fails("by chance") : prints(100);
    });
    EXPECT_EQ(result.trials.front().seen_reader, "/lib/libreader.so.1");
    EXPECT_EQ(verdict_of(result), SettingVerdict::no_effect);
}

TEST(Experiment, runs_that_all_fail_before_a_reader_is_seen_prove_nothing) {
    bool baseline_fails = false;
    auto const result = result_of(
        [&](Changes changes, std::size_t run) {
            baseline_fails = run >= 4 && !sets(changes, "X");
            return sets(changes, "X") || baseline_fails ? fails("no device") : prints(100);
        },
        plan_of(), {setting("X", "libother")});
    EXPECT_EQ(verdict_of(result), SettingVerdict::inconclusive);
    EXPECT_THAT(result.trials.front().judgement.reason, HasSubstr("no device"));
}

}  // namespace
}  // namespace rocmtune::verify
