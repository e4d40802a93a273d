// SPDX-License-Identifier: MIT
// RT1xxx: what is wrong with a device map, and silence where nothing is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "judge/checks/checks.hpp"
#include "knowledge/findings.hpp"
#include "support/reports.hpp"

namespace rocmtune::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Source from(std::string_view reader) {
    return {reader, "test"};
}

/// Two GPUs of which all sources say the same.
Host sound_host() {
    Host host;
    for (std::uint64_t row = 0; row < 2; ++row) {
        auto& gpu = host.gpus.emplace_back();
        gpu.row.offer(row, from("rows"));
        gpu.vendor.offer("AMD", from("pci"));
        gpu.pci_address.offer(row == 0 ? "0000:03:00.0" : "0000:83:00.0", from("kfd"));
        gpu.kfd_node.offer(row + 1, from("kfd"));
        for (auto const* reader : {"kfd", "hsa", "hip"}) {
            gpu.gfx_target.offer("gfx1100", from(reader));
            gpu.compute_units.offer(96, from(reader));
        }
        gpu.gfx_target_reported.offer("gfx1100", from("hip"));
        gpu.hip_index.offer(row, from("hip"));
        gpu.rocr_index.offer(row, from("hsa"));
        gpu.smi_index.offer(row, from("rocm_smi"));
    }
    return host;
}

std::vector<Finding> judged(Host host) {
    settle(host);
    return judge_device_map(host);
}

/// "RT1001 warn 0000:03:00.0: message"
std::vector<std::string> lines_of(std::vector<Finding> const& findings) {
    std::vector<std::string> lines;
    for (auto const& finding : findings)
        lines.push_back(fmt::format("{} {} {}: {}", finding.id, word_of(finding.verdict),
                                    finding.subject, finding.message));
    return lines;
}

std::vector<std::string> evidence_lines(Finding const& finding) {
    std::vector<std::string> lines;
    for (auto const& one : finding.evidence) lines.push_back(one.source + " = " + one.value);
    return lines;
}

TEST(DeviceMap, of_a_sound_host_gives_no_finding) {
    EXPECT_THAT(judged(sound_host()), IsEmpty());
    EXPECT_THAT(judged({}), IsEmpty());
}

TEST(DeviceMap, names_the_sources_that_disagree) {
    auto host = sound_host();
    host.gpus[1].compute_units.offer(60, from("hip"));
    auto const findings = judged(host);
    EXPECT_THAT(lines_of(findings),
                ElementsAre("RT1001 warn 0000:83:00.0: sources disagree about compute_units: "
                            "96 by kfd, 60 by hip"));
    EXPECT_THAT(evidence_lines(findings[0]), ElementsAre("kfd: test = 96", "hip: test = 60"));
    EXPECT_EQ(findings[0].action, Action::monitor);
    EXPECT_FALSE(findings[0].next_step.empty());
    EXPECT_FALSE(findings[0].sources.empty());
}

TEST(DeviceMap, names_the_partition) {
    auto host = sound_host();
    host.gpus[0].partition_index.offer(3, from("kfd"));
    host.gpus[0].partition_count.offer(8, from("kfd"));
    host.gpus[0].compute_units.offer(38, from("hsa"));
    EXPECT_EQ(judged(host).at(0).subject, "0000:03:00.0/3");
}

TEST(DeviceMap, ignores_sources_that_count_otherwise) {
    auto host = sound_host();
    host.gpus[0].marketing_name.offer("Radeon", from("names"));
    host.gpus[0].marketing_name.offer("AMD Radeon Graphics", from("hip"));
    host.gpus[0].vram_bytes.offer(1000, from("drm"));
    host.gpus[0].vram_bytes.offer(990, from("hip"));  // within the tolerance
    EXPECT_THAT(judged(host), IsEmpty());
}

TEST(DeviceMap, names_a_device_that_only_a_library_reports) {
    auto host = sound_host();
    auto& gpu = host.gpus.emplace_back();
    gpu.row.offer(2, from("rows"));
    gpu.vendor.offer("AMD", from("hip"));
    gpu.marketing_name.offer("Radeon RX 7900 XTX", from("hip"));
    gpu.uuid.offer("GPU-00000000000000a1", from("hip"));
    gpu.hip_index.offer(2, from("hip"));
    gpu.smi_index.offer(2, from("rocm_smi"));
    auto const findings = judged(host);
    EXPECT_THAT(lines_of(findings), ElementsAre("RT1002 warn host: the kernel does not show the "
                                                "device in row 2 (Radeon RX 7900 XTX), listed by "
                                                "hip, rocm_smi"));
    EXPECT_THAT(evidence_lines(findings[0]), ElementsAre("hip: test = GPU-00000000000000a1"));
}

TEST(DeviceMap, expects_such_devices_in_wsl) {
    Host host;
    host.is_wsl.offer(true, from("surroundings"));
    host.gpus.emplace_back().vendor.offer("AMD", from("hsa"));
    EXPECT_EQ(judged(host).at(0).verdict, Verdict::info);
}

TEST(DeviceMap, names_both_runtimes_of_one_process) {
    auto host = sound_host();
    host.hip_runtime_loaded.offer("/opt/rocm-6/lib/libamdhip64.so.6", from("hip"));
    host.hip_runtime_loaded.offer("/opt/rocm-7/lib/libamdhip64.so.7", from("hip"));
    EXPECT_THAT(lines_of(judged(host)),
                ElementsAre("RT1003 warn host: 2 HIP runtimes share one process: "
                            "/opt/rocm-6/lib/libamdhip64.so.6, /opt/rocm-7/lib/libamdhip64.so.7"));
}

TEST(DeviceMap, names_an_override_once) {
    Host host;
    host.environment.offer({{"HSA_OVERRIDE_GFX_VERSION", "10.3.0"}}, from("environment"));
    auto& gpu = host.gpus.emplace_back();
    gpu.pci_address.offer("0000:03:00.0", from("kfd"));
    gpu.gfx_target.offer("gfx1031", from("kfd"));
    gpu.gfx_target_reported.offer("gfx1030", from("hip"));
    gpu.gfx_target_reported.offer("gfx1030", from("hsa"));
    auto const findings = judged(host);
    EXPECT_THAT(lines_of(findings),
                ElementsAre("RT1004 warn 0000:03:00.0: hip reports gfx1030, the hardware is "
                            "gfx1031: HSA_OVERRIDE_GFX_VERSION is set"));
    EXPECT_THAT(evidence_lines(findings[0]),
                ElementsAre("kfd: test = gfx1031", "hip: test = gfx1030",
                            "environment: HSA_OVERRIDE_GFX_VERSION = 10.3.0"));
}

TEST(DeviceMap, says_so_if_no_override_explains_the_target) {
    auto host = sound_host();
    host.environment.offer({}, from("environment"));
    for (auto* fact : {&host.gpus[0].gfx_target, &host.gpus[0].gfx_target_reported})
        fact->offer("gfx1101", from("hsa"));
    host.gpus[0].gfx_target_reported = {};
    host.gpus[0].gfx_target_reported.offer("gfx1101", from("hsa"));
    EXPECT_THAT(lines_of(judged(host)),
                ElementsAre("RT1004 warn 0000:03:00.0: hsa reports gfx1101, the hardware is "
                            "gfx1100, and no override is set"));
}

TEST(DeviceMap, keeps_silent_about_an_override_that_changes_nothing) {
    auto host = sound_host();
    host.environment.offer({{"HSA_OVERRIDE_GFX_VERSION", "11.0.0"}}, from("environment"));
    EXPECT_THAT(judged(host), IsEmpty());
}

TEST(DeviceMap, names_a_gpu_with_two_numbers) {
    auto host = sound_host();
    host.gpus[0].hip_index.offer(7, from("hip"));
    EXPECT_THAT(lines_of(judged(host)), ElementsAre("RT1005 warn 0000:03:00.0: two numbers in "
                                                    "hip_index: 0 by hip, 7 by hip"));
}

TEST(DeviceMap, names_a_number_that_stands_for_two_gpus) {
    auto host = sound_host();
    host.gpus[1].rocr_index = {};
    host.gpus[1].rocr_index.offer(0, from("hsa"));
    auto const findings = judged(host);
    EXPECT_THAT(lines_of(findings),
                ElementsAre("RT1005 warn 0000:83:00.0: rocr_index 0 stands for rows 0 and 1"));
    EXPECT_THAT(evidence_lines(findings[0]),
                ElementsAre("hsa: test = 0000:03:00.0", "hsa: test = 0000:83:00.0"));
}

TEST(DeviceMap, keeps_the_numbers_of_two_smi_libraries_apart) {
    auto host = sound_host();
    host.gpus[1].smi_index = {};
    host.gpus[1].smi_index.offer(0, from("amd_smi"));
    EXPECT_THAT(judged(host), IsEmpty());
}

// ---- the table ----------------------------------------------------------------------------------

TEST(FindingKinds, stand_in_the_order_of_their_ids) {
    auto const kinds = all_finding_kinds();
    EXPECT_TRUE(std::ranges::is_sorted(kinds, {}, &FindingKind::id));
    for (auto const& kind : kinds) {
        EXPECT_EQ(find_finding_kind(kind.id), &kind);
        EXPECT_FALSE(kind.title.empty() || kind.meaning.empty() || kind.next_step.empty());
        EXPECT_FALSE(kind.sources.empty()) << kind.id;
    }
    EXPECT_EQ(find_finding_kind("RT9999"), nullptr);
    EXPECT_EQ(find_finding_kind(""), nullptr);
}

// ---- hosts --------------------------------------------------------------------------------------

/// Composed hosts that have the problem, with the ids that they must show.
std::map<std::string, std::vector<std::string>> const expected_ids{
    {"override-and-dispute", {"RT1001", "RT1004"}}};

class DeviceMapOfEveryHost : public testing::TestWithParam<std::string> {};

TEST_P(DeviceMapOfEveryHost, raises_no_false_alarm) {
    std::vector<std::string> ids;
    for (auto const& finding : judge_device_map(*report_of(GetParam()).host))
        ids.push_back(finding.id);
    auto const expected = expected_ids.find(GetParam());
    EXPECT_EQ(ids, expected == expected_ids.end() ? std::vector<std::string>() : expected->second);
}

INSTANTIATE_TEST_SUITE_P(Hosts, DeviceMapOfEveryHost, testing::ValuesIn(host_names()),
                         [](auto const& test) { return test_name(test.param); });

}  // namespace
}  // namespace rocmtune::test
