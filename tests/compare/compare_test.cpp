// SPDX-License-Identifier: MIT
#include "judge/compare/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/read_reports.hpp"

namespace rocmtune::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr double margin = 0.03;

/// "subject fact change a b" of each difference.
std::vector<std::string> differences(json const& a, json const& b) {
    std::vector<std::string> lines;
    for (auto const& it : compare_reports(read(a), read(b), margin).differences)
        lines.push_back(it.subject + ' ' + it.fact + ' ' + it.change + ' ' + text_of(it.a) + ' ' +
                        text_of(it.b));
    return lines;
}

/// "RT7001 fail subject" of each finding.
std::vector<std::string> findings(json const& a, json const& b) {
    std::vector<std::string> lines;
    for (auto const& it : judge_comparison(compare_reports(read(a), read(b), margin)))
        lines.push_back(it.id + ' ' + std::string(word_of(it.verdict)) + ' ' + it.subject);
    return lines;
}

TEST(CompareFacts, finds_nothing_between_a_report_and_itself) {
    auto const report = small_report("a", 8);
    EXPECT_THAT(differences(report, report), IsEmpty());
    EXPECT_THAT(findings(report, report), IsEmpty());
    auto const comparison = compare_reports(read(report), read(report), margin);
    EXPECT_EQ(comparison.facts, comparison.equal);
    EXPECT_GT(comparison.facts, 8U);
}

TEST(CompareFacts, names_what_changed_and_where) {
    auto const a = small_report("a", 2);
    auto b = a;
    b["host"]["kernel_release"] = "6.9.0";
    b["host"]["gpus"][1]["firmware"]["mec"] = "0xa4";
    EXPECT_THAT(differences(a, b), ElementsAre("host kernel_release changed 6.8.0 6.9.0",
                                               "0000:01:00.0 firmware.mec changed 0xa3 0xa4"));
}

TEST(CompareFacts, tells_a_missing_part_from_an_unknown_one) {
    auto const a = small_report("a", 1);
    auto b = a;
    b["host"]["gpus"][0]["firmware"].erase("mec");
    EXPECT_THAT(differences(a, b), ElementsAre("0000:00:00.0 firmware.mec only-a 0xa3 "));
    b["host"]["gpus"][0]["firmware"] = nullptr;
    EXPECT_THAT(differences(a, b), ElementsAre("0000:00:00.0 firmware.mec unknown-b 0xa3 ",
                                               "0000:00:00.0 firmware.smc unknown-b 0x55 "));
    EXPECT_THAT(differences(b, a), ElementsAre("0000:00:00.0 firmware.mec unknown-a  0xa3",
                                               "0000:00:00.0 firmware.smc unknown-a  0x55"));
}

TEST(CompareFacts, gives_the_reason_for_what_is_not_known) {
    auto const a = small_report("a", 1);
    auto b = a;
    b["host"]["gpus"][0]["vbios_version"] = nullptr;
    b["host"]["gpus"][0]["_reasons"] = {{"vbios_version", "denied: EACCES"}};
    auto const comparison = compare_reports(read(a), read(b), margin);
    ASSERT_EQ(comparison.differences.size(), 1U);
    EXPECT_EQ(comparison.differences[0].change, "unknown-b");
    EXPECT_EQ(comparison.differences[0].reason, "denied: EACCES");
    EXPECT_TRUE(is_null(comparison.differences[0].b));
    EXPECT_EQ(comparison.equal, comparison.facts);
}

TEST(CompareFacts, reads_a_report_of_an_older_minor_version) {
    auto const a = small_report("a", 1);
    auto b = a;
    b["schema_version"] = "1.4";
    b["host"]["numa_balancing"] = 0;
    auto const comparison = compare_reports(read(a), read(b), margin);
    ASSERT_EQ(comparison.differences.size(), 1U);
    EXPECT_EQ(comparison.differences[0].change, "unknown-a");
    EXPECT_EQ(comparison.differences[0].reason,
              "the report has no such fact: another version wrote it");
}

TEST(CompareFacts, lets_memory_sizes_differ_a_little) {
    auto const a = small_report("a", 1);
    auto b = a;
    b["host"]["gpus"][0]["vram_bytes"] = 206141652992 - 200'000'000;
    EXPECT_THAT(differences(a, b), IsEmpty());
    b["host"]["gpus"][0]["vram_bytes"] = 190'000'000'000;
    EXPECT_EQ(differences(a, b).size(), 1U);
}

TEST(CompareFacts, takes_whole_numbers_and_their_decimal_form_for_equal) {
    auto a = small_report("a", 1);
    auto b = a;
    a["host"]["gpus"][0]["power_cap_watts"] = 750;
    b["host"]["gpus"][0]["power_cap_watts"] = 750.0;
    EXPECT_THAT(differences(a, b), IsEmpty());
}

std::vector<std::string> pairs(json const& a, json const& b) {
    std::vector<std::string> lines;
    for (auto const& it : compare_reports(read(a), read(b), margin).gpus)
        lines.push_back(it.a.value_or("-") + ' ' + it.b.value_or("-") + ' ' + it.matched_by);
    return lines;
}

TEST(MatchGpus, finds_a_card_that_moved_to_another_slot) {
    auto const a = small_report("a", 2);
    auto b = a;
    b["host"]["gpus"][0]["pci_address"] = "0000:01:00.0";
    b["host"]["gpus"][1]["pci_address"] = "0000:00:00.0";
    EXPECT_THAT(pairs(a, b),
                ElementsAre("0000:00:00.0 0000:01:00.0 uuid", "0000:01:00.0 0000:00:00.0 uuid"));
}

TEST(MatchGpus, goes_by_the_place_and_then_by_the_row_between_two_hosts) {
    auto const a = small_report("a", 2);
    auto b = small_report("b", 2);
    b["host"]["gpus"][1]["pci_address"] = "0000:c1:00.0";
    EXPECT_THAT(pairs(a, b), ElementsAre("0000:00:00.0 0000:00:00.0 pci-address",
                                         "0000:01:00.0 0000:c1:00.0 row"));
}

TEST(MatchGpus, does_not_trust_an_identity_that_several_cards_have) {
    auto a = small_report("a", 2);
    for (auto& gpu : a["host"]["gpus"]) gpu["unique_id"] = "GPU-XX";
    EXPECT_THAT(pairs(a, a), ElementsAre("0000:00:00.0 0000:00:00.0 pci-address",
                                         "0000:01:00.0 0000:01:00.0 pci-address"));
}

TEST(JudgeComparison, calls_a_lost_gpu_of_the_same_host_a_failure) {
    auto const a = small_report("a", 3);
    auto b = a;
    b["host"]["gpus"].erase(1);
    EXPECT_THAT(findings(a, b), ElementsAre("RT7001 fail 0000:01:00.0"));
    EXPECT_THAT(findings(b, a), ElementsAre("RT7001 info 0000:01:00.0"));
    auto c = small_report("c", 2);
    EXPECT_THAT(findings(a, c), ElementsAre("RT7001 info 0000:02:00.0"));
}

json finding(char const* id, char const* verdict, char const* subject = "host") {
    return {{"id", id}, {"verdict", verdict}, {"subject", subject}, {"message", "why"}};
}

TEST(JudgeComparison, tells_findings_that_are_new_or_worse) {
    auto a = small_report("a", 1);
    a["command"] = "check";
    auto b = a;
    a["findings"] = {finding("RT3201", "pass"), finding("RT3301", "warn"),
                     finding("RT3302", "fail")};
    b["findings"] = {finding("RT3201", "fail"), finding("RT3301", "fail"),
                     finding("RT3302", "warn"), finding("RT3303", "info"),
                     finding("RT3304", "skip")};
    EXPECT_THAT(findings(a, b), ElementsAre("RT7002 fail host", "RT7002 fail host"));
    EXPECT_EQ(compare_reports(read(a), read(b), margin).findings.size(), 4U);
}

TEST(JudgeComparison, compares_only_what_both_commands_judge) {
    auto a = small_report("a", 1);
    auto b = a;
    b["command"] = "check";
    b["findings"] = {finding("RT1001", "warn"), finding("RT3201", "fail")};
    EXPECT_THAT(findings(a, b), ElementsAre("RT7002 warn host"));
    EXPECT_EQ(compare_reports(read(a), read(b), margin).notes.size(), 1U);
}

// ---- measurements -------------------------------------------------------------------------------

json measured(std::string const& host, std::vector<json> measurements) {
    auto report = small_report(host, 2);
    report["measurements"] = measurements;
    return report;
}

ComparedMeasurement compared(json const& a, json const& b, double percent = 3) {
    auto const comparison =
        compare_reports(read(measured("a", {a})), read(measured("a", {b})), percent / 100);
    EXPECT_EQ(comparison.measurements.size(), 1U);
    return comparison.measurements.empty() ? ComparedMeasurement{} : comparison.measurements[0];
}

struct Case {
    double before, before_half, after, after_half, percent;
    MeasuredChange change;
};

TEST(CompareMeasurements, goes_by_the_whole_interval) {
    using enum MeasuredChange;
    Case const cases[] = {
        {4000, 10, 3800, 10, 3, slower},     // -5 % within a fraction of a percent
        {4000, 10, 3880, 10, 3, undecided},  // -3 % at the margin
        {4000, 10, 3990, 10, 3, same},        {4000, 10, 4200, 10, 3, faster},
        {4000, 400, 3800, 400, 3, undecided},  // the same medians, wide intervals
        {4000, 10, 3800, 10, 8, same},        {4000, 10, 3990, 10, 0, undecided},
        {4000, 1, 3990, 1, 0, slower},
    };
    for (auto const& it : cases) {
        auto const result = compared(measurement(0, it.before, it.before_half),
                                     measurement(0, it.after, it.after_half), it.percent);
        EXPECT_EQ(result.change, it.change)
            << it.before << " to " << it.after << " at " << it.percent << " %";
        EXPECT_NEAR(*result.effect, it.after / it.before - 1, 1e-9);
        EXPECT_LE(*result.low, *result.effect);
        EXPECT_GE(*result.high, *result.effect);
    }
}

TEST(CompareMeasurements, knows_that_less_time_is_better) {
    auto a = measurement(0, 10, 0.01);
    auto b = measurement(0, 12, 0.01);
    a["unit"] = b["unit"] = "ms";
    EXPECT_EQ(compared(a, b).change, MeasuredChange::slower);
    EXPECT_EQ(compared(b, a).change, MeasuredChange::faster);
    EXPECT_LT(*compared(a, b).effect, 0);
}

TEST(CompareMeasurements, makes_an_interval_of_the_samples_where_none_is_stated) {
    auto a = measurement(0, 100, 0);
    auto b = measurement(0, 90, 0);
    for (auto* it : {&a, &b}) {
        (*it)["low"] = (*it)["high"] = nullptr;
        auto const value = (*it)["value"].get<double>();
        for (int i = -10; i <= 10; ++i) (*it)["samples"].push_back(value + 0.01 * i);
    }
    auto const result = compared(a, b);
    EXPECT_EQ(result.change, MeasuredChange::slower);
    EXPECT_NEAR(*result.low, -0.1, 0.002);
    EXPECT_NEAR(*result.high, -0.1, 0.002);
}

TEST(CompareMeasurements, does_not_decide_on_a_few_samples) {
    auto a = measurement(0, 100, 0.1);
    auto b = measurement(0, 80, 0.1);
    b["samples"] = {80.0, 80.1, 79.9};
    auto const result = compared(a, b);
    EXPECT_EQ(result.change, MeasuredChange::not_comparable);
    EXPECT_FALSE(result.low);
    EXPECT_TRUE(result.effect);
}

TEST(CompareMeasurements, tells_a_figure_that_broke_from_one_that_is_not_there) {
    auto const good = measurement(0, 100, 0.1);
    auto bad = good;
    bad["value"] = nullptr;
    bad["status"] = "wrong-result";
    EXPECT_EQ(compared(good, bad).change, MeasuredChange::broken);
    EXPECT_EQ(compared(bad, good).change, MeasuredChange::repaired);
    EXPECT_EQ(compared(bad, bad).change, MeasuredChange::not_comparable);
    bad["status"] = "unsupported";
    EXPECT_EQ(compared(good, bad).change, MeasuredChange::not_comparable);
}

TEST(CompareMeasurements, does_not_take_a_value_of_a_failed_run) {
    auto const good = measurement(0, 100, 0.1);
    auto bad = measurement(0, 200, 0.1);
    bad["status"] = "wrong-result";
    auto const result = compared(good, bad);
    EXPECT_FALSE(result.b);
    EXPECT_FALSE(result.effect);
}

TEST(CompareMeasurements, crosses_makers_and_says_what_was_not_the_same) {
    auto a = measurement(1, 4000, 10);
    auto b = measurement(0, 3000, 10, "cuda");
    b["gpu"] = nullptr;
    b["parameters"]["index"] = 3;
    a["parameters"]["library"] = "rocblas";
    b["parameters"]["library"] = "cublas";
    auto const result = compared(a, b);
    EXPECT_EQ(result.change, MeasuredChange::slower);
    EXPECT_THAT(result.differs, ElementsAre("backend: hip -> cuda", "library: rocblas -> cublas"));
}

TEST(CompareMeasurements, prefers_what_is_most_alike) {
    auto small = measurement(0, 100, 0.1);
    auto large = measurement(0, 200, 0.1);
    large["parameters"]["bytes"] = 1 << 30;
    auto const comparison = compare_reports(read(measured("a", {small, large})),
                                            read(measured("a", {large, small})), margin);
    ASSERT_EQ(comparison.measurements.size(), 2U);
    for (auto const& it : comparison.measurements) {
        EXPECT_EQ(it.change, MeasuredChange::same);
        EXPECT_THAT(it.differs, IsEmpty());
    }
}

TEST(CompareMeasurements, names_what_only_one_report_has) {
    auto other = measurement(0, 5, 0.1);
    other["metric"] = "copy";
    auto const comparison =
        compare_reports(read(measured("a", {measurement(0, 100, 1), measurement(1, 100, 1)})),
                        read(measured("a", {measurement(0, 100, 1), other})), margin);
    EXPECT_THAT(comparison.measurements_only_a,
                ElementsAre("bandwidth triad of 256 MiB on 0000:01:00.0"));
    EXPECT_THAT(comparison.measurements_only_b,
                ElementsAre("bandwidth copy of 256 MiB on 0000:00:00.0"));
}

TEST(CompareMeasurements, never_lays_processors_beside_gpus) {
    auto const comparison =
        compare_reports(read(measured("a", {measurement(0, 100, 1, "cpu")})),
                        read(measured("a", {measurement(0, 4000, 1, "hip")})), margin);
    EXPECT_THAT(comparison.measurements, IsEmpty());
}

TEST(JudgeComparison, fails_for_slower_and_broken_measurements_only) {
    auto const good = measurement(0, 100, 0.1);
    auto bad = good;
    bad["status"] = "timeout";
    bad["value"] = nullptr;
    EXPECT_THAT(findings(measured("a", {good}), measured("a", {measurement(0, 80, 0.1)})),
                ElementsAre("RT7003 fail 0000:00:00.0"));
    EXPECT_THAT(findings(measured("a", {good}), measured("a", {bad})),
                ElementsAre("RT7004 fail 0000:00:00.0"));
    EXPECT_THAT(findings(measured("a", {measurement(0, 80, 0.1)}), measured("a", {good})),
                IsEmpty());
    auto resized = measurement(0, 80, 0.1);
    resized["parameters"]["bytes"] = 1 << 20;
    EXPECT_THAT(findings(measured("a", {good}), measured("a", {resized})),
                ElementsAre("RT7003 warn 0000:00:00.0"));
}

TEST(EffectOf, keeps_asymmetric_intervals_asymmetric) {
    auto const effect = effect_of({100, 99.9, 100.1}, {100, 90, 101}, false);
    EXPECT_NEAR(effect.value, 0, 1e-12);
    EXPECT_NEAR(effect.low, -0.1, 0.001);
    EXPECT_NEAR(effect.high, 0.01, 0.001);
}

}  // namespace
}  // namespace rocmtune::test
