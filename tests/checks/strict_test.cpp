// SPDX-License-Identifier: MIT
// What a site's rules make stricter, and what no composed host can show.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "judge/checks/check.hpp"
#include "judge/checks/checks.hpp"
#include "knowledge/findings.hpp"
#include "rocmtune/fact.hpp"
#include "support/faults.hpp"

namespace rocmtune::test {
namespace {

std::vector<Finding> results(Host const& host, char const* only, CheckRules rules = {}) {
    CheckSelection selection;
    selection.only = {only};
    selection.rules = rules;
    return run_checks(host, embedded_chips(), selection);
}

Verdict verdict_of(Host const& host, char const* only, CheckRules rules = {}) {
    return results(host, only, rules).at(0).verdict;
}

constexpr CheckRules strict{.strict = true};
constexpr CheckRules idle{.idle = true};

TEST(GpusFound, is_unknown_where_a_library_was_cut_off) {
    auto const host = FaultyHost("no-gpu").probed();
    EXPECT_EQ(verdict_of(host, "gpus-found"), Verdict::skip);
    for (auto const& [status, verdict] : std::map<std::string, Verdict>{
             {"ok", Verdict::skip},
             {"absent", Verdict::skip},
             {"error", Verdict::skip},  // it says itself that it has nothing to work with
             {"signal", Verdict::unknown},
             {"timeout", Verdict::unknown},
             {"unkillable", Verdict::unknown}}) {
        auto answered = host;
        answered.runtimes = {};
        answered.runtimes.offer({Runtime{.name = "hip", .status = status}}, {"test", "test"});
        EXPECT_EQ(verdict_of(answered, "gpus-found"), verdict) << status;
    }
    auto unasked = host;
    unasked.runtimes = {};
    unasked.runtimes.offer(
        {Runtime{.name = "hip", .status = "error", .detail = "it could not be started: EMFILE"}},
        {"test", "test"});
    EXPECT_EQ(verdict_of(unasked, "gpus-found"), Verdict::unknown);
}

TEST(RocmSeveral, is_unknown_where_a_directory_was_not_read) {
    auto host = FaultyHost("mi210-x8").probed();
    EXPECT_EQ(verdict_of(host, "rocm-several"), Verdict::pass);
    host.rocm_installations.limit(Missing::timeout, "/opt/rocm-6.2.0/lib");
    EXPECT_EQ(verdict_of(host, "rocm-several"), Verdict::unknown);
}

std::size_t passes(Host const& host, char const* only) {
    auto const all = results(host, only);
    return static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [](auto const& one) { return one.verdict == Verdict::pass; }));
}

TEST(CutShort, reading_of_devices_lets_nothing_pass) {
    auto host = FaultyHost("mi210-x8").probed();
    EXPECT_GT(passes(host, "link-width"), 0U);
    EXPECT_GT(passes(host, "cpu-governor"), 0U);
    host.gpus[3].vbios_version = {};
    host.gpus[3].vbios_version.miss(Missing::failed, "/sys/class/drm/card3/device/vbios_version: " +
                                                         std::string(reader_ended_early));
    for (auto const* const check : {"link-width", "cpu-governor", "gpus-found"}) {
        EXPECT_EQ(passes(host, check), 0U) << check;
        EXPECT_THAT(results(host, check).at(0).message,
                    testing::StartsWith("reading was cut short"));
    }
    auto const findings = run_checks(host, embedded_chips(), {});
    EXPECT_EQ(exit_of(summary_of(host, findings, {}), Verdict::fail), Exit::undetermined);
}

TEST(CutShort, reading_of_software_says_nothing_of_devices) {
    auto host = FaultyHost("rocm-many").probed();
    EXPECT_GT(passes(host, "rocm"), 0U);
    host.frameworks = {};
    host.frameworks.miss(Missing::timeout, "/opt/venv/lib: " + std::string(time_was_used_up));
    EXPECT_GT(passes(host, "gpus-found"), 0U);
    EXPECT_EQ(passes(host, "rocm"), 0U);
}

TEST(CutShort, what_is_wrong_stays_wrong) {
    auto host = FaultyHost("mi300x-degraded").probed();
    auto const fails = [&] {
        auto const all = run_checks(host, embedded_chips(), {});
        return std::count_if(all.begin(), all.end(),
                             [](auto const& one) { return one.verdict == Verdict::fail; });
    };
    auto const before = fails();
    ASSERT_GT(before, 0);
    host.kfd_nodes = {};
    host.kfd_nodes.miss(Missing::timeout, "/sys/class/kfd: " + std::string(time_was_used_up));
    EXPECT_EQ(fails(), before);
}

TEST(StrictRules, ask_a_server_for_full_speed) {
    auto const host = FaultyHost("mi210-x8").probed();
    EXPECT_EQ(verdict_of(host, "cpu-governor"), Verdict::pass);
    auto slow = host;
    slow.cpu_governor = {};
    slow.cpu_governor.offer("powersave", {"test", "test"});
    EXPECT_EQ(verdict_of(slow, "cpu-governor"), Verdict::pass);
    EXPECT_EQ(verdict_of(slow, "cpu-governor", strict), Verdict::warn);
}

TEST(StrictRules, compare_main_memory_with_that_of_the_gpus) {
    auto host = FaultyHost("mi210-x8").probed();
    host.memory_bytes = {};
    host.memory_bytes.offer(std::uint64_t{1} << 35, {"test", "test"});
    EXPECT_EQ(verdict_of(host, "host-memory"), Verdict::pass);
    EXPECT_EQ(verdict_of(host, "host-memory", strict), Verdict::warn);
}

TEST(StrictRules, fail_for_an_iommu_that_translates) {
    auto const host = FaultyHost("rx7900xt-x2").probed();
    EXPECT_EQ(verdict_of(host, "iommu"), Verdict::warn);
    EXPECT_EQ(verdict_of(host, "iommu", strict), Verdict::fail);
}

TEST(IdleRules, warn_of_a_process) {
    auto const host = FaultyHost("mi300x-x8").probed();
    EXPECT_EQ(verdict_of(host, "processes"), Verdict::info);
    EXPECT_EQ(verdict_of(host, "processes", idle), Verdict::warn);
    EXPECT_EQ(verdict_of(host, "processes", {.strict = true, .idle = true}), Verdict::fail);
}

TEST(Processes, of_another_check_or_of_a_watcher_are_no_users) {
    auto host = FaultyHost("rx7900xt-x2").probed();
    auto const subject = *host.gpus.at(0).pci_address;
    for (auto const* const name : {"rocmtune livene", "rocmtune hip", "rocmtune", "rdcd"}) {
        host.gpu_processes = {};
        host.gpu_processes.offer({{.pid = 7, .name = name, .through = "kfd", .gpus = {subject}}},
                                 {"test", "test"});
        EXPECT_EQ(verdict_of(host, "processes", idle), Verdict::pass) << name;
    }
    host.gpu_processes = {};
    host.gpu_processes.offer(
        {{.pid = 7, .name = "rocmtune bench", .through = "kfd", .gpus = {subject}}},
        {"test", "test"});
    EXPECT_EQ(verdict_of(host, "processes", idle), Verdict::warn);
}

TEST(MemoryUsed, is_strange_only_where_somebody_looked_who_uses_it) {
    auto host = FaultyHost("mi300x-x8").probed();
    for (std::uint64_t const row : {0, 1}) {
        auto& used = host.gpus[row].vram_used_bytes;
        used = {};
        used.offer(row * 100 << 30, {"test", "test"});
    }
    EXPECT_EQ(results(host, "memory-used").at(1).verdict, Verdict::warn);
    host.gpu_processes = {};
    host.gpu_processes.miss(Missing::not_recorded);
    auto const found = results(host, "memory-used");
    EXPECT_EQ(found.at(1).verdict, Verdict::unknown);
    EXPECT_EQ(found.at(1).next_step, "") << "no reset of a GPU that may be in use";
    EXPECT_EQ(found.at(0).verdict, Verdict::pass);
}

TEST(RasPresent, is_unknown_where_a_tree_lacks_what_every_driver_shows) {
    auto host = FaultyHost("mi300x-x8").probed();
    for (auto& gpu : host.gpus) {
        gpu.ras_features = {};
        gpu.ras_features.miss(Missing::absent);
    }
    host.gpus[0].vram_used_bytes = {};
    host.gpus[0].vram_used_bytes.miss(Missing::absent);
    auto const found = results(host, "ras-present");
    EXPECT_EQ(found.at(0).verdict, Verdict::unknown);
    EXPECT_EQ(found.at(1).verdict, Verdict::warn);
}

/// Whether the driver counts the errors of a chip stands in its profile, for one that no code knows
/// too.
TEST(RasPresent, is_asked_of_a_server_unless_its_profile_says_that_there_are_no_counters) {
    auto host = FaultyHost("mi300x-x8").probed();
    for (auto& gpu : host.gpus) {
        gpu.gfx_target = {};
        gpu.gfx_target.offer("gfx1990", {"test", "test"});
        gpu.ras_features = {};
        gpu.ras_features.miss(Missing::absent);
    }
    CheckSelection selection;
    selection.only = {"ras-present"};
    for (auto const& [ras, verdict] :
         {std::pair("true", Verdict::warn), {"false", Verdict::skip}, {"null", Verdict::warn}}) {
        auto const chips = with_overrides(embedded_chips(),
                                          {{"gfx1990.json", std::string(R"({"schema_version": "1.0",
                "extends": "common", "gfx_target": "gfx1990", "family": "CDNA9",
                "sources": ["linux-amdkfd"], "ras": )") + ras + "}"}});
        EXPECT_EQ(run_checks(host, chips, selection).at(0).verdict, verdict) << ras;
    }
}

TEST(PartitionModes, that_a_card_lacks_are_said_once) {
    auto const host = FaultyHost("rocm-many").probed();
    EXPECT_EQ(results(host, "partition-modes").size(), host.gpus.size());
}

TEST(MixedTargets, name_the_rows_of_each_target) {
    auto host = FaultyHost("mi210-x8").probed();
    host.gpus.resize(3);
    host.gpus[2].gfx_target = {};
    host.gpus[2].gfx_target.offer("gfx942", {"test", "test"});
    EXPECT_THAT(results(host, "mixed-targets").at(0).message,
                testing::HasSubstr("gfx90a (rows 0, 1), gfx942 (row 2)"));
}

TEST(MixedTargets, propose_no_mask_that_loses_a_gpu_without_identifier) {
    auto host = FaultyHost("igpu-and-dgpu").probed();
    auto const usual = results(host, "mixed-targets").at(0).next_step;
    EXPECT_NE(usual.find("ROCR_VISIBLE_DEVICES=GPU-"), usual.npos) << usual;
    for (auto& gpu : host.gpus) gpu.unique_id = {};
    auto const without = results(host, "mixed-targets").at(0).next_step;
    EXPECT_EQ(without.find("GPU-"), without.npos) << without;
}

TEST(Throttling, needs_a_temperature_near_its_limit_to_be_believed) {
    auto host = FaultyHost("rx7900xt-x2").probed();
    auto& gpu = host.gpus[1];
    gpu.throttle_reasons = {};
    gpu.throttle_reasons.offer({"TEMP_HOTSPOT"}, {"test", "test"});
    EXPECT_EQ(results(host, "throttling").at(1).verdict, Verdict::info);
    gpu.temperatures = {};
    gpu.temperatures.offer({{.name = "junction", .celsius = 104, .critical_celsius = 110}},
                           {"test", "test"});
    EXPECT_EQ(results(host, "throttling").at(1).verdict, Verdict::warn);
}

TEST(XgmiSpeed, below_that_of_the_peers_is_a_warning) {
    auto host = FaultyHost("mi300x-x8").probed();
    for (std::size_t i = 0; i < host.gpus.size(); ++i) {
        host.gpus[i].metrics = {};
        host.gpus[i].metrics.offer({{"xgmi_link_width", i == 3 ? 8.0 : 16.0}}, {"test", "test"});
    }
    std::vector<std::string> slow;
    for (auto const& finding : results(host, "xgmi-speed"))
        if (finding.verdict == Verdict::warn) slow.push_back(finding.subject);
    EXPECT_THAT(slow, testing::ElementsAre("0000:65:00.0"));
}

TEST(FrameworkTargets, without_code_for_the_gpu_fail) {
    auto host = FaultyHost("rx7900xt-x2").probed();
    Framework framework{.name = "torch", .path = "/venv"};
    framework.gfx_targets.offer({"gfx90a", "gfx942"}, {"test", "test"});
    host.frameworks = {};
    host.frameworks.offer({framework}, {"test", "test"});
    EXPECT_EQ(verdict_of(host, "framework-targets"), Verdict::fail);
    host.environment = {};
    host.environment.offer({{"HSA_OVERRIDE_GFX_VERSION", "9.0.10"}}, {"test", "test"});
    EXPECT_EQ(verdict_of(host, "framework-targets"), Verdict::info);
}

/// What is said of the masks that a process has.
Finding of_masks(std::map<std::string, std::string> environment) {
    auto host = FaultyHost("rx7900xt-x2").probed();
    host.environment = {};
    host.environment.offer(std::move(environment), {"test", "test"});
    return results(host, "masks").at(0);
}

TEST(TwoMasks, of_rocr_and_hip_count_one_after_the_other) {
    for (std::string const name : {"HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"}) {
        auto const finding = of_masks({{"ROCR_VISIBLE_DEVICES", "0"}, {name, "0"}});
        EXPECT_EQ(finding.verdict, Verdict::warn);
        EXPECT_THAT(finding.message, testing::HasSubstr("HIP counts what ROCr has left"));
    }
}

TEST(TwoMasks, of_hip_that_differ_are_not_both_read) {
    auto const finding = of_masks({{"HIP_VISIBLE_DEVICES", "0"}, {"CUDA_VISIBLE_DEVICES", "1"}});
    EXPECT_EQ(finding.verdict, Verdict::warn);
    EXPECT_THAT(finding.message,
                testing::HasSubstr("HIP reads HIP_VISIBLE_DEVICES and not CUDA_VISIBLE_DEVICES"));
    EXPECT_EQ(of_masks({{"HIP_VISIBLE_DEVICES", "1"}, {"CUDA_VISIBLE_DEVICES", "1"}}).verdict,
              Verdict::pass);
}

TEST(SamePlace, of_two_nodes_is_a_warning) {
    auto host = FaultyHost("rx7900xt-x2").probed();
    EXPECT_EQ(verdict_of(host, "same-place"), Verdict::pass);
    host.gpus[1].pci_address = host.gpus[0].pci_address;
    EXPECT_EQ(verdict_of(host, "same-place"), Verdict::warn);
}

TEST(LogMessages, of_ports_without_gpu_and_totals_of_zero_are_no_news) {
    auto const host = FaultyHost("mi300x-x8")
                          .log("pcieport 0000:99:00.0: pciehp: Slot(3): Link Down")
                          .log(
                              "amdgpu 0000:26:00.0: amdgpu: 0 correctable hardware errors "
                              "detected in total in umc block")
                          .probed();
    for (auto const& finding : results(host, "kernel-log"))
        EXPECT_EQ(finding.verdict, Verdict::pass) << finding.message;
}

std::map<std::string, std::string> log_verdicts(Host const& host, char const* only) {
    std::map<std::string, std::string> verdicts;
    for (auto const& finding : results(host, only))
        verdicts[finding.subject] = word_of(finding.verdict);
    return verdicts;
}

TEST(LogMessages, of_a_gpu_that_left_the_bus_are_about_it) {
    auto const host = FaultyHost("mi300x-x8")
                          .log("[drm] Initialized amdgpu 3.57.0 for 0000:99:00.0 on minor 9", 5)
                          .probed();
    EXPECT_EQ(log_verdicts(host, "RT3605").at("0000:99:00.0"), "fail");
    auto const told =
        FaultyHost("mi300x-x8").log("amdgpu 0000:99:00.0: amdgpu: device lost from bus!").probed();
    EXPECT_EQ(log_verdicts(told, "RT3605").at("0000:99:00.0"), "fail");
}

TEST(LogMessages, of_a_story_that_ended_well_are_no_failure) {
    auto const hang =
        "amdgpu 0000:26:00.0: amdgpu: ring sdma0 timeout, signaled seq=4, emitted seq=6";
    auto const reset = "amdgpu 0000:26:00.0: amdgpu: GPU reset(3) succeeded!";
    auto const failed = "amdgpu 0000:26:00.0: amdgpu: GPU reset end with ret = -62";
    auto const of = [&](auto... lines) {
        FaultyHost host("mi300x-x8");
        double seconds = 100;
        (host.log(lines, seconds++), ...);
        return log_verdicts(host.probed(), "RT3601").at("0000:26:00.0");
    };
    EXPECT_EQ(of(hang), "fail");
    EXPECT_EQ(of(hang, reset), "warn");
    EXPECT_EQ(of(hang, reset, hang), "fail");
    EXPECT_EQ(of(hang, failed), "fail");
    EXPECT_EQ(of(failed, reset), "warn");
}

TEST(LogMessages, age_only_what_heals) {
    auto const old = [](char const* line, char const* only) {
        auto const host = FaultyHost("mi300x-x8").log(line, 100).log("usb 1-1: x", 90000).probed();
        return log_verdicts(host, only).at("0000:26:00.0");
    };
    EXPECT_EQ(old("amdgpu 0000:26:00.0: amdgpu: ring sdma0 timeout, signaled seq=4", "RT3601"),
              "info");
    EXPECT_EQ(old("amdgpu 0000:26:00.0: amdgpu: GPU reset end with ret = -62", "RT3601"), "fail");
    EXPECT_EQ(old("amdgpu 0000:26:00.0: amdgpu: RAS records:33 exceed threshold:32", "RT3603"),
              "fail");
}

TEST(LogMessages, before_the_beginning_of_the_log_are_unknown_where_they_would_last) {
    auto const host =
        FaultyHost("mi300x-x8").call("kernel-log", "<6>[ 7200.0] amdgpu: late").probed();
    EXPECT_EQ(log_verdicts(host, "RT3604").at("0000:26:00.0"), "unknown");
    EXPECT_EQ(log_verdicts(host, "RT3602").at("0000:26:00.0"), "pass");
}

TEST(LogMessages, that_the_driver_gave_up_are_found_where_it_is_unbound) {
    auto host = FaultyHost("mi300x-x8")
                    .log("[drm:psp_hw_start [amdgpu]] *ERROR* PSP create ring failed!", 5)
                    .log("amdgpu 0000:26:00.0: amdgpu: Fatal error during GPU init", 5.1)
                    .log("amdgpu: probe of 0000:26:00.0 failed with error -22", 5.2)
                    .probed();
    for (auto& gpu : host.gpus)
        if (gpu.pci_address.value() == "0000:26:00.0") {
            gpu.driver = {};
            gpu.driver.miss(Missing::absent);
        }
    auto const found = results(host, "RT3604");
    auto const of_it = std::ranges::find(found, "0000:26:00.0", &Finding::subject);
    ASSERT_NE(of_it, found.end());
    EXPECT_EQ(of_it->verdict, Verdict::fail);
    EXPECT_THAT(of_it->message, testing::HasSubstr("security processor"));
    EXPECT_EQ(log_verdicts(host, "RT3005").at("0000:26:00.0"), "fail");
}

TEST(Checks, are_sorted_by_id_and_each_has_a_text) {
    std::string_view last;
    for (auto const& check : all_checks()) {
        EXPECT_LT(last, check.id);
        last = check.id;
        EXPECT_NE(find_finding_kind(check.id), nullptr) << check.id;
    }
}

TEST(Checks, of_an_empty_host_say_unknown_or_skip_and_never_pass) {
    for (auto const& finding : run_checks({}, embedded_chips(), {}))
        EXPECT_TRUE(finding.verdict == Verdict::unknown || finding.verdict == Verdict::skip)
            << finding.id << ' ' << finding.message;
}

/// The host with a fact that no composed host has.
template <class T>
Host with(Host host, Fact<T> Host::*fact, T value) {
    host.*fact = {};
    (host.*fact).offer(std::move(value), {"test", "test"});
    return host;
}

TEST(SmiLocks, are_blamed_only_where_rocm_smi_fails) {
    auto const host =
        with(FaultyHost("mi300x-x8").probed(), &Host::smi_locks, {"/dev/shm/rocm_smi_card0"});
    EXPECT_EQ(verdict_of(host, "smi-locks"), Verdict::pass);
    auto runtimes = *host.runtimes;
    for (auto& runtime : runtimes)
        if (runtime.name == "rocm_smi") runtime.status = "error";
    EXPECT_EQ(verdict_of(with(host, &Host::runtimes, runtimes), "smi-locks"), Verdict::warn);
    EXPECT_EQ(verdict_of(FaultyHost("mi300x-x8").probed(), "smi-locks"), Verdict::skip);
}

TEST(IdleStates, matter_on_a_server_with_rdma) {
    auto const host =
        with(FaultyHost("mi300x-x8").probed(), &Host::cpu_idle_states, {"POLL", "C1", "C2"});
    EXPECT_EQ(verdict_of(with(host, &Host::rdma_devices, {"mlx5_0"}), "idle-states"),
              Verdict::info);
    EXPECT_EQ(verdict_of(with(host, &Host::rdma_devices, {}), "idle-states"), Verdict::pass);
}

TEST(SeLinux, is_a_hint_in_a_container_that_is_refused_a_node) {
    auto host = with(FaultyHost("permission-eperm").probed(), &Host::selinux_enforcing, true);
    EXPECT_EQ(verdict_of(host, "selinux"), Verdict::info);
    EXPECT_EQ(verdict_of(with(host, &Host::selinux_enforcing, false), "selinux"), Verdict::pass);
    host = with(FaultyHost("mi300x-x8").probed(), &Host::selinux_enforcing, true);
    EXPECT_EQ(verdict_of(host, "selinux"), Verdict::pass);
}

TEST(Accepted, run_out_after_their_last_day) {
    auto const host = FaultyHost("rx7900xt-x2").probed();
    std::vector<Accepted> const accepted{{"iommu", "*", "2026-11-21", "known", 1}};
    auto findings = results(host, "iommu");
    apply_accepted(accepted, "2026-11-21", false, findings);
    EXPECT_EQ(findings.at(0).verdict, Verdict::skip);
    findings = results(host, "iommu");
    apply_accepted(accepted, "2026-11-22", false, findings);
    EXPECT_EQ(findings.at(0).verdict, Verdict::warn);
    EXPECT_EQ(findings.at(1).id, "RT3905");
}

}  // namespace
}  // namespace rocmtune::test
