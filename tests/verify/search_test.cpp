// SPDX-License-Identifier: MIT
// The search of tune over programs in virtual time: what it finds, what it never believes, and how
// it ends where programs fail.
#include "judge/verify/search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/self/tuned_programs.hpp"

namespace rocmtune::verify {
namespace {

using simulation::On;
using testing::HasSubstr;

On names_of(std::span<EnvironmentChange const> changes) {
    On on;
    for (auto const& change : changes) on.insert(change.name + '=' + change.value.value_or(""));
    return on;
}

/// A steady program (0.4 % of even scatter) whose figure is 100 times what a function says; below 0
/// it fails. A run takes a second.
struct Steady {
    std::function<double(On const&)> factor;
    std::size_t runs = 0;

    Runner runner() {
        return [this](std::span<EnvironmentChange const> changes, bool watch) {
            auto const it = factor(names_of(changes));
            auto const scatter = 0.002 * static_cast<double>(++runs * 7 % 5) - 0.004;
            verify::Run run{.ok = it > 0, .value = 100 * it * (1 + scatter), .seconds = 1};
            if (!run.ok) run.problem = "exit code 1";
            if (watch) run.mapped = {"/lib/libreader.so.1"};
            return run;
        };
    }
};

Candidate candidate(std::string name, std::string value = "1", std::string reader = "libreader") {
    return {.name = name, .value = value, .changes = {{name, value}}, .readers = {{"R", reader}}};
}

SearchResult result_of(std::function<double(On const&)> factor,
                       std::vector<Candidate> const& candidates, double budget = 300) {
    Steady program{std::move(factor)};
    return search(candidates, program.runner(), {.budget_seconds = budget, .seed = 3});
}

On winners_of(SearchResult const& result) {
    On on;
    for (auto const& tried : result.tried)
        if (tried.verdict == CandidateVerdict::winner)
            on.insert(tried.candidate.name + '=' + tried.candidate.value.value_or(""));
    return on;
}

TEST(Search, names_the_value_that_helps_and_how_much) {
    auto const result = result_of(
        [](On const& on) { return on.contains("A=4")   ? 1.10
                                  : on.contains("A=8") ? 1.03
                                                       : 1.0; },
        {candidate("A", "2"), candidate("A", "4"), candidate("A", "8"), candidate("B")});
    EXPECT_EQ(result.answer, TuningAnswer::winner);
    EXPECT_EQ(winners_of(result), (On{"A=4"}));
    ASSERT_TRUE(result.confirmation);
    EXPECT_NEAR(std::expm1(result.confirmation->judgement.shift.estimate), 0.10, 0.01);
    EXPECT_LT(result.spent_seconds, 300);
}

TEST(Search, of_lower_figures_the_lower_one_wins) {
    Steady program{[](On const& on) { return on.contains("A=1") ? 0.9 : 1.0; }};
    auto const result = search({candidate("A")}, program.runner(),
                               {.budget_seconds = 200, .lower_is_better = true, .seed = 1});
    EXPECT_EQ(winners_of(result), (On{"A=1"}));
}

TEST(Search, says_that_nothing_is_to_be_won) {
    auto const result = result_of([](On const& on) { return on.contains("A=1") ? 0.97 : 1.0; },
                                  {candidate("A"), candidate("B")});
    EXPECT_EQ(result.answer, TuningAnswer::nothing) << result.reason;
    EXPECT_LE(result.smallest_effect.value_or(1), 0.03);
}

TEST(Search, leaves_out_what_nothing_reads) {
    auto const result =
        result_of([](On const&) { return 1.0; }, {candidate("A", "1", "libother"), candidate("B")});
    EXPECT_EQ(result.tried[0].verdict, CandidateVerdict::left_out);
    EXPECT_THAT(result.tried[0].reason,
                HasSubstr("nothing that is known to read it is in this program"));
    EXPECT_EQ(result.tried[1].seen_reader, "/lib/libreader.so.1");
}

TEST(Search, tries_what_fails_or_is_much_slower_no_further) {
    auto const result = result_of(
        [](On const& on) {
            if (on.contains("A=1")) return -1.0;
            if (on.contains("D=1")) return 0.1;
            return on.contains("B=1") ? 0.5 : on.contains("C=1") ? 1.08 : 1.0;
        },
        {candidate("A"), candidate("B"), candidate("C"), candidate("D"), candidate("E")});
    EXPECT_EQ(result.tried[0].verdict, CandidateVerdict::failed);
    EXPECT_EQ(result.tried[0].reason, "exit code 1");
    EXPECT_EQ(result.tried[0].runs, 3);
    EXPECT_EQ(result.tried[1].verdict, CandidateVerdict::slower);
    EXPECT_EQ(result.tried[1].runs, 2);
    EXPECT_EQ(result.tried[3].runs, 1);
    EXPECT_EQ(result.tried[3].reason, "by a factor of 10");
    EXPECT_EQ(winners_of(result), (On{"C=1"}));
}

TEST(Search, is_not_misled_by_one_disturbed_run_of_the_baseline) {
    std::size_t run = 0;
    auto const result = result_of(
        [&](On const& on) {
            ++run;
            return on.contains("SLOW=1") ? 0.02 : run == 3 ? 0.1 : 1.0;
        },
        {candidate("SLOW")});
    EXPECT_EQ(result.answer, TuningAnswer::nothing) << result.reason;
    EXPECT_EQ(result.tried.front().verdict, CandidateVerdict::slower);
    EXPECT_LT(result.runs, 10U);
}

TEST(Search, finds_the_rest_though_two_fail_together) {
    auto const result = result_of(
        [](On const& on) {
            if (on.contains("A=1") && on.contains("B=1")) return -1.0;
            return on.contains("C=1") ? 1.08 : 1.0;
        },
        {candidate("A"), candidate("B"), candidate("C"), candidate("D"), candidate("E")});
    EXPECT_EQ(winners_of(result), (On{"C=1"}));
}

TEST(Search, ends_where_the_program_fails_by_itself) {
    auto const result = result_of([](On const&) { return -1.0; }, {candidate("A")});
    EXPECT_EQ(result.answer, TuningAnswer::failed);
    EXPECT_THAT(result.reason, HasSubstr("exit code 1"));
    EXPECT_EQ(result.runs, 1);
    EXPECT_EQ(result.tried[0].verdict, CandidateVerdict::left_out);
}

TEST(Search, decides_nothing_in_no_time) {
    auto const result = result_of([](On const& on) { return on.contains("A=1") ? 1.1 : 1.0; },
                                  {candidate("A"), candidate("B")}, 3);
    EXPECT_EQ(result.answer, TuningAnswer::not_decided);
    EXPECT_THAT(result.reason, HasSubstr("holds 3 runs of 1 s, too few to confirm anything"));
    EXPECT_EQ(result.tried[0].verdict, CandidateVerdict::left_out);
    EXPECT_LE(result.spent_seconds, 6);
}

TEST(Search, keeps_of_a_short_budget_what_the_confirmation_needs) {
    auto const result = result_of([](On const& on) { return on.contains("A=1") ? 1.1 : 1.0; },
                                  {candidate("A"), candidate("B")}, 75);
    EXPECT_EQ(winners_of(result), (On{"A=1"})) << result.reason;
    EXPECT_LE(result.spent_seconds, 77);
}

TEST(Search, names_what_it_could_not_try) {
    std::vector<Candidate> many;
    for (std::size_t i = 0; i < 200; ++i) many.push_back(candidate("A" + std::to_string(i)));
    auto const result = result_of([](On const&) { return 1.0; }, many, 100);
    EXPECT_EQ(result.answer, TuningAnswer::not_decided);
    EXPECT_THAT(result.reason, HasSubstr("could not be tried in the time"));
    EXPECT_LE(result.spent_seconds, 102);
}

TEST(Search, promises_nothing_where_nothing_reads_the_candidates) {
    auto const result = result_of([](On const&) { return 1.0; }, {candidate("A", "1", "libother")});
    EXPECT_EQ(result.answer, TuningAnswer::not_decided);
    EXPECT_THAT(result.reason, HasSubstr("no candidate could be tried"));
}

TEST(Search, stops_where_it_is_interrupted) {
    Runner const run = [runs = 0](std::span<EnvironmentChange const>, bool) mutable {
        bool const last = ++runs > 12;
        return verify::Run{.ok = !last, .interrupted = last, .value = 1, .seconds = 1};
    };
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < 20; ++i) candidates.push_back(candidate("A" + std::to_string(i)));
    for (auto& one : candidates) one.own = true;
    auto const result = search(candidates, run, {.seed = 1});
    EXPECT_TRUE(result.interrupted);
    EXPECT_EQ(result.tried.front().verdict, CandidateVerdict::not_decided);
    EXPECT_EQ(result.answer, TuningAnswer::not_decided);
    EXPECT_EQ(result.runs, 13);
}

TEST(Search, repeats_a_run_in_which_the_machine_slept) {
    Steady program{[](On const& on) { return on.empty() ? 1 : 1.1; }};
    auto const steady = program.runner();
    Runner const runner = [&](std::span<EnvironmentChange const> changes, bool watch) {
        auto run = steady(changes, watch);
        if (program.runs == 9) run.conditions.slept_seconds = 3600;
        if (program.runs == 9) run.value *= 50;
        return run;
    };
    auto const result = search({candidate("A")}, runner, {.budget_seconds = 300, .seed = 3});
    EXPECT_EQ(result.answer, TuningAnswer::winner) << result.reason;
    EXPECT_EQ(result.repeated, 1U);
    EXPECT_NEAR(result.tried[0].effect.estimate, 0.095, 0.01);
}

TEST(Search, finds_what_helps_a_program_without_any_noise) {
    Runner const constant = [](std::span<EnvironmentChange const> changes, bool) {
        return verify::Run{.ok = true,
                           .value = changes.empty() ? 100.0 : 110.0,
                           .seconds = 1,
                           .mapped = {"/lib/libreader.so.1"}};
    };
    auto const result = search({candidate("A")}, constant, {.budget_seconds = 300, .seed = 3});
    EXPECT_EQ(winners_of(result), (On{"A=1"}));
}

/// Others take the processors in some of the runs with the candidate, which are repeated.
TEST(Search, repeats_a_run_beside_which_others_worked) {
    Steady program{[](On const& on) { return on.empty() ? 1 : 1.1; }};
    auto const steady = program.runner();
    std::size_t with = 0;
    Runner const runner = [&](std::span<EnvironmentChange const> changes, bool watch) {
        auto run = steady(changes, watch);
        bool const disturbed = !changes.empty() && ++with < 20 && with % 4 == 1;
        run.conditions.others_load = disturbed ? 0.6 : 0.05;
        if (disturbed) run.value /= 2;
        return run;
    };
    auto const result = search({candidate("A")}, runner, {.budget_seconds = 300, .seed = 3});
    EXPECT_EQ(result.answer, TuningAnswer::winner) << result.reason;
    EXPECT_GE(result.repeated, 2U);
    EXPECT_NEAR(result.tried[0].effect.estimate, 0.095, 0.01);
}

TEST(Search, takes_no_figure_of_another_unit) {
    Runner const run = [](std::span<EnvironmentChange const> changes, bool) {
        return verify::Run{.ok = true,
                           .value = changes.empty() ? 1.0 : 1000.0,
                           .unit = changes.empty() ? "s" : "ms",
                           .seconds = 1};
    };
    auto one = candidate("A");
    one.own = true;
    auto const result = search({one}, run, {.seed = 1});
    EXPECT_EQ(result.tried[0].verdict, CandidateVerdict::failed);
    EXPECT_THAT(result.tried[0].reason, HasSubstr("another unit"));
}

// ---- chance -------------------------------------------------------------------------------------

constexpr std::size_t tunings = 60;
constexpr double budget = 400;  // runs

TEST(TunedPrograms, are_told_right) {
    simulation::Random random(11);
    for (auto const& program : simulation::programs()) {
        auto const tally =
            simulation::tuned(program, simulation::white, 0.01, budget, tunings, random);
        if (program.best.empty()) EXPECT_LE(tally.share(tally.winners), 0.05) << program.name;
        else EXPECT_GE(tally.share(tally.right), 0.85) << program.name;
    }
}

TEST(TunedPrograms, win_nothing_by_any_noise) {
    simulation::Random random(12);
    auto const nothing = simulation::programs().front();
    for (auto const& row : simulation::noises)
        for (double const scale : {0.01, 0.03, 0.2}) {
            auto const tally =
                simulation::tuned(nothing, row.noise, scale, budget, tunings, random);
            EXPECT_LE(tally.share(tally.winners), 0.07) << row.name << ' ' << scale;
        }
}

TEST(TunedPrograms, never_win_by_a_wrong_result) {
    simulation::Random random(13);
    auto const wrong = simulation::programs().back();
    for (std::size_t i = 0; i < tunings; ++i) {
        auto const run = simulation::runner_of(wrong, simulation::white, 0.03, random);
        auto const result = search(simulation::candidates_of(wrong), run,
                                   {.budget_seconds = budget, .seed = random()});
        EXPECT_EQ(result.tried[0].verdict, CandidateVerdict::wrong_result);
    }
}

}  // namespace
}  // namespace rocmtune::verify
