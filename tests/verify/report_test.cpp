// SPDX-License-Identifier: MIT
// What several experiments say together.
#include "judge/verify/report.hpp"

#include <gtest/gtest.h>

namespace rocmtune::verify::test {
namespace {

/// One setting of which `blocks` were measured, in this unit.
ExperimentResult experiment(std::string unit, std::uint64_t blocks, bool lower_is_better = false) {
    ExperimentResult result;
    result.unit = std::move(unit);
    result.blocks = blocks;
    result.lower_is_better = lower_is_better;
    return result;
}

VerifySummary summary_of(std::vector<ExperimentResult> const& experiments) {
    Report report;
    report.verify = VerifySummary{.margin = 0.05, .budget_seconds = 9, .seed = 7};
    for (auto const& one : experiments)
        add_result(one, {.benchmark = "b" + one.unit, .metric = "m" + one.unit}, report);
    return *report.verify;
}

TEST(Summary, of_one_group_is_that_group_with_what_was_asked) {
    auto const it = summary_of({experiment("s", 20, true)});
    EXPECT_EQ(it.benchmark, "bs");
    EXPECT_EQ(it.unit, "s");
    EXPECT_EQ(it.better, "lower");
    EXPECT_EQ(it.blocks, 20U);
    EXPECT_EQ(it.margin, 0.05);
    EXPECT_EQ(it.budget_seconds, 9);
    EXPECT_EQ(it.seed, 7U);
}

TEST(Summary, of_several_groups_says_what_holds_for_all) {
    auto const it =
        summary_of({experiment("GB/s", 20), experiment("s", 12, true), experiment("GB/s", 30)});
    EXPECT_EQ(it.benchmark, "bGB/s and bs and bGB/s");
    EXPECT_EQ(it.metric, "mGB/s and ms and mGB/s");
    EXPECT_EQ(it.unit, "");
    EXPECT_EQ(it.better, "");
    EXPECT_EQ(it.blocks, 12U);
}

TEST(Summary, of_groups_that_agree_keeps_what_they_agree_in) {
    auto const it = summary_of({experiment("GB/s", 20), experiment("GB/s", 20)});
    EXPECT_EQ(it.unit, "GB/s");
    EXPECT_EQ(it.better, "higher");
    EXPECT_EQ(it.blocks, 20U);
}

// ---- findings -----------------------------------------------------------------------------------

/// "RT6002 info" of one setting that came out so.
std::string finding_of(SettingVerdict verdict, bool self_test) {
    ExperimentResult result;
    result.trials.push_back({.candidate = {.name = "X", .value = "1"}});
    result.trials[0].judgement.verdict = verdict;
    Report report;
    report.verify = VerifySummary{};
    add_result(result, {.benchmark = "gemm", .self_test = self_test}, report);
    auto const& finding = report.findings.at(0);
    return finding.id + ' ' + std::string(word_of(finding.verdict));
}

std::string step_of(Candidate candidate, SettingVerdict verdict) {
    ExperimentResult result;
    result.trials.push_back({.candidate = std::move(candidate)});
    result.trials[0].judgement.verdict = verdict;
    Report report;
    report.verify = VerifySummary{};
    add_result(result, {.benchmark = "gemm"}, report);
    return report.findings.at(0).next_step;
}

TEST(Findings, lead_to_the_setting_that_was_tested) {
    using enum SettingVerdict;
    EXPECT_EQ(step_of({.name = "NCCL_DEBUG", .value = "WARN"}, no_effect),
              "rocmtune explain NCCL_DEBUG   # who reads it and what for");
    EXPECT_TRUE(step_of({.name = "GPU_MAX_HW_QUEUES"}, not_measurable)
                    .starts_with("rocmtune explain GPU_MAX_HW_QUEUES   # who reads it; then"));
    EXPECT_TRUE(step_of({.name = "mixed precision", .value = "bf16"}, no_effect)
                    .starts_with("rocmtune explain 'mixed precision'   #"));
    EXPECT_TRUE(step_of({.name = "together",
                         .changes = {{":precision", "bf16"}, {"NCCL_DEBUG", "WARN"}},
                         .together = true},
                        no_effect)
                    .starts_with("rocmtune explain NCCL_DEBUG   #"));
}

TEST(Findings, of_every_verdict_have_an_id_and_a_weight) {
    using enum SettingVerdict;
    EXPECT_EQ(finding_of(confirmed, false), "RT6001 pass");
    EXPECT_EQ(finding_of(no_effect, false), "RT6002 info");
    EXPECT_EQ(finding_of(harmful, false), "RT6003 fail");
    EXPECT_EQ(finding_of(inconclusive, false), "RT6004 unknown");
    EXPECT_EQ(finding_of(not_measurable, false), "RT6005 skip");
}

TEST(Findings, of_a_self_test_fail_where_nothing_makes_a_difference) {
    using enum SettingVerdict;
    EXPECT_EQ(finding_of(no_effect, true), "RT6006 pass");
    EXPECT_EQ(finding_of(confirmed, true), "RT6007 fail");
    EXPECT_EQ(finding_of(harmful, true), "RT6007 fail");
    EXPECT_EQ(finding_of(inconclusive, true), "RT6004 unknown");
}

// ---- exit codes ---------------------------------------------------------------------------------

Exit exit_of(ExperimentResult const& result, bool findings_count) {
    Report report;
    report.verify = VerifySummary{};
    add_result(result, {.benchmark = "gemm", .findings_count = findings_count}, report);
    return report.exit_code;
}

ExperimentResult with_verdicts(std::vector<SettingVerdict> const& verdicts) {
    ExperimentResult result;
    for (auto const verdict : verdicts) {
        result.trials.push_back({.candidate = {.name = "X", .value = "1"}});
        result.trials.back().judgement.verdict = verdict;
    }
    return result;
}

TEST(ExitCode, of_harmful_settings_is_hidden_where_findings_do_not_count) {
    using enum SettingVerdict;
    EXPECT_EQ(exit_of(with_verdicts({harmful}), true), Exit::findings);
    EXPECT_EQ(exit_of(with_verdicts({harmful}), false), Exit::ok);
    EXPECT_EQ(exit_of(with_verdicts({harmful, inconclusive}), true), Exit::findings);
    EXPECT_EQ(exit_of(with_verdicts({harmful, inconclusive}), false), Exit::undetermined);
}

TEST(ExitCode, of_a_baseline_that_fails_is_never_hidden) {
    auto result = with_verdicts({SettingVerdict::no_effect});
    result.candidates_failed = 1;
    EXPECT_EQ(exit_of(result, true), Exit::findings);
    EXPECT_EQ(exit_of(result, false), Exit::ok);
    result.baseline_failed = 1;
    EXPECT_EQ(exit_of(result, false), Exit::findings);
}

}  // namespace
}  // namespace rocmtune::verify::test
