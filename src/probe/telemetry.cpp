// SPDX-License-Identifier: MIT
// The state of a GPU now: what the driver asks the hardware for. Asking resumes a suspended GPU
// (amdgpu_pm.c takes a runtime reference), so a sleeping one is left alone.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/host.hpp"
#include "probe/gpu_metrics.hpp"
#include "probe/parsers.hpp"
#include "probe/reader.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view telemetry_reader = "telemetry";

/// Calls `f` with every fact that this reader fills.
template <class F>
void for_each_state(Gpu& gpu, F&& f) {
    f(gpu.performance_level), f(gpu.busy_percent), f(gpu.memory_busy_percent), f(gpu.clocks);
    f(gpu.temperatures), f(gpu.power_watts), f(gpu.power_cap_watts);
    f(gpu.power_cap_default_watts), f(gpu.power_cap_min_watts), f(gpu.power_cap_max_watts);
    f(gpu.graphics_voltage_volts), f(gpu.fan_rpm), f(gpu.metrics_revision), f(gpu.metrics);
    f(gpu.throttle_reasons), f(gpu.ras_features), f(gpu.ras_blocks), f(gpu.bad_pages_retired);
    f(gpu.bad_pages_pending), f(gpu.bad_pages_unreservable), f(gpu.xgmi_errors);
    f(gpu.pcie_replay_count);
}

void miss_all(Gpu& gpu, Missing reason, std::string const& detail) {
    for_each_state(gpu, [&](auto& fact) { fact.miss(reason, detail); });
}

/// What is there and cannot be read is missing in a list; what the chip does not have is not.
template <class T>
void note_unread(Fact<T>& list, Missing reason, std::string const& detail) {
    if (reason <= Missing::unsupported) return;
    list.miss(reason, detail);
    if (list.limit().empty()) list.limit(reason, detail);
}

// ---- hwmon --------------------------------------------------------------------------------------

/// The GPU's own hwmon device; its number changes from boot to boot.
Answer<std::string> hwmon_directory(HostRoot const& root, std::string const& device) {
    auto const names = root.list(device + "/hwmon");
    if (!names) return names.failure<std::string>();
    for (auto const& name : *names)
        if (name.starts_with("hwmon")) return {device + "/hwmon/" + name, {}, 0, {}};
    return {std::nullopt, Missing::absent, 0, device + "/hwmon: empty"};
}

/// Documentation/hwmon/sysfs-interface.rst: temperatures are thousandths of a degree.
void offer_temperatures(HostRoot const& root, std::string const& hwmon, Gpu& gpu) {
    constexpr int channels = 8;
    std::vector<Temperature> sensors;
    auto const degrees = [&](std::string const& path) {
        Real value;
        offer_scaled(root, path, telemetry_reader, 1e3, value);
        if (!value) note_unread(gpu.temperatures, value.reason(), value.detail());
        return value.value();
    };
    for (int channel = 1; channel <= channels; ++channel) {
        auto const prefix = fmt::format("{}/temp{}_", hwmon, channel);
        auto const label = root.read(prefix + "label");
        auto const celsius = degrees(prefix + "input");
        // amdgpu names its sensors since Linux 5.2; before, there is one, without a name.
        if (!label && !celsius) continue;
        auto const name = label.value.value_or(fmt::format("temp{}", channel));
        sensors.push_back({name, celsius, degrees(prefix + "crit"),
                           scaled_number(root, prefix + "emergency", 1e3)});
    }
    if (sensors.empty()) gpu.temperatures.miss(Missing::absent, hwmon + ": no temperature sensor");
    else gpu.temperatures.offer(std::move(sensors), {telemetry_reader, hwmon});
}

struct HwmonRow {
    std::string_view attribute;
    Real Gpu::*fact;
    double per_unit;
};

/// Microwatts and millivolts (Documentation/gpu/amdgpu/thermal.rst).
constexpr HwmonRow hwmon_rows[] = {
    {"power1_cap_min", &Gpu::power_cap_min_watts, 1e6},
    {"power1_cap_max", &Gpu::power_cap_max_watts, 1e6},
    {"in0_input", &Gpu::graphics_voltage_volts, 1e3},
};

/// The second die of an MI250 answers 0 W for its power and its limits: the first one accounts for
/// the card (rocm-smi tells the dies apart by that).
void offer_watts(HostRoot const& root, std::string const& path, Real& fact) {
    Real watts;
    offer_scaled(root, path, telemetry_reader, 1e6, watts);
    if (watts.value() == 0.0)
        fact.miss(Missing::unsupported, path + ": 0, so this die has no figure of its own");
    else if (watts) fact.offer(*watts, watts.source());
    else fact.miss(watts.reason(), watts.detail());
}

/// Which of the two a chip has depends on its firmware: the average, or the value now.
void offer_power(HostRoot const& root, std::string const& hwmon, Gpu& gpu) {
    for (auto const* attribute : {"power1_average", "power1_input"}) {
        offer_watts(root, fmt::format("{}/{}", hwmon, attribute), gpu.power_watts);
        if (gpu.power_watts) return;
    }
}

void read_hwmon(HostRoot const& root, std::string const& device, Gpu& gpu) {
    auto const hwmon = hwmon_directory(root, device);
    if (!hwmon) {
        miss(gpu.temperatures, hwmon), miss(gpu.power_watts, hwmon), miss(gpu.fan_rpm, hwmon);
        miss(gpu.power_cap_watts, hwmon), miss(gpu.power_cap_default_watts, hwmon);
        for (auto const& row : hwmon_rows) miss(gpu.*row.fact, hwmon);
        return;
    }
    offer_temperatures(root, *hwmon, gpu);
    offer_power(root, *hwmon, gpu);
    offer_watts(root, *hwmon + "/power1_cap", gpu.power_cap_watts);
    offer_watts(root, *hwmon + "/power1_cap_default", gpu.power_cap_default_watts);
    for (auto const& row : hwmon_rows)
        offer_scaled(root, fmt::format("{}/{}", *hwmon, row.attribute), telemetry_reader,
                     row.per_unit, gpu.*row.fact);
    offer_unsigned(root, *hwmon + "/fan1_input", telemetry_reader, gpu.fan_rpm);
}

// ---- clocks and load ----------------------------------------------------------------------------

void offer_clocks(HostRoot const& root, std::string const& device, Gpu& gpu) {
    std::vector<ClockDomain> clocks;
    for (auto const* name : {"sclk", "mclk", "fclk", "socclk", "vclk", "dclk"}) {
        auto const text = root.read(fmt::format("{}/pp_dpm_{}", device, name));
        if (!text) {
            gpu.clocks.miss(text.reason, text.detail);
            note_unread(gpu.clocks, text.reason, text.detail);
            continue;
        }
        // A chip without this clock has an empty table.
        if (trim(*text).empty()) continue;
        auto clock = parse_clock_table(name, *text);
        if (clock) clocks.push_back(std::move(*clock));
        else note_unread(gpu.clocks, Missing::invalid, fmt::format("{}/pp_dpm_{}", device, name));
    }
    // Only cards that can be overclocked have it (amdgpu_pm.c, pp_od_clk_voltage).
    auto const overdrive = root.read(device + "/pp_od_clk_voltage");
    if (auto memory = overdrive ? parse_overdrive_memory_table(*overdrive) : std::nullopt)
        clocks.push_back(std::move(*memory));
    if (!clocks.empty())
        gpu.clocks.offer(std::move(clocks), {telemetry_reader, device + "/pp_dpm_*"});
}

void offer_percent(HostRoot const& root, std::string const& path, Number& fact) {
    offer_parsed(root, path, telemetry_reader, fact,
                 [](std::string_view text) -> std::optional<std::uint64_t> {
                     auto const percent = to_unsigned(text, 10);
                     return percent && *percent <= 100 ? percent : std::nullopt;
                 });
}

// ---- gpu_metrics --------------------------------------------------------------------------------

struct ReadingRow {
    std::string_view key;
    std::optional<double> GpuMetrics::*reading;
};

struct CounterRow {
    std::string_view key;
    std::optional<std::uint64_t> GpuMetrics::*counter;
};

constexpr ReadingRow readings[] = {
    {"temperature_edge_celsius", &GpuMetrics::temperature_edge_celsius},
    {"temperature_hotspot_celsius", &GpuMetrics::temperature_hotspot_celsius},
    {"temperature_mem_celsius", &GpuMetrics::temperature_mem_celsius},
    {"temperature_vrsoc_celsius", &GpuMetrics::temperature_vrsoc_celsius},
    {"temperature_gfx_celsius", &GpuMetrics::temperature_gfx_celsius},
    {"temperature_soc_celsius", &GpuMetrics::temperature_soc_celsius},
    {"average_gfx_activity_percent", &GpuMetrics::average_gfx_activity_percent},
    {"average_umc_activity_percent", &GpuMetrics::average_umc_activity_percent},
    {"average_socket_power_watts", &GpuMetrics::average_socket_power_watts},
    {"current_socket_power_watts", &GpuMetrics::current_socket_power_watts},
    {"average_gfx_power_watts", &GpuMetrics::average_gfx_power_watts},
    {"energy_joules", &GpuMetrics::energy_joules},
    {"average_gfxclk_mhz", &GpuMetrics::average_gfxclk_mhz},
    {"average_uclk_mhz", &GpuMetrics::average_uclk_mhz},
    {"average_socclk_mhz", &GpuMetrics::average_socclk_mhz},
    {"current_gfxclk_mhz", &GpuMetrics::current_gfxclk_mhz},
    {"current_uclk_mhz", &GpuMetrics::current_uclk_mhz},
    {"current_socclk_mhz", &GpuMetrics::current_socclk_mhz},
    {"pcie_link_gt_per_s", &GpuMetrics::pcie_link_speed_gt_per_s},
    {"xgmi_link_gbit_per_s", &GpuMetrics::xgmi_link_speed_gbps},
};

constexpr CounterRow counters[] = {
    {"pcie_link_width", &GpuMetrics::pcie_link_width},
    {"pcie_replay_count", &GpuMetrics::pcie_replay_count_acc},
    {"pcie_recovery_count", &GpuMetrics::pcie_l0_to_recov_count_acc},
    {"pcie_nak_sent_count", &GpuMetrics::pcie_nak_sent_count_acc},
    {"pcie_nak_received_count", &GpuMetrics::pcie_nak_rcvd_count_acc},
    {"xgmi_link_width", &GpuMetrics::xgmi_link_width},
    {"accumulation_counter", &GpuMetrics::accumulation_counter},
    {"prochot_residency", &GpuMetrics::prochot_residency_acc},
    {"power_limit_residency", &GpuMetrics::ppt_residency_acc},
    {"socket_thermal_residency", &GpuMetrics::socket_thm_residency_acc},
    {"regulator_thermal_residency", &GpuMetrics::vr_thm_residency_acc},
    {"memory_thermal_residency", &GpuMetrics::hbm_thm_residency_acc},
};

void offer_throttling(GpuMetrics const& metrics, std::string const& path, Gpu& gpu) {
    if (!metrics.indep_throttle_status)
        return gpu.throttle_reasons.miss(Missing::unsupported, "gpu_metrics v" + metrics.revision +
                                                                   " has no common throttle bits");
    std::vector<std::string> reasons;
    for (auto const name : throttle_reasons(*metrics.indep_throttle_status))
        reasons.emplace_back(name);
    gpu.throttle_reasons.offer(std::move(reasons),
                               {telemetry_reader, path + ":indep_throttle_status"});
}

void offer_metrics(HostRoot const& root, std::string const& device, Gpu& gpu) {
    auto const path = device + "/gpu_metrics";
    auto const bytes = root.read_bytes(path);
    if (!bytes) {
        miss(gpu.metrics, bytes), miss(gpu.metrics_revision, bytes);
        return miss(gpu.throttle_reasons, bytes);
    }
    auto const decoded = decode_gpu_metrics(std::as_bytes(std::span(*bytes)));
    if (!decoded.metrics) {
        gpu.metrics.miss(Missing::invalid, decoded.reason);
        gpu.metrics_revision.miss(Missing::invalid, decoded.reason);
        return gpu.throttle_reasons.miss(Missing::invalid, decoded.reason);
    }
    auto const& metrics = *decoded.metrics;
    std::map<std::string, double> values;
    for (auto const& row : readings)
        if (auto const value = metrics.*row.reading) values.emplace(row.key, *value);
    for (auto const& row : counters)
        if (auto const value = metrics.*row.counter)
            values.emplace(row.key, static_cast<double>(*value));
    gpu.metrics_revision.offer(metrics.revision, {telemetry_reader, path});
    gpu.metrics.offer(std::move(values), {telemetry_reader, path});
    if (!metrics.unread.empty())
        gpu.metrics.limit(Missing::invalid, fmt::to_string(fmt::join(metrics.unread, "; ")));
    offer_throttling(metrics, path, gpu);
}

// ---- reliability --------------------------------------------------------------------------------

/// "<block>_err_count", or "aca_<block>" where the driver uses ACA (Linux amdgpu_aca.c).
std::optional<std::string> ras_block_name(std::string const& file) {
    constexpr std::string_view suffix = "_err_count";
    constexpr std::string_view aca = "aca_";
    if (file.ends_with(suffix)) return file.substr(0, file.size() - suffix.size());
    if (file.starts_with(aca)) return file.substr(aca.size());
    return std::nullopt;
}

/// Reading a counter file can reset the hardware's counter (the driver keeps the sum), so each is
/// read once in a run and nowhere else.
void offer_ras_blocks(HostRoot const& root, std::string const& directory, Gpu& gpu) {
    auto const names = root.list(directory);
    if (!names) return miss(gpu.ras_blocks, names);
    std::vector<RasBlock> blocks;
    for (auto const& file : *names) {
        auto const name = ras_block_name(file);
        if (!name) continue;
        auto const text = root.read(directory + '/' + file);
        if (text) blocks.push_back(parse_ras_counters(*name, *text));
        else blocks.push_back({.name = *name, .problem = text.detail});
    }
    if (blocks.empty()) gpu.ras_blocks.miss(Missing::absent, directory + ": no counters");
    else gpu.ras_blocks.offer(std::move(blocks), {telemetry_reader, directory});
}

void offer_bad_pages(HostRoot const& root, std::string const& path, Gpu& gpu) {
    auto const text = root.read(path);
    auto const facts = {&gpu.bad_pages_retired, &gpu.bad_pages_pending,
                        &gpu.bad_pages_unreservable};
    if (!text) {
        for (auto* fact : facts) miss(*fact, text);
        return;
    }
    auto const pages = parse_bad_pages(*text);
    if (!pages) {
        for (auto* fact : facts) fact->miss(Missing::invalid, path + ": unexpected text");
        return;
    }
    gpu.bad_pages_retired.offer(pages->retired, {telemetry_reader, path + ":R"});
    gpu.bad_pages_pending.offer(pages->pending, {telemetry_reader, path + ":P"});
    gpu.bad_pages_unreservable.offer(pages->unreservable, {telemetry_reader, path + ":F"});
}

/// "feature mask: 0x1fff" (Linux amdgpu_ras.c).
std::optional<std::string> feature_mask(std::string_view text) {
    constexpr std::string_view label = "feature mask:";
    if (!text.starts_with(label)) return std::nullopt;
    auto const mask = trim(text.substr(label.size()));
    return to_unsigned(mask) ? std::optional(std::string(mask)) : std::nullopt;
}

void read_reliability(HostRoot const& root, std::string const& device, Gpu& gpu) {
    offer_parsed(root, device + "/ras/features", telemetry_reader, gpu.ras_features, feature_mask);
    offer_ras_blocks(root, device + "/ras", gpu);
    offer_bad_pages(root, device + "/ras/gpu_vram_bad_pages", gpu);
    offer_unsigned(root, device + "/xgmi_error", telemetry_reader,
                   gpu.xgmi_errors);  // reading clears it
    offer_unsigned(root, device + "/pcie_replay_count", telemetry_reader, gpu.pcie_replay_count);
}

void read_state(HostRoot const& root, std::string const& device, Gpu& gpu) {
    offer_text(root, device + "/power_dpm_force_performance_level", telemetry_reader,
               gpu.performance_level);
    offer_percent(root, device + "/gpu_busy_percent", gpu.busy_percent);
    offer_percent(root, device + "/mem_busy_percent", gpu.memory_busy_percent);
    offer_clocks(root, device, gpu);
    read_hwmon(root, device, gpu);
    offer_metrics(root, device, gpu);
    read_reliability(root, device, gpu);
}

}  // namespace

void read_telemetry(ProbeContext const& context, Host& host) {
    for (auto& gpu : host.gpus) {
        if (!gpu.sysfs_path) miss_all(gpu, gpu.sysfs_path.reason(), "no device directory");
        else if (is_asleep(gpu) && !context.options.wake)
            miss_all(gpu, Missing::suspended, wakes_the_gpu);
        else if (gpu.partition_index.value_or(0) != 0)
            miss_all(gpu, Missing::unsupported, "a figure of the whole card: see its partition 0");
        else read_state(context.root, *gpu.sysfs_path, gpu);
    }
}

}  // namespace rocmtune
