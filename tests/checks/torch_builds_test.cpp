// SPDX-License-Identifier: MIT
// Which build of PyTorch is named for which GPUs, and what that rests on.
#include "judge/checks/check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/checks/checks.hpp"
#include "support/faults.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;
using Strings = std::vector<std::string>;

std::string index_for(Strings const& targets) {
    auto const command = torch_for(embedded_chips(), targets).command;
    return command.empty() ? "" : command.substr(command.rfind('/') + 1);
}

TEST(TorchBuild, that_is_named_is_the_newest_that_fits) {
    EXPECT_EQ(index_for({"gfx942"}), "rocm7.1");
    EXPECT_EQ(index_for({"gfx950"}), "rocm7.1");
    EXPECT_EQ(index_for({"gfx1100", "gfx1201"}), "rocm7.1");
}

TEST(TorchBuild, of_a_target_that_amd_never_listed_needs_only_code_for_it) {
    EXPECT_EQ(index_for({"gfx1151"}), "rocm7.1");
    EXPECT_EQ(index_for({"gfx1102"}), "rocm7.1");
}

TEST(TorchBuild, of_old_targets_is_the_last_whose_libraries_have_code_for_them) {
    EXPECT_EQ(index_for({"gfx906"}), "rocm6.3") << "no build rests on a ROCm before 6.0";
    EXPECT_EQ(index_for({"gfx900"}), "rocm6.3");
}

TEST(TorchBuild, is_not_invented_where_none_has_the_code) {
    EXPECT_EQ(index_for({"gfx1035"}), "");
    EXPECT_EQ(index_for({"gfx906", "gfx1201"}), "");
    EXPECT_EQ(index_for({}), "");
    auto const advice = torch_for(embedded_chips(), {"gfx1035"});
    ASSERT_EQ(advice.evidence.size(), 2U);
    EXPECT_EQ(advice.evidence[0].value, "none");
    EXPECT_THAT(advice.evidence[1].value, HasSubstr("not in AMD's main list"));
}

TEST(TorchBuild, rests_on_wheels_and_on_releases) {
    auto const evidence = torch_for(embedded_chips(), {"gfx1201"}).evidence;
    ASSERT_EQ(evidence.size(), 2U);
    EXPECT_EQ(evidence[0].value, "rocm7.1, rocm7.0, rocm6.4");
    EXPECT_EQ(evidence[1].value, "6.4.1 and later");
    EXPECT_EQ(torch_for(embedded_chips(), {"gfx906"}).evidence[1].value,
              "5.0 and later, before 6.0");
}

TEST(TorchBuild, of_a_newer_release_is_added_by_a_profile) {
    auto const chips = with_overrides(embedded_chips(), {{"common.json", R"({
        "schema_version": "1.0", "extends": "common",
        "sources": ["pytorch-manywheel"],
        "pytorch_wheels": [
            {"rocm": "7.14", "targets": ["gfx1201"], "sources": ["pytorch-manywheel"]}
        ]})"}});
    EXPECT_EQ(torch_for(chips, {"gfx1201"}).evidence[0].value,
              "rocm7.14, rocm7.1, rocm7.0, rocm6.4");
    EXPECT_THAT(torch_for(chips, {"gfx1201"}).command, HasSubstr("/whl/rocm7.14"));
    EXPECT_THAT(torch_for(chips, {"gfx942"}).command, HasSubstr("/whl/rocm7.1"));
}

TEST(TorchRelease, older_than_the_first_that_lists_a_target_is_known) {
    EXPECT_EQ(first_release_after(embedded_chips(), "gfx1201", "6.2.41133"), "6.4.1");
    EXPECT_EQ(first_release_after(embedded_chips(), "gfx1100", "6.2.41133"), "");
    EXPECT_EQ(first_release_after(embedded_chips(), "gfx1151", "6.2.41133"), "7.14");
    EXPECT_EQ(first_release_after(embedded_chips(), "gfx1151", "7.11.51840"), "");
    EXPECT_EQ(first_release_after(embedded_chips(), "gfx1102", "6.4.43482"), "");
    EXPECT_EQ(first_release_after(embedded_chips(), "gfx1103", "7.2.26015"), "7.14");
    EXPECT_EQ(first_release_after(embedded_chips(), "gfx1031", "6.2.41133"), "");
    EXPECT_EQ(first_release_after(embedded_chips(), "gfx942", "no version"), "");
}

Finding build_of(Host const& host) {
    CheckSelection selection;
    selection.only = {"framework-build"};
    return run_checks(host, embedded_chips(), selection).at(0);
}

TEST(TorchRelease, that_did_not_know_the_gpu_yet_is_told_with_the_build_that_does) {
    auto host = FaultyHost("rx7900xt-x2").probed();
    EXPECT_EQ(build_of(host).verdict, Verdict::pass);
    for (auto& gpu : host.gpus) {
        gpu.gfx_target = {};
        gpu.gfx_target.offer("gfx1201", {"test", "test"});
    }
    auto const finding = build_of(host);
    EXPECT_EQ(finding.verdict, Verdict::info);
    EXPECT_THAT(finding.message, HasSubstr("ROCm lists gfx1201 since 6.4.1"));
    EXPECT_THAT(finding.next_step, HasSubstr("/whl/rocm7.1"));
}

TEST(TorchBuild, for_another_maker_is_replaced_by_one_for_these_gpus) {
    FaultyHost host("rx7900xt-x2");
    host.set("/home/user/venv/lib/python3.12/site-packages/torch/version.py",
             "__version__ = '2.5.1+cu124'\ncuda = '12.4'\nhip = None");
    auto const finding = build_of(host.probed());
    EXPECT_EQ(finding.verdict, Verdict::warn);
    EXPECT_THAT(finding.next_step, HasSubstr("pip install --force-reinstall torch"));
    EXPECT_EQ(finding.evidence.size(), 3U) << "the package, the wheels, the releases";
}

}  // namespace
}  // namespace rocmtune::test
