// SPDX-License-Identifier: MIT
// What the short benchmarks mean for a GPU: wrong results, slow memory, slow or tiring products.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/checks/checks.hpp"
#include "support/faults.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;

Host const& mi300x() {
    static auto const host = FaultyHost("mi300x-x8").probed();
    return host;
}

Measurement measured(std::string benchmark, std::string metric, std::string status = "ok") {
    Measurement one;
    one.benchmark = std::move(benchmark);
    one.metric = std::move(metric);
    one.status = std::move(status);
    one.verified = one.status == "ok";
    one.gpu = 0;
    return one;
}

Measurement copy(double efficiency) {
    auto one = measured("bandwidth", "copy");
    one.value = 5300 * efficiency;
    one.unit = "GB/s";
    one.efficiency = efficiency;
    return one;
}

Measurement product(double value, std::string mode = "burst", std::string unit = "TFLOP/s") {
    auto one = measured("gemm", "fp16-hipblaslt");
    one.value = value;
    one.unit = std::move(unit);
    one.parameters.dtype = "fp16";
    one.parameters.mode = std::move(mode);
    return one;
}

/// What the check says of the first GPU.
Finding judged(char const* check, std::vector<Measurement> measurements,
               Host const& host = mi300x()) {
    CheckSelection selection;
    selection.level = CheckLevel::long_;
    selection.only = {check};
    selection.measurements = std::move(measurements);
    return run_checks(host, embedded_chips(), selection).at(0);
}

TEST(Kernels, whose_results_are_right_pass) {
    auto const finding = judged("kernels", {copy(0.8), copy(0.7)});
    EXPECT_EQ(finding.verdict, Verdict::pass);
    EXPECT_EQ(finding.subject, *mi300x().gpus[0].pci_address);
    EXPECT_THAT(finding.message, HasSubstr("2 results"));
}

TEST(Kernels, of_which_one_is_wrong_fail_and_the_gpu_is_to_be_isolated) {
    auto const finding =
        judged("kernels", {copy(0.8), measured("bandwidth", "dot", "wrong-result")});
    EXPECT_EQ(finding.verdict, Verdict::fail);
    EXPECT_EQ(finding.action, Action::isolate);
    EXPECT_THAT(finding.message, HasSubstr("dot is wrong-result"));
}

TEST(Kernels, that_hang_are_a_timeout_though_the_steps_behind_them_did_not_run) {
    auto const finding = judged("kernels", {measured("bandwidth", "copy", "timeout"),
                                            measured("bandwidth", "mul", "error")});
    EXPECT_EQ(finding.verdict, Verdict::timeout);
}

TEST(Kernels, of_which_none_could_run_are_unknown) {
    EXPECT_EQ(judged("kernels", {measured("bandwidth", "open", "unsupported")}).verdict,
              Verdict::unknown);
}

/// The verdicts of the check for all GPUs.
std::vector<Verdict> verdicts(std::vector<Measurement> measurements,
                              std::vector<Trial> const& trials = {}) {
    CheckSelection selection;
    selection.level = CheckLevel::medium;
    selection.only = {"kernels"};
    selection.trials = trials;
    selection.measurements = std::move(measurements);
    std::vector<Verdict> all;
    for (auto const& finding : run_checks(mi300x(), embedded_chips(), selection))
        all.push_back(finding.verdict);
    return all;
}

TEST(Kernels, that_ran_nowhere_though_they_were_due_are_unknown) {
    std::vector<Trial> trials;
    for (auto const& gpu : mi300x().gpus)
        trials.push_back({.row = *gpu.row, .end = TrialEnd::verified});
    EXPECT_THAT(verdicts({}, trials), testing::Each(Verdict::unknown));
    trials[0] = {.row = 0, .end = TrialEnd::not_allowed, .message = "busy"};
    EXPECT_THAT(verdicts({}, trials), testing::Each(Verdict::unknown));
}

TEST(Kernels, that_left_out_one_busy_gpu_skip_it) {
    auto const found = verdicts({copy(0.8)}, {{.row = 0, .end = TrialEnd::verified}});
    EXPECT_EQ(found.at(0), Verdict::pass);
    EXPECT_EQ(found.at(1), Verdict::skip);
}

class BadProducts : public testing::TestWithParam<std::pair<char const*, Verdict>> {};

TEST_P(BadProducts, beside_good_copies_are_found_and_leave_no_figure) {
    auto const& [status, expected] = GetParam();
    std::vector const all{copy(0.8), measured("gemm", "fp16-hipblaslt", status)};
    EXPECT_EQ(judged("kernels", all).verdict, expected) << status;
    EXPECT_EQ(judged("matrix-rate", all).verdict, Verdict::unknown);
    EXPECT_EQ(judged("sustained-rate", all).verdict, Verdict::unknown);
}

INSTANTIATE_TEST_SUITE_P(All, BadProducts,
                         testing::Values(std::pair("wrong-result", Verdict::fail),
                                         std::pair("lost", Verdict::fail),
                                         std::pair("timeout", Verdict::timeout),
                                         std::pair("unfinished", Verdict::unknown),
                                         // A library without kernels for this GPU ends so, too.
                                         std::pair("error", Verdict::pass)),
                         [](auto const& row) { return test_name(row.param.first); });

TEST(Products, without_a_library_or_memory_are_skipped) {
    for (auto const* const status : {"unsupported", "no-memory"}) {
        std::vector const all{copy(0.8), measured("gemm", "fp16-hipblaslt", status)};
        EXPECT_EQ(judged("kernels", all).verdict, Verdict::pass);
        EXPECT_EQ(judged("matrix-rate", all).verdict, Verdict::skip);
    }
}

TEST(MemoryRate, is_judged_by_the_best_kernel_against_the_peak) {
    EXPECT_EQ(judged("memory-rate", {copy(0.3), copy(0.81)}).verdict, Verdict::pass);
    auto const slow = judged("memory-rate", {copy(0.3), copy(0.41)});
    EXPECT_EQ(slow.verdict, Verdict::warn);
    EXPECT_THAT(slow.message, HasSubstr("41 % of the peak"));
}

TEST(MemoryRate, of_a_product_without_a_known_peak_is_not_judged) {
    auto one = copy(0.1);
    one.efficiency.reset();
    EXPECT_EQ(judged("memory-rate", {one}).verdict, Verdict::skip);
}

TEST(MatrixRate, is_compared_with_what_the_profile_states_for_the_product) {
    EXPECT_EQ(judged("matrix-rate", {product(600)}).verdict, Verdict::pass);
    auto const slow = judged("matrix-rate", {product(90)});
    EXPECT_EQ(slow.verdict, Verdict::warn);
    EXPECT_EQ(slow.evidence.size(), 2U);
}

TEST(MatrixRate, of_a_product_that_nobody_states_is_not_judged) {
    static auto const mi210 = FaultyHost("mi210-x8").probed();
    EXPECT_EQ(judged("matrix-rate", {product(1)}, mi210).verdict, Verdict::skip);
}

TEST(SustainedRate, is_judged_by_the_type_that_lasts_least) {
    auto const fine = product(0.93, "sustained / burst", "ratio");
    EXPECT_EQ(judged("sustained-rate", {fine}).verdict, Verdict::pass);
    auto const tired = product(0.55, "sustained / burst", "ratio");
    EXPECT_EQ(judged("sustained-rate", {fine, tired}).verdict, Verdict::warn);
}

TEST(LongerLevels, skip_where_nothing_was_measured) {
    for (auto const* const check : {"kernels", "memory-rate", "matrix-rate", "sustained-rate"})
        EXPECT_EQ(judged(check, {}).verdict, Verdict::skip) << check;
}

}  // namespace
}  // namespace rocmtune::test
