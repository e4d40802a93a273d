// SPDX-License-Identifier: MIT
// The embedded rules where they depend on versions and firmware: each side of the boundary.
#include <gtest/gtest.h>

#include <algorithm>

#include "judge/rules/advise.hpp"
#include "support/visible_host.hpp"

namespace rocmtune::test {
namespace {

Source const source{"test", "test"};

/// Two cards of one target, with RCCL.
Host two_cards(std::string const& target, std::string const& rocm) {
    auto host = host_of(2);
    for (auto& gpu : host.gpus) {
        gpu.gfx_target.offer(target, source);
        gpu.is_apu.offer(false, source);
        gpu.xgmi_hive_id.offer("1", source);
    }
    RocmInstallation installation{
        .path = "/opt/rocm", .libraries = {{"librccl", "librccl.so.1"}}, .selected = true};
    installation.version.offer(rocm, source);
    host.rocm_installations.offer({installation}, source);
    host.frameworks.miss(Missing::absent);
    return host;
}

void set_firmware(Host& host, std::string const& mec) {
    for (auto& gpu : host.gpus) {
        gpu.firmware = {};
        gpu.firmware.offer({{"mec", mec}}, source);
    }
}

void install(Host& host, std::vector<std::pair<std::string, std::string>> const& packages) {
    std::vector<Framework> all;
    for (auto const& [name, version] : packages) {
        all.push_back({.name = name, .path = "/venv"});
        all.back().version.offer(version, source);
        all.back().hip_version.miss(Missing::absent);
    }
    host.frameworks = {};
    host.frameworks.offer(all, source);
}

/// The value for a name, "?REASON" where it is open, or nothing.
std::string answer(Host const& host, std::string_view name, Workload workload,
                   Level level = Level::balanced) {
    auto const advice = advise(host, embedded_chips(), embedded_catalogue(),
                               {.level = level, .workload = workload});
    auto const same = [&](auto const& one) { return one.name == name; };
    auto const given = std::ranges::find_if(advice.recommendations, same);
    if (given != advice.recommendations.end()) return given->value;
    auto const open = std::ranges::find_if(advice.undecided, same);
    return open == advice.undecided.end() ? "" : "?" + open->reason;
}

TEST(Kernarg, is_set_for_MI300_before_ROCm_6_1_where_it_became_the_default) {
    constexpr auto name = "HIP_FORCE_DEV_KERNARG";
    EXPECT_EQ(answer(two_cards("gfx942", "6.0.2-115"), name, Workload::training), "1");
    EXPECT_EQ(answer(two_cards("gfx942", "6.1.0-82"), name, Workload::training), "");
    EXPECT_EQ(answer(two_cards("gfx942", "10.0.0"), name, Workload::training), "");
    EXPECT_EQ(answer(two_cards("gfx1100", "6.0.2"), name, Workload::training), "");
}

TEST(Kernarg, is_for_MI200_where_the_runtime_knows_a_safe_way) {
    constexpr auto name = "HIP_FORCE_DEV_KERNARG";
    for (auto const& [rocm, wanted] : {std::pair("6.1.3", ""), std::pair("6.2.0", "1")})
        EXPECT_EQ(answer(two_cards("gfx90a", rocm), name, Workload::inference, Level::aggressive),
                  wanted)
            << rocm;
}

/// Eight cards of gfx942 in one hive, each undivided.
Host eight_cards(std::string const& device_id, std::uint64_t compute_units,
                 std::string const& rocm = "7.2.0") {
    auto host = host_of(8);
    auto const two = two_cards("gfx942", rocm);
    host.rocm_installations = two.rocm_installations;
    host.frameworks = two.frameworks;
    host.rdma_devices.miss(Missing::absent);
    for (auto& gpu : host.gpus) {
        gpu.gfx_target.offer("gfx942", source);
        gpu.is_apu.offer(false, source);
        gpu.xgmi_hive_id.offer("1", source);
        gpu.compute_partition.offer("SPX", source);
        gpu.compute_units.offer(compute_units, source);
        gpu.pci_device_id.offer(device_id, source);
    }
    return host;
}

/// A practice, never a line of an environment: jobs of fewer than eight ranks must not find it set,
/// for which RCCL resets it to 2.
constexpr auto many_channels = "112, for jobs that use all eight GPUs of the host";

TEST(Channels, are_those_of_the_guides_for_MI300X_and_not_for_its_relatives) {
    constexpr auto name = "NCCL_MIN_NCHANNELS";
    EXPECT_EQ(answer(eight_cards("0x74a1", 304), name, Workload::training), many_channels);
    EXPECT_EQ(answer(eight_cards("0x74a2", 80), name, Workload::training), "") << "MI308X";
    EXPECT_EQ(answer(eight_cards("0x74a5", 304), name, Workload::training), "") << "MI325X";
}

TEST(Channels, are_left_to_RCCL_from_ROCm_7_0_on_where_jobs_may_span_hosts) {
    constexpr auto name = "NCCL_MIN_NCHANNELS";
    for (auto const& [rocm, wanted] :
         {std::pair("6.4.1", many_channels), std::pair("7.0.0", ""), std::pair("7.2.1", "")}) {
        auto host = eight_cards("0x74a1", 304, rocm);
        host.rdma_devices = {};
        host.rdma_devices.offer({"mlx5_0"}, source);
        EXPECT_EQ(answer(host, name, Workload::training), wanted) << rocm;
    }
    auto host = eight_cards("0x74a1", 304, "7.2.0");
    host.rdma_devices = {};
    host.rdma_devices.miss(Missing::denied);
    EXPECT_EQ(answer(host, name, Workload::training), "?missing-fact");
}

TEST(Observed, versions_bound_a_rule_on_both_sides) {
    constexpr auto name = "NCCL_MIN_NCHANNELS";
    for (auto const& [rocm, wanted] :
         {std::pair("6.2.4", "?validity-unknown"), std::pair("6.3.0", many_channels),
          std::pair("7.2.1", many_channels), std::pair("7.3.0", "?validity-unknown")})
        EXPECT_EQ(answer(eight_cards("0x74a1", 304, rocm), name, Workload::training), wanted)
            << rocm;
}

TEST(ScratchReclaim, is_switched_off_where_RCCL_asks_for_it) {
    constexpr auto name = "HSA_NO_SCRATCH_RECLAIM";
    auto host = two_cards("gfx942", "6.4.1");
    host.runtimes.offer({{.name = "hip", .status = "ok", .version = "7.0.51831"}}, source);
    set_firmware(host, "0xb0");  // 176
    EXPECT_EQ(answer(host, name, Workload::training), "1");
    set_firmware(host, "0xb1");  // 177
    EXPECT_EQ(answer(host, name, Workload::training), "");
    host.runtimes = {};
    host.runtimes.offer({{.name = "hip", .status = "ok", .version = "6.4.43483"}}, source);
    EXPECT_EQ(answer(host, name, Workload::training), "1");
    host.runtimes = {};
    EXPECT_EQ(answer(host, name, Workload::training), "?missing-fact");
    EXPECT_EQ(answer(host, name, Workload::none), "");
}

TEST(ScratchReclaim, has_another_boundary_on_gfx950_and_none_on_Radeon) {
    constexpr auto name = "HSA_NO_SCRATCH_RECLAIM";
    for (auto const& [target, mec, wanted] :
         {std::tuple("gfx950", "0x17", "1"), std::tuple("gfx950", "0x18", ""),
          std::tuple("gfx1100", "0x17", ""), std::tuple("gfx90a", "0x17", "")}) {
        auto host = two_cards(target, "7.2.0");
        host.runtimes.offer({{.name = "hip", .status = "ok", .version = "7.2.26015"}}, source);
        set_firmware(host, mec);
        EXPECT_EQ(answer(host, name, Workload::inference), wanted) << target << " " << mec;
    }
}

TEST(ScratchReclaim, is_switched_off_for_RCCL_on_gfx90a_from_ROCm_7_13_on) {
    constexpr auto name = "HSA_NO_SCRATCH_RECLAIM";
    for (auto const& [rocm, wanted] :
         {std::pair("7.12.1", ""), std::pair("7.13.0", "1"), std::pair("10.1.0", "1"),
          std::pair("10.2.0", "?validity-unknown")})
        EXPECT_EQ(answer(two_cards("gfx90a", rocm), name, Workload::training), wanted) << rocm;
    auto host = two_cards("gfx90a", "7.13.0");
    EXPECT_EQ(answer(host, name, Workload::inference), "1");
    EXPECT_EQ(answer(host, name, Workload::none), "");
    EXPECT_EQ(answer(host, name, Workload::development), "");
    EXPECT_EQ(answer(host, name, Workload::training, Level::conservative), "");
    host.gpus.pop_back();
    EXPECT_EQ(answer(host, name, Workload::training), "") << "one GPU has no collectives";
}

TEST(Aiter, is_for_vLLM_on_Instinct_where_it_is_installed) {
    constexpr auto name = "VLLM_ROCM_USE_AITER";
    for (auto const& [target, wanted] : {std::pair("gfx942", "1"), std::pair("gfx950", "1"),
                                         std::pair("gfx90a", ""), std::pair("gfx1201", "")}) {
        auto host = two_cards(target, "7.2.0");
        install(host, {{"vllm", "0.11"}, {"amd-aiter", "0.1.4"}});
        EXPECT_EQ(answer(host, name, Workload::inference), wanted) << target;
        EXPECT_EQ(answer(host, name, Workload::training), "") << target;
        install(host, {{"vllm", "0.11"}});
        EXPECT_EQ(answer(host, name, Workload::inference), "") << target;
    }
}

/// It serves vision encoders only, and a gain is on record for RDNA3 only: never set, and said
/// where somebody asks for trials.
TEST(FlashAttention, of_vLLM_is_a_trial_for_models_that_see_on_RDNA3) {
    auto const* name = "FLASH_ATTENTION_TRITON_AMD_ENABLE";
    for (auto const* target : {"gfx1100", "gfx1103", "gfx1151", "gfx1201", "gfx942"}) {
        auto host = two_cards(target, "7.2.0");
        install(host, {{"vllm", "0.11"}, {"flash-attn", "2.8.3"}});
        EXPECT_EQ(answer(host, name, Workload::inference), "") << target;
        auto const trial = answer(host, name, Workload::inference, Level::aggressive);
        auto const is_rdna3 = std::string_view(target).starts_with("gfx110");
        EXPECT_EQ(trial.find("sees images") != trial.npos, is_rdna3) << target << trial;
        EXPECT_EQ(trial.empty(), !is_rdna3) << target << trial;
    }
    for (auto const& rule : embedded_chips().rules()) {
        if (rule.name != name) continue;
        EXPECT_EQ(rule.kind, SettingKind::practice) << rule.id;
    }
}

TEST(Xnack, is_never_a_setting_and_no_advice_for_Radeon) {
    for (auto const* target : {"gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"}) {
        auto const host = two_cards(target, "7.2.0");
        auto const text = answer(host, "HSA_XNACK", Workload::development, Level::aggressive);
        EXPECT_NE(text, "1") << target;
        EXPECT_EQ(text.empty(), std::string_view(target) != "gfx90a") << target << text;
    }
}

TEST(Precision, is_what_the_matrix_units_run_fastest) {
    for (auto const& [target, wanted] :
         {std::pair("gfx908", "fp16 with loss scaling"), std::pair("gfx90a", "bf16"),
          std::pair("gfx942", "bf16"), std::pair("gfx1030", "fp16 where the model allows it"),
          std::pair("gfx1100", "bf16 or fp16"), std::pair("gfx1201", "bf16 or fp16")}) {
        EXPECT_EQ(answer(two_cards(target, "7.2.0"), "mixed precision", Workload::training), wanted)
            << target;
    }
    for (auto const& [target, wanted] :
         {std::pair("gfx942", "FNUZ"), std::pair("gfx950", "OCP"), std::pair("gfx1200", "OCP"),
          std::pair("gfx1100", ""), std::pair("gfx90a", "")}) {
        auto const text = answer(two_cards(target, "7.2.0"), "fp8 format", Workload::inference);
        EXPECT_EQ(text.substr(0, text.find(' ')), wanted) << target;
        EXPECT_EQ(embedded_chips().find_chip(target)->facts.fp8_format, wanted) << target;
    }
}

TEST(Caches, on_network_file_systems_are_moved_and_others_are_left_alone) {
    constexpr auto name = "caches on network file systems";
    for (auto const& [kind, given] : {std::pair("nfs", true), std::pair("lustre", true),
                                      std::pair("ext", false), std::pair("overlay", false)}) {
        auto host = two_cards("gfx1100", "7.2.0");
        install(host, {{"torch", "2.9.0"}});
        host.home_filesystem.offer(kind, source);
        EXPECT_EQ(!answer(host, name, Workload::training).empty(), given) << kind;
    }
    auto open = two_cards("gfx1100", "7.2.0");
    install(open, {{"torch", "2.9.0"}});
    EXPECT_EQ(answer(open, name, Workload::training), "?missing-fact");
}

TEST(Visibility, of_a_card_beside_the_processors_graphics_is_the_card) {
    auto host = two_cards("gfx1100", "6.4.1");
    host.gpus[1].is_apu = {};
    host.gpus[1].is_apu.offer(true, source);
    EXPECT_EQ(answer(host, "ROCR_VISIBLE_DEVICES", Workload::none), "GPU-00000000000000a1");
    EXPECT_EQ(answer(host, "ROCR_VISIBLE_DEVICES", Workload::none, Level::conservative), "");
    host.environment.offer({{"CUDA_VISIBLE_DEVICES", "0"}}, source);
    EXPECT_EQ(answer(host, "ROCR_VISIBLE_DEVICES", Workload::none), "?conflict");
    EXPECT_EQ(answer(two_cards("gfx1100", "6.4.1"), "ROCR_VISIBLE_DEVICES", Workload::none), "");
}

}  // namespace
}  // namespace rocmtune::test
