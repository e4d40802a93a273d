// SPDX-License-Identifier: MIT
// Every operator of conditions, over facts that are there, lacking and not known.
#include "judge/rules/condition.hpp"

#include <gtest/gtest.h>

#include "support/conditions.hpp"

namespace rocmtune::test {
namespace {

Source const source{"test", "test"};

/// Two GPUs: an MI300X with most facts, and one of which little is known.
Host small_host() {
    Host host;
    auto& known = host.gpus.emplace_back();
    known.pci_address.offer("0000:01:00.0", source);
    known.gfx_target.offer("gfx942", source);
    known.compute_units.offer(304, source);
    known.is_apu.offer(false, source);
    known.link_max_gt_per_s.offer(16.0, source);
    known.firmware.offer({{"mec", "0xa3"}}, source);
    known.xgmi_hive_id.offer("12ab", source);
    known.compute_partition.miss(Missing::unsupported);
    auto& open = host.gpus.emplace_back();
    open.pci_address.offer("0000:02:00.0", source);
    open.gfx_target.miss(Missing::denied);
    host.kernel_release.offer("6.8.0-45-generic", source);
    host.cpu_threads.offer(64, source);
    host.kernel_arguments.offer({"quiet", "iommu=pt"}, source);
    host.rdma_devices.miss(Missing::absent);
    host.numa_nodes.offer({{.node = 0}, {.node = 1}}, source);
    host.environment.offer({{"HIP_VISIBLE_DEVICES", "0"}}, source);
    return host;
}

void add_software(Host& host) {
    Framework torch{.name = "torch", .path = "/venv"};
    torch.version.offer("2.11.0+rocm7.0", source);
    torch.hip_version.offer("7.0.51831-abc", source);
    Framework cpu_only{.name = "jax", .path = "/venv"};
    cpu_only.version.miss(Missing::denied);
    cpu_only.hip_version.miss(Missing::absent);
    host.frameworks.offer({torch, cpu_only}, source);
    RocmInstallation old{.path = "/opt/rocm-6.2.4", .libraries = {{"librccl", "librccl.so.1.0"}}};
    old.version.offer("6.2.4-139", source);
    RocmInstallation used{.path = "/opt/rocm-10.0.0", .selected = true};
    used.version.offer("10.0.0", source);
    host.rocm_installations.offer({old, used}, source);
    host.runtimes.offer({{.name = "hip", .status = "ok", .version = "6.4.43484"}}, source);
}

struct Expected {
    std::string condition;
    Truth truth;
};

void PrintTo(Expected const& expected, std::ostream* out) {
    *out << expected.condition;
}

Decision judge(Host const& host, std::string const& text, std::size_t gpu) {
    ParsedCondition const condition(text);
    SelectedHost const scene{
        .host = &host, .gpus = {&host.gpus[0], &host.gpus[1]}, .unselected = 1};
    return Evaluator(scene)(condition, &host.gpus[gpu]);
}

class ACondition : public testing::TestWithParam<Expected> {};

TEST_P(ACondition, has_the_truth_that_the_host_gives_it) {
    auto host = small_host();
    add_software(host);
    auto const verdict = judge(host, GetParam().condition, 0);
    EXPECT_EQ(verdict.truth, GetParam().truth);
    if (verdict.truth == Truth::unknown) {
        ASSERT_FALSE(verdict.because.empty());
        for (auto const& fact : verdict.because) EXPECT_EQ(fact.value, std::nullopt) << fact.field;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Fields, ACondition,
    testing::Values(
        Expected{R"({"field": "gfx_target", "is": "gfx942"})", Truth::yes},
        Expected{R"({"field": "gfx_target", "is": "gfx94"})", Truth::no},
        Expected{R"({"field": "gfx_target", "in": ["gfx950", "gfx942"]})", Truth::yes},
        Expected{R"({"field": "gfx_target", "in": ["gfx950"]})", Truth::no},
        Expected{R"({"field": "gfx_target", "starts_with": "gfx9"})", Truth::yes},
        Expected{R"({"field": "gfx_target", "starts_with": "gfx11"})", Truth::no},
        Expected{R"({"field": "compute_units", "at_least": 304})", Truth::yes},
        Expected{R"({"field": "compute_units", "below": 304})", Truth::no},
        Expected{R"({"field": "compute_units", "at_least": 100, "below": 1000})", Truth::yes},
        Expected{R"({"field": "compute_units", "is": 304})", Truth::yes},
        Expected{R"({"field": "is_apu", "is": false})", Truth::yes},
        Expected{R"({"field": "is_apu", "is": true})", Truth::no},
        Expected{R"({"field": "link_max_gt_per_s", "at_least": 16})", Truth::yes},
        Expected{R"({"field": "link_max_gt_per_s", "below": 16})", Truth::no},
        Expected{R"({"field": "kernel_release", "at_least": "6.8"})", Truth::yes},
        Expected{R"({"field": "kernel_release", "at_least": "6.10"})", Truth::no},
        Expected{R"({"field": "kernel_arguments", "contains": "iommu=pt"})", Truth::yes},
        Expected{R"({"field": "kernel_arguments", "contains": "iommu"})", Truth::no}));

INSTANTIATE_TEST_SUITE_P(
    Maps, ACondition,
    testing::Values(
        Expected{R"({"field": "firmware", "entry": "mec", "below": "177"})", Truth::yes},
        Expected{R"({"field": "firmware", "entry": "mec", "at_least": "163"})", Truth::yes},
        Expected{R"({"field": "firmware", "entry": "sdma", "present": true})", Truth::no},
        Expected{R"({"field": "firmware", "entry": "sdma", "below": "9"})", Truth::no},
        Expected{R"({"field": "environment", "entry": "HIP_VISIBLE_DEVICES", "is": "0"})",
                 Truth::yes},
        Expected{R"({"field": "environment", "entry": "HIP_VISIBLE_DEVICES", "present": false})",
                 Truth::no}));

INSTANTIATE_TEST_SUITE_P(
    LackingAndUnknown, ACondition,
    testing::Values(Expected{R"({"field": "compute_partition", "is": "SPX"})", Truth::no},
                    Expected{R"({"field": "compute_partition", "present": true})", Truth::no},
                    Expected{R"({"field": "compute_partition", "present": false})", Truth::yes},
                    Expected{R"({"field": "vram_bytes", "at_least": 1})", Truth::unknown},
                    Expected{R"({"field": "vram_bytes", "present": true})", Truth::unknown},
                    Expected{R"({"not": {"field": "vram_bytes", "at_least": 1}})", Truth::unknown},
                    Expected{R"({"field": "memory_bytes", "below": 1})", Truth::unknown}));

INSTANTIATE_TEST_SUITE_P(
    Software, ACondition,
    testing::Values(Expected{R"({"package": "torch", "at_least": "2.11"})", Truth::yes},
                    Expected{R"({"package": "torch", "at_least": "2.9", "below": "2.12"})",
                             Truth::yes},
                    Expected{R"({"package": "torch", "below": "2.11"})", Truth::no},
                    Expected{R"({"package": "torch", "present": true})", Truth::yes},
                    Expected{R"({"package": "vllm", "present": true})", Truth::no},
                    Expected{R"({"package": "vllm", "at_least": "0.1"})", Truth::no},
                    Expected{R"({"package": "jax", "at_least": "0.4"})", Truth::unknown},
                    Expected{R"({"package_hip": "torch", "at_least": "7.0"})", Truth::yes},
                    Expected{R"({"package_hip": "jax", "present": true})", Truth::no},
                    Expected{R"({"version": "rocm", "at_least": "7.14"})", Truth::yes},
                    Expected{R"({"version": "rocm", "below": "7.14"})", Truth::no},
                    Expected{R"({"version": "hip", "below": "6.4.43484"})", Truth::no},
                    Expected{R"({"version": "hip", "below": "6.4.43485"})", Truth::yes},
                    Expected{R"({"installed": "librccl"})", Truth::yes},
                    Expected{R"({"installed": "libMIOpen"})", Truth::no}));

INSTANTIATE_TEST_SUITE_P(
    Counts, ACondition,
    testing::Values(
        Expected{R"({"count": "gpus", "is": 2})", Truth::yes},
        Expected{R"({"count": "gpus", "at_least": 3})", Truth::no},
        Expected{R"({"count": "unselected_gpus", "at_least": 1})", Truth::yes},
        Expected{R"({"count": "numa_nodes", "at_least": 2})", Truth::yes},
        Expected{R"({"count": "rdma_devices", "at_least": 1})", Truth::no},
        Expected{R"({"count": "rdma_devices", "is": 0})", Truth::yes},
        Expected{R"({"count": "iommu_units", "is": 0})", Truth::unknown},
        Expected{
            R"({"count": "gpus", "where": {"field": "gfx_target", "is": "gfx942"}, "at_least": 1})",
            Truth::yes},
        Expected{
            R"({"count": "gpus", "where": {"field": "gfx_target", "is": "gfx942"}, "at_least": 2})",
            Truth::unknown},
        Expected{R"({"count": "gpus", "where": {"field": "gfx_target", "is": "gfx942"}, "is": 1})",
                 Truth::unknown},
        Expected{
            R"({"count": "gpus", "where": {"field": "gfx_target", "is": "gfx942"}, "below": 3})",
            Truth::yes},
        Expected{
            R"({"count": "gpus", "where": {"field": "gfx_target", "is": "gfx942"}, "at_least": 3})",
            Truth::no}));

constexpr auto yes = R"({"field": "gfx_target", "is": "gfx942"})";
constexpr auto no = R"({"field": "gfx_target", "is": "gfx900"})";
constexpr auto open = R"({"field": "vram_bytes", "at_least": 1})";

Expected group(std::string const& kind, std::vector<std::string> const& parts, Truth truth) {
    std::string list;
    for (auto const& part : parts) list += (list.empty() ? "" : ", ") + part;
    return {"{\"" + kind + "\": [" + list + "]}", truth};
}

INSTANTIATE_TEST_SUITE_P(
    Kleene, ACondition,
    testing::Values(group("all", {}, Truth::yes), group("any", {}, Truth::no),
                    group("all", {yes, yes}, Truth::yes), group("all", {yes, no}, Truth::no),
                    group("all", {yes, open}, Truth::unknown),
                    group("all", {open, yes}, Truth::unknown), group("all", {open, no}, Truth::no),
                    group("all", {no, open}, Truth::no), group("any", {no, no}, Truth::no),
                    group("any", {no, yes}, Truth::yes), group("any", {no, open}, Truth::unknown),
                    group("any", {open, no}, Truth::unknown), group("any", {open, yes}, Truth::yes),
                    group("any", {yes, open}, Truth::yes),
                    Expected{"{\"not\": " + std::string(yes) + "}", Truth::no},
                    Expected{"{\"not\": " + std::string(no) + "}", Truth::yes}));

TEST(Conditions, name_the_fact_that_decides_and_its_value) {
    auto const verdict = judge(small_host(), R"({"any": [{"field": "cpu_threads", "at_least": 64},
                                                         {"field": "gfx_target", "is": "x"}]})",
                               0);
    ASSERT_EQ(verdict.because.size(), 1U);
    EXPECT_EQ(verdict.because[0].subject, "host");
    EXPECT_EQ(verdict.because[0].field, "cpu_threads");
    EXPECT_EQ(verdict.because[0].value, "64");
}

TEST(Conditions, name_every_fact_that_is_missing) {
    auto const verdict = judge(small_host(), R"({"all": [{"field": "cpu_threads", "at_least": 64},
        {"field": "gfx_target", "is": "gfx942"}, {"package": "torch", "present": true}]})",
                               1);
    EXPECT_EQ(verdict.truth, Truth::unknown);
    ASSERT_EQ(verdict.because.size(), 2U);
    EXPECT_EQ(verdict.because[0].subject, "0000:02:00.0");
    EXPECT_EQ(verdict.because[0].field, "gfx_target");
    EXPECT_EQ(verdict.because[1].field, "package:torch");
}

TEST(Conditions, without_a_GPU_leave_facts_of_GPUs_open) {
    auto const host = small_host();
    ParsedCondition const condition(yes);
    SelectedHost const scene{.host = &host};
    EXPECT_EQ(Evaluator(scene)(condition, nullptr).truth, Truth::unknown);
    EXPECT_EQ(Evaluator(scene)({}, nullptr).truth, Truth::yes);
}

TEST(Conditions, about_a_list_that_may_lack_entries_do_not_say_no) {
    auto host = small_host();
    host.kernel_arguments.limit(Missing::denied, "/proc/cmdline");
    EXPECT_EQ(judge(host, R"({"field": "kernel_arguments", "contains": "x"})", 0).truth,
              Truth::unknown);
    EXPECT_EQ(judge(host, R"({"field": "kernel_arguments", "contains": "quiet"})", 0).truth,
              Truth::yes);
    EXPECT_EQ(judge(host, R"({"count": "kernel_arguments", "below": 5})", 0).truth, Truth::unknown);
    EXPECT_EQ(judge(host, R"({"count": "kernel_arguments", "at_least": 2})", 0).truth, Truth::yes);
}

TEST(Conditions, about_software_that_was_not_looked_for_are_open) {
    auto const host = small_host();
    for (auto const* text :
         {R"({"package": "torch", "present": true})", R"({"version": "rocm", "at_least": "6"})",
          R"({"version": "hip", "present": true})", R"({"installed": "librccl"})"}) {
        EXPECT_EQ(judge(host, text, 0).truth, Truth::unknown) << text;
    }
}

TEST(Conditions, take_the_only_installation_where_the_loader_takes_none) {
    auto host = small_host();
    RocmInstallation only{.path = "/venv"};
    only.version.offer("7.10.0", source);
    host.rocm_installations.offer({only}, source);
    EXPECT_EQ(judge(host, R"({"version": "rocm", "at_least": "7.9"})", 0).truth, Truth::yes);
    host.rocm_installations = {};
    host.rocm_installations.offer({only, only}, source);
    EXPECT_EQ(judge(host, R"({"version": "rocm", "at_least": "7.9"})", 0).truth, Truth::unknown);
    host.rocm_installations = {};
    host.rocm_installations.offer({}, source);
    EXPECT_EQ(judge(host, R"({"version": "rocm", "present": true})", 0).truth, Truth::no);
}

}  // namespace
}  // namespace rocmtune::test
