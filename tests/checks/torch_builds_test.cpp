// SPDX-License-Identifier: MIT
// Which build of PyTorch is named for which GPUs, and what that rests on.
#include "judge/checks/check.hpp"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/builds/builds.hpp"
#include "judge/checks/checks.hpp"
#include "support/faults.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;
using Strings = std::vector<std::string>;

/// What checks know of a host without cards of its own.
class Checked {
  public:
    explicit Checked(Host host = {}, std::shared_ptr<BuildsData const> builds = nullptr)
        : host_(std::move(host)), builds_(std::move(builds)) {}

    TorchAdvice torch(Strings const& targets) const { return torch_for(context(), targets); }
    std::string first_release(std::string const& target, std::string_view release) const {
        return first_release_after(context(), target, release);
    }

  private:
    CheckContext context() const {
        return {host_, embedded_chips(), cards_, rules_, trials_, measurements_, builds_.get()};
    }

    Host host_;
    std::shared_ptr<BuildsData const> builds_;
    std::vector<Card> cards_ = {};
    CheckRules rules_ = {};
    std::vector<Trial> trials_ = {};
    std::vector<Measurement> measurements_ = {};
};

std::string step_for(Strings const& targets) {
    return Checked().torch(targets).step;
}

TEST(TorchBuild, that_is_named_is_the_one_of_builds) {
    for (auto const* target : {"gfx942", "gfx1151", "gfx1102", "gfx1035"}) {
        auto const step = step_for({target});
        auto const builds =
            builds_for({.frameworks = {"torch"}, .targets = {target}, .installer = "pip"},
                       embedded_builds(), embedded_chips());
        ASSERT_TRUE(builds.front().command) << target;
        EXPECT_THAT(step, HasSubstr("pip install --force-reinstall ")) << target;
        EXPECT_THAT(step, HasSubstr("torchvision")) << target;
        EXPECT_THAT(step, HasSubstr(*builds.front().version)) << target;
        EXPECT_EQ(step.find('\n'), std::string::npos) << target;
    }
    EXPECT_THAT(step_for({"gfx1100", "gfx1201"}), HasSubstr("device-gfx1100,device-gfx1201"));
}

TEST(TorchBuild, of_old_targets_is_the_last_whose_libraries_have_code_for_them) {
    EXPECT_THAT(step_for({"gfx906"}), HasSubstr("/whl/rocm6.3"));
    EXPECT_THAT(step_for({"gfx900"}), HasSubstr("/whl/rocm6.3"));
}

TEST(TorchBuild, is_not_invented_where_none_has_the_code) {
    for (Strings const& targets : {Strings{"gfx941"}, Strings{"gfx906", "gfx1151"}})
        EXPECT_THAT(step_for(targets), testing::StartsWith("rocmtune builds torch " + targets[0]));
    EXPECT_EQ(step_for({}), "");
    auto const advice = Checked().torch({"gfx803"});
    ASSERT_EQ(advice.evidence.size(), 2U);
    EXPECT_EQ(advice.evidence[0].value, "none");
}

TEST(TorchBuild, is_not_put_over_that_of_vllm) {
    Host host;
    host.frameworks.offer({Framework{.name = "vllm"}}, {"python", "test"});
    EXPECT_THAT(Checked(host).torch({"gfx942"}).step,
                testing::StartsWith("rocmtune builds vllm gfx942"));
}

TEST(TorchBuild, rests_on_builds_and_on_releases) {
    auto const evidence = Checked().torch({"gfx1201"}).evidence;
    ASSERT_EQ(evidence.size(), 2U);
    EXPECT_THAT(evidence[0].value, HasSubstr("7.14"));
    EXPECT_THAT(evidence[0].value, HasSubstr("6.3"));
    EXPECT_EQ(evidence[1].value, "6.4.1 and later");
    EXPECT_EQ(Checked().torch({"gfx906"}).evidence[1].value, "5.0 and later, before 6.0");
}

TEST(TorchBuild, of_a_file_of_its_own_takes_the_place_of_all) {
    auto own = embedded_builds();
    std::erase_if(own.builds, [](auto const& build) { return build.id != "torch-2.9.1-rocm6.3"; });
    Checked const checked({}, std::make_shared<BuildsData const>(std::move(own)));
    EXPECT_EQ(checked.torch({"gfx1201"}).evidence[0].value, "ROCm 6.3");
    EXPECT_THAT(checked.torch({"gfx1201"}).step, HasSubstr("/whl/rocm6.3"));
}

TEST(TorchRelease, older_than_the_first_that_lists_a_target_is_known) {
    Checked const here;
    EXPECT_EQ(here.first_release("gfx1201", "6.1.40091"), "6.4.1");
    EXPECT_EQ(here.first_release("gfx1201", "6.2.41134"), "") << "torch 2.7.1 for ROCm 6.2.4";
    EXPECT_EQ(here.first_release("gfx1100", "6.2.41133"), "");
    EXPECT_EQ(here.first_release("gfx1151", "6.2.41133"), "7.14");
    EXPECT_EQ(here.first_release("gfx1151", "7.11.51840"), "");
    EXPECT_EQ(here.first_release("gfx1102", "6.4.43482"), "");
    EXPECT_EQ(here.first_release("gfx1103", "7.1.25424"), "");
    EXPECT_EQ(here.first_release("gfx1103", "7.0.51831"), "7.14");
    EXPECT_EQ(here.first_release("gfx1031", "6.2.41133"), "");
    EXPECT_EQ(here.first_release("gfx942", "no version"), "");
}

Finding only(char const* check, Host const& host) {
    CheckSelection selection;
    selection.only = {check};
    return run_checks(host, embedded_chips(), selection).at(0);
}

Finding build_of(Host const& host) {
    return only("framework-build", host);
}

/// A host whose GPUs have this target, and whose torch this version.
Finding targets_of_torch(char const* target, char const* version) {
    auto host = FaultyHost("rx7900xt-x2").probed();
    for (auto& gpu : host.gpus) {
        gpu.gfx_target = {};
        gpu.gfx_target.offer(target, {"test", "test"});
    }
    auto torch = host.frameworks->at(0);
    for (auto const& framework : *host.frameworks)
        if (framework.name == "torch") torch = framework;
    torch.version = {};
    torch.version.offer(version, {"test", "test"});
    host.frameworks = {};
    host.frameworks.offer({torch}, {"test", "test"});
    return only("framework-targets", host);
}

TEST(TorchTargets, of_a_published_wheel_are_known_by_its_version) {
    EXPECT_EQ(targets_of_torch("gfx1100", "2.5.1+rocm6.2").verdict, Verdict::pass);
    EXPECT_EQ(targets_of_torch("gfx1100", "2.5.0+rocm6.2").verdict, Verdict::pass);
    auto const without = targets_of_torch("gfx1031", "2.5.1+rocm6.2");
    EXPECT_EQ(without.verdict, Verdict::fail);
    EXPECT_THAT(without.message, HasSubstr("torch 2.5.1+rocm6.2 has no code for gfx1031"));
    EXPECT_EQ(without.evidence.at(0).source, "builds: torch-2.5.1-rocm6.2");
    EXPECT_FALSE(without.next_step.empty());
}

TEST(TorchTargets, of_a_wheel_that_nobody_published_are_not_known) {
    for (auto const* version : {"2.5.1", "2.5.1+cu124", "2.5.1+rocm6.9", "2.5.1+gitabcdef",
                                "2.14.0+rocm10.1.0", "2.5.1+rocm", "+rocm6.2"})
        EXPECT_EQ(targets_of_torch("gfx1031", version).verdict, Verdict::skip) << version;
}

TEST(TorchRelease, that_did_not_know_the_gpu_yet_is_told_with_the_build_that_does) {
    auto host = FaultyHost("rx7900xt-x2").probed();
    EXPECT_EQ(build_of(host).verdict, Verdict::pass);
    for (auto& gpu : host.gpus) {
        gpu.gfx_target = {};
        gpu.gfx_target.offer("gfx1151", {"test", "test"});
    }
    auto const finding = build_of(host);
    EXPECT_EQ(finding.verdict, Verdict::info);
    EXPECT_THAT(finding.message, HasSubstr("ROCm lists gfx1151 since 7.14"));
    EXPECT_THAT(finding.next_step, HasSubstr("device-gfx1151"));
}

TEST(TorchBuild, for_another_maker_is_replaced_by_one_for_these_gpus) {
    FaultyHost host("rx7900xt-x2");
    host.set("/home/user/venv/lib/python3.12/site-packages/torch/version.py",
             "__version__ = '2.5.1+cu124'\ncuda = '12.4'\nhip = None");
    auto const finding = build_of(host.probed());
    EXPECT_EQ(finding.verdict, Verdict::warn);
    EXPECT_THAT(finding.next_step, HasSubstr("pip install --force-reinstall "));
    EXPECT_EQ(finding.evidence.size(), 3U) << "the package, the wheels, the releases";
}

}  // namespace
}  // namespace rocmtune::test
