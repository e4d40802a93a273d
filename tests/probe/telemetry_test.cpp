// SPDX-License-Identifier: MIT
// The state of a GPU now, and what is never read of one that sleeps.
#include <gtest/gtest.h>

#include <algorithm>

#include "probe/reader.hpp"
#include "support/hosts.hpp"
#include "support/small_gpu.hpp"

namespace rocmtune::test {
namespace {

constexpr std::string_view place = "/sys/devices/pci0000:00/0000:03:00.0";

std::string at_place(std::string text) {
    for (auto at = text.find('@'); at != text.npos; at = text.find('@')) text.replace(at, 1, place);
    return text;
}

Host telemetry(ProbeContext const& context) {
    Host host;
    read_kfd(context, host);
    read_pci(context, host);
    read_telemetry(context, host);
    return host;
}

Gpu gpu_with(std::string const& more) {
    auto const host = telemetry(recorded(pci_gpu("0000:03:00.0", place) + at_place(more)));
    EXPECT_EQ(host.gpus.size(), 1U);
    return host.gpus.at(0);
}

// ---- hwmon --------------------------------------------------------------------------------------

TEST(Telemetry, temperatures_are_thousandths_of_a_degree) {
    auto const gpu = gpu_with(
        "@/hwmon/hwmon7/temp1_label = edge\n@/hwmon/hwmon7/temp1_input = "
        "38500\n@/hwmon/hwmon7/temp1_crit = 100000\n"
        "@/hwmon/hwmon7/temp1_emergency = 105000\n@/hwmon/hwmon7/temp3_label = "
        "mem\n@/hwmon/hwmon7/temp3_input = -5000\n");
    ASSERT_TRUE(gpu.temperatures);
    ASSERT_EQ(gpu.temperatures->size(), 2U);
    EXPECT_EQ((*gpu.temperatures)[0].name, "edge");
    EXPECT_EQ((*gpu.temperatures)[0].celsius, 38.5);
    EXPECT_EQ((*gpu.temperatures)[0].critical_celsius, 100);
    EXPECT_EQ((*gpu.temperatures)[1].name, "mem");
    EXPECT_EQ((*gpu.temperatures)[1].celsius, -5);
    EXPECT_FALSE((*gpu.temperatures)[1].critical_celsius) << "APUs have none";
}

TEST(Telemetry, a_sensor_without_a_label_goes_by_its_channel) {
    auto const gpu = gpu_with("@/hwmon/hwmon7/temp1_input = 38500\n");
    ASSERT_EQ(gpu.temperatures->size(), 1U);
    EXPECT_EQ((*gpu.temperatures)[0].name, "temp1") << "kernels before 5.2";
    EXPECT_EQ((*gpu.temperatures)[0].celsius, 38.5);
}

TEST(Telemetry, a_temperature_that_is_no_number_is_missing) {
    auto const gpu = gpu_with(
        "@/hwmon/hwmon0/temp1_label = edge\n@/hwmon/hwmon0/temp1_input = "
        "N/A\n@/hwmon/hwmon0/temp1_crit = 99999999999999999999\n");
    EXPECT_FALSE((*gpu.temperatures)[0].celsius);
    EXPECT_FALSE((*gpu.temperatures)[0].critical_celsius);
}

TEST(Telemetry, a_label_padded_with_nul_is_the_label) {
    EXPECT_EQ((*gpu_with("@/hwmon/hwmon0/temp1_label base64 ZWRnZQoAAAAA\n").temperatures)[0].name,
              "edge");
}

TEST(Telemetry, power_is_the_average_or_the_value_now) {
    EXPECT_EQ(
        gpu_with("@/hwmon/hwmon0/power1_average = 41000000\n@/hwmon/hwmon0/power1_input = 1\n")
            .power_watts.value(),
        41);
    EXPECT_EQ(gpu_with("@/hwmon/hwmon0/power1_input = 3103000\n").power_watts.value(), 3.103)
        << "rounded as people read it";
    EXPECT_EQ(gpu_with("@/hwmon/hwmon0/power1_average error EOPNOTSUPP\n").power_watts.reason(),
              Missing::unsupported);
    EXPECT_EQ(gpu_with("@/hwmon/hwmon0/power1_average = x\n@/hwmon/hwmon0/power1_input = 5000000\n")
                  .power_watts.value(),
              5);
}

TEST(Telemetry, caps_fan_and_voltage_are_converted) {
    auto const gpu = gpu_with(
        "@/hwmon/hwmon0/power1_cap = 265000000\n@/hwmon/hwmon0/power1_cap_default = "
        "265000000\n@/hwmon/hwmon0/power1_cap_min = 0\n"
        "@/hwmon/hwmon0/power1_cap_max = x\n@/hwmon/hwmon0/in0_input = "
        "700\n@/hwmon/hwmon0/fan1_input = 1250\n");
    EXPECT_EQ(gpu.power_cap_watts.value(), 265);
    EXPECT_EQ(gpu.power_cap_min_watts.value(), 0);
    EXPECT_EQ(gpu.power_cap_max_watts.reason(), Missing::invalid);
    EXPECT_EQ(gpu.graphics_voltage_volts.value(), 0.7);
    EXPECT_EQ(gpu.fan_rpm.value(), 1250U);
}

TEST(Telemetry, a_gpu_without_hwmon_says_so_for_each_of_its_figures) {
    for (auto const& [more, reason] :
         {std::pair{"", Missing::absent}, std::pair{"@/hwmon dir\n", Missing::absent},
          std::pair{"@/hwmon error EACCES\n", Missing::denied}}) {
        auto const gpu = gpu_with(more);
        EXPECT_EQ(gpu.temperatures.reason(), reason);
        EXPECT_EQ(gpu.power_watts.reason(), reason);
        EXPECT_EQ(gpu.power_cap_watts.reason(), reason);
        EXPECT_EQ(gpu.fan_rpm.reason(), reason);
        EXPECT_EQ(gpu.graphics_voltage_volts.reason(), reason);
    }
    EXPECT_EQ(gpu_with("@/hwmon/hwmon3/name = amdgpu\n").temperatures.reason(), Missing::absent);
}

// ---- clocks and load ----------------------------------------------------------------------------

TEST(Telemetry, clock_tables_become_domains) {
    auto const gpu = gpu_with(
        "@/pp_dpm_sclk =\n\tS: 19Mhz *\n\t0: 500Mhz\n\t1: 2500Mhz\n@/pp_dpm_mclk = 0: 96Mhz "
        "*\n@/pp_dpm_fclk = \n@/pp_dpm_socclk error EINVAL\n");
    ASSERT_TRUE(gpu.clocks);
    ASSERT_EQ(gpu.clocks->size(), 2U);
    EXPECT_EQ((*gpu.clocks)[0].deep_sleep_mhz, 19);
    EXPECT_EQ((*gpu.clocks)[1].name, "mclk");
}

TEST(Telemetry, overclocked_memory_is_a_domain_of_its_own) {
    auto const gpu = gpu_with(
        "@/pp_dpm_mclk = 0: 1249Mhz *\n@/pp_od_clk_voltage =\n\tOD_MCLK:\n\t0: 97Mhz\n\t1: "
        "1350MHz\n");
    ASSERT_EQ(gpu.clocks->size(), 2U);
    EXPECT_EQ((*gpu.clocks)[1].name, "od_mclk");
    EXPECT_EQ((*gpu.clocks)[1].levels_mhz, (std::vector<double>{97, 1350}));
}

TEST(Telemetry, without_any_clock_the_worst_reason_counts) {
    EXPECT_EQ(gpu_with("").clocks.reason(), Missing::absent);
    EXPECT_EQ(gpu_with("@/pp_dpm_sclk error EACCES\n").clocks.reason(), Missing::denied);
    EXPECT_EQ(gpu_with("@/pp_dpm_sclk error EPERM\n@/pp_dpm_mclk error EINVAL\n").clocks.reason(),
              Missing::denied);
}

TEST(Telemetry, a_share_is_at_most_a_hundred_percent) {
    EXPECT_EQ(gpu_with("@/gpu_busy_percent = 100\n").busy_percent.value(), 100U);
    for (auto const* text : {"101", "-1", "x", "4294967295", "5%"})
        EXPECT_EQ(gpu_with(fmt::format("@/gpu_busy_percent = {}\n", text)).busy_percent.reason(),
                  Missing::invalid)
            << text;
    EXPECT_EQ(gpu_with("@/gpu_busy_percent error EBUSY\n").busy_percent.reason(), Missing::failed)
        << "in reset";
}

TEST(Telemetry, gpu_metrics_that_cannot_be_decoded_have_the_reason) {
    for (auto const* more : {"@/gpu_metrics =\n", "@/gpu_metrics base64 AAAA\n",
                             "@/gpu_metrics base64 YAABCf//////\n"}) {
        auto const gpu = gpu_with(more);
        EXPECT_EQ(gpu.metrics.reason(), Missing::invalid) << more;
        EXPECT_NE(gpu.metrics.detail(), "");
        EXPECT_EQ(gpu.throttle_reasons.reason(), Missing::invalid);
    }
    EXPECT_EQ(gpu_with("@/gpu_metrics error EOPNOTSUPP\n").metrics.reason(), Missing::unsupported);
}

// ---- reliability --------------------------------------------------------------------------------

TEST(Telemetry, counters_are_found_by_both_names) {
    auto const gpu = gpu_with(
        "@/ras/umc_err_count =\n\tue: 0\n\tce: 12\n\tde: 2\n@/ras/aca_gfx =\n\tue: 1\n\tce: "
        "0\n\tde: 0\n"
        "@/ras/sdma_err_count = Query currently inaccessible\n@/ras/hdp_err_count error "
        "EINVAL\n@/ras/features = feature mask: 0x1fff\n"
        "@/ras/schema = 1\n");
    ASSERT_TRUE(gpu.ras_blocks);
    ASSERT_EQ(gpu.ras_blocks->size(), 4U);
    auto const block = [&](std::string const& name) {
        return *std::find_if(gpu.ras_blocks->begin(), gpu.ras_blocks->end(),
                             [&](RasBlock const& b) { return b.name == name; });
    };
    EXPECT_EQ(block("umc").deferred, 2U);
    EXPECT_EQ(block("gfx").uncorrectable, 1U);
    EXPECT_TRUE(block("sdma").problem);
    EXPECT_TRUE(block("hdp").problem);
    EXPECT_NE(block("hdp").problem->find("EINVAL"), std::string::npos);
}

TEST(Telemetry, pages_and_links_without_a_file_are_absent) {
    auto const gpu = gpu_with("");
    EXPECT_EQ(gpu.ras_blocks.reason(), Missing::absent);
    EXPECT_EQ(gpu.bad_pages_retired.reason(), Missing::absent);
    EXPECT_EQ(gpu.xgmi_errors.reason(), Missing::absent);
    EXPECT_EQ(gpu_with("@/ras/gpu_vram_bad_pages =\n").bad_pages_pending.value(), 0U);
    EXPECT_EQ(
        gpu_with("@/ras/gpu_vram_bad_pages = 0x1 : 0x1000 : F\n").bad_pages_unreservable.value(),
        1U);
    EXPECT_EQ(gpu_with("@/ras/gpu_vram_bad_pages = rubbish\n").bad_pages_retired.reason(),
              Missing::invalid);
    EXPECT_EQ(gpu_with("@/xgmi_error error EINVAL\n").xgmi_errors.reason(), Missing::unsupported);
    EXPECT_EQ(gpu_with("@/xgmi_error = 0\n@/pcie_replay_count = 3\n").pcie_replay_count.value(),
              3U);
}

TEST(Telemetry, files_whose_reading_clears_them_are_read_once) {
    auto counted = std::make_shared<CountingSource>(host_source("mi300x-degraded"));
    (void)probe({HostRoot(counted)});
    std::sort(counted->asked.begin(), counted->asked.end());
    int seen = 0;
    for (auto const& path : counted->asked)
        if (path.ends_with("_err_count") || path.ends_with("/xgmi_error")) {
            ++seen;
            EXPECT_EQ(std::count(counted->asked.begin(), counted->asked.end(), path), 1) << path;
        }
    EXPECT_GT(seen, 8);
}

TEST(Telemetry, nothing_that_resets_a_gpu_is_ever_read) {
    for (auto const& name : host_names()) {
        auto counted = std::make_shared<CountingSource>(host_source(name));
        (void)probe({HostRoot(counted), {.wake = true}});
        for (auto const& path : counted->asked) {
            EXPECT_EQ(path.find("/sys/kernel/debug"), std::string::npos) << name << ' ' << path;
            EXPECT_EQ(path.find("amdgpu_gpu_recover"), std::string::npos) << name << ' ' << path;
            EXPECT_FALSE(path.ends_with("/reset") || path.ends_with("/remove") ||
                         path.ends_with("/rescan"))
                << name << ' ' << path;
        }
    }
}

// ---- sleeping GPUs ------------------------------------------------------------------------------

/// Files that take a runtime reference and so resume the GPU (Linux amdgpu_pm.c, amdgpu_ras.c,
/// pci-sysfs.c).
bool wakes(std::string const& path) {
    for (auto const* part :
         {"/hwmon", "/pp_dpm_", "_busy_percent", "/gpu_metrics", "/ras", "/xgmi_error",
          "/pcie_replay_count", "/power_dpm_", "_link_", "/pp_", "/config", "/rom"})
        if (path.find(part) != std::string::npos) return true;
    return false;
}

std::vector<std::string> waking_questions(std::string const& text, std::string const& device,
                                          bool wake) {
    auto counted = std::make_shared<CountingSource>(text_source(text, "test"));
    (void)probe({HostRoot(counted), {.wake = wake}});
    std::vector<std::string> found;
    for (auto const& path : counted->asked)
        if (path.starts_with(device + '/') && wakes(path.substr(device.size())))
            found.push_back(path);
    return found;
}

constexpr auto sleeper =
    "/sys/devices/pci0000:00/0000:00:01.1/0000:01:00.0/0000:02:00.0/0000:03:00.0";

TEST(Telemetry, nothing_that_wakes_a_sleeping_gpu_is_read) {
    auto const text = host_text("laptop-suspended");
    EXPECT_EQ(waking_questions(text, sleeper, false), std::vector<std::string>{});
    EXPECT_FALSE(waking_questions(text, sleeper, true).empty()) << "--wake reads it all";
    EXPECT_FALSE(
        waking_questions(text, "/sys/devices/pci0000:00/0000:00:08.1/0000:65:00.0", false).empty())
        << "the other GPU is awake";
}

TEST(Telemetry, a_sleeping_gpu_says_that_it_was_left_alone) {
    auto const host =
        probe({HostRoot(std::shared_ptr<HostSource>(host_source("laptop-suspended")))});
    auto const& gpu = host.gpus.at(0);
    EXPECT_EQ(gpu.runtime_status.value(), "suspended");
    EXPECT_EQ(gpu.power_watts.reason(), Missing::suspended);
    EXPECT_EQ(gpu.temperatures.reason(), Missing::suspended);
    EXPECT_EQ(gpu.metrics.reason(), Missing::suspended);
    EXPECT_EQ(gpu.ras_blocks.reason(), Missing::suspended);
    EXPECT_NE(gpu.power_watts.detail().find("--wake"), std::string::npos);
    EXPECT_TRUE(gpu.vram_bytes) << "the driver knows that without asking the GPU";
    EXPECT_TRUE(gpu.marketing_name);
}

TEST(Telemetry, a_gpu_that_falls_asleep_is_left_alone_too) {
    for (auto const& [status, asleep] :
         {std::pair{"suspended", true}, std::pair{"suspending", true}, std::pair{"active", false},
          std::pair{"resuming", false}, std::pair{"unsupported", false},
          std::pair{"error", false}}) {
        auto const gpu =
            gpu_with(fmt::format("@/power/runtime_status = {}\n@/gpu_busy_percent = 3\n", status));
        EXPECT_EQ(gpu.busy_percent.reason() == Missing::suspended, asleep) << status;
    }
}

TEST(Telemetry, figures_of_the_whole_card_stand_at_its_first_partition) {
    auto const host =
        telemetry(recorded(kfd_gpu(1, 0x300) + kfd_gpu(2, 0x301) + pci_gpu("0000:03:00.0", place) +
                           at_place("@/gpu_busy_percent = 3\n")));
    ASSERT_EQ(host.gpus.size(), 2U);
    EXPECT_EQ(host.gpus[0].busy_percent.value(), 3U);
    EXPECT_EQ(host.gpus[1].busy_percent.reason(), Missing::unsupported);
}

TEST(Telemetry, a_gpu_without_a_directory_has_no_telemetry) {
    auto const host = telemetry(recorded(kfd_gpu(1, 0x300)));
    EXPECT_EQ(host.gpus[0].power_watts.reason(), Missing::absent);
    EXPECT_NE(host.gpus[0].power_watts.detail(), "");
}

}  // namespace
}  // namespace rocmtune::test
