// SPDX-License-Identifier: MIT
#include "measure/gpu_states.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "probe/container.hpp"
#include "probe/parsers.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view kfd_processes = "/sys/class/kfd/kfd/proc";
/// Sensors of a GPU: edge, junction, memory (Documentation/gpu/amdgpu/thermal.rst).
constexpr int channels = 8;

bool is_one_of_program(std::span<pid_t const> program, std::uint64_t pid) {
    return std::ranges::find(program, static_cast<pid_t>(pid)) != program.end();
}

/// Names of SMU_THROTTLER_*_BIT in amdgpu_smu.h: currents count as power.
bool is_power(std::string_view reason) {
    for (auto const* start : {"PPT", "SPL", "FPPT", "SPPT", "TDC", "EDC"})
        if (reason.starts_with(start)) return true;
    return false;
}
bool is_heat(std::string_view reason) {
    for (auto const* start : {"TEMP", "VRHOT", "PROCHOT"})
        if (reason.starts_with(start)) return true;
    return false;
}

/// Share of the firmware's time in which a limiter was active between two reads.
std::optional<double> residency(Counter now, Counter before, Counter time, Counter time_before) {
    if (!now || !before || !time || !time_before || *time <= *time_before || *now < *before)
        return std::nullopt;
    return std::min(static_cast<double>(*now - *before) / static_cast<double>(*time - *time_before),
                    1.0);
}

std::optional<double> highest(std::initializer_list<std::optional<double>> values) {
    std::optional<double> most;
    for (auto const& value : values)
        if (value) most = std::max(most.value_or(*value), *value);
    return most;
}

/// Firmware of MI300 counts how long each limiter was active; that of others shows bits.
void take_throttling(GpuMetrics const& now, std::optional<GpuMetrics> const& before,
                     GpuSample& sample) {
    if (now.indep_throttle_status) {
        sample.power_throttled = sample.heat_throttled = 0;
        for (auto const reason : throttle_reasons(*now.indep_throttle_status)) {
            if (is_power(reason)) sample.power_throttled = 1;
            if (is_heat(reason)) sample.heat_throttled = 1;
            sample.reasons.emplace(reason);
        }
    }
    if (!before) return;
    auto const share = [&](Counter GpuMetrics::*counter) {
        return residency(now.*counter, (*before).*counter, now.accumulation_counter,
                         before->accumulation_counter);
    };
    if (auto const power = share(&GpuMetrics::ppt_residency_acc)) sample.power_throttled = power;
    if (auto const heat = highest({share(&GpuMetrics::prochot_residency_acc),
                                   share(&GpuMetrics::socket_thm_residency_acc),
                                   share(&GpuMetrics::vr_thm_residency_acc),
                                   share(&GpuMetrics::hbm_thm_residency_acc)}))
        sample.heat_throttled = heat;
}

std::optional<double> scaled(std::optional<double> value, double unit) {
    return value ? std::optional(*value / unit) : std::nullopt;
}

}  // namespace

std::optional<double> link_bytes_per_second(std::string_view speed, std::string_view width) {
    auto const transfers = leading_real(speed);
    auto const lanes = to_real(trim(width));
    if (!transfers || !lanes || *transfers <= 0 || *lanes <= 0) return std::nullopt;
    // PCI Express Base Specification: 8b/10b up to 5 GT/s, 128b/130b from 8 GT/s on.
    auto const bits = *transfers < 6 ? 0.8 : 128.0 / 130.0;
    return 2 * 1e9 * *transfers * *lanes * bits / 8;
}

std::optional<double> pcie_bytes(std::string_view text) {
    auto const part = words(text);
    if (part.size() != 3) return std::nullopt;
    auto const received = to_real(part[0]);
    auto const sent = to_real(part[1]);
    auto const size = to_real(part[2]);
    if (!received || !sent || !size || *size <= 0) return std::nullopt;
    return (*received + *sent) * *size;
}

GpuStates::GpuStates(HostRoot root) : root_(std::move(root)) {
    for (auto const& address : driven_gpus(root_)) learn(address);
    if (gpus_.empty()) return;
    ids_ = kfd_ids(root_);
    auto const space = root_.link("/proc/self/ns/pid");
    numbers_are_ours_ = !space || *space == first_pid_namespace;
}

std::optional<double> GpuStates::number(std::string const& path, double unit) const {
    auto const text = root_.read(path);
    return scaled(text ? to_real(trim(*text)) : std::nullopt, unit);
}

void GpuStates::learn(std::string const& address) {
    Known gpu{.address = address, .device = pci_device(address)};
    auto const names = root_.list(gpu.device + "/hwmon").value.value_or(std::vector<std::string>());
    for (auto const& name : names)
        if (name.starts_with("hwmon") && gpu.hwmon.empty())
            gpu.hwmon = gpu.device + "/hwmon/" + name;
    gpu.slow.pci_address = address;
    gpus_.push_back(std::move(gpu));
}

void GpuStates::take(WatchSample& sample, std::span<pid_t const> program) {
    if (gpus_.empty()) return;
    since_slow_ += sample.seconds;
    bool const is_slow = looks_++ % looks_between_slow_ones == 0;
    if (is_slow) take_slow(program);
    for (auto& gpu : gpus_) {
        bool const held = gpu.slow.held.value_or(0) > 0;
        if (!held && (!is_slow || !is_awake(root_, gpu.device))) continue;
        sample.gpus.push_back(look_at(gpu));
    }
}

void GpuStates::take_all(WatchSample& sample,
                         std::function<bool(std::string const&)> const& is_wanted) {
    bool const is_slow = looks_++ % looks_between_slow_ones == 0;
    for (auto& gpu : gpus_) {
        if (!is_wanted(gpu.address)) continue;
        if (!is_awake(root_, gpu.device)) {
            sample.gpus.push_back({.pci_address = gpu.address});
            continue;
        }
        if (is_slow || !gpu.slow.vram_total_bytes) take_slow_figures(gpu);
        take_temperature(gpu);
        auto& now = sample.gpus.emplace_back(look_at(gpu));
        if (!now.memory_clock_mhz) now.memory_clock_mhz = running_clock(gpu, "mclk");
    }
}

void GpuStates::take_slow(std::span<pid_t const> program) {
    take_holders(program);
    take_others(program);
    take_own(std::exchange(since_slow_, 0), program);
    for (auto& gpu : gpus_)
        if (gpu.slow.held.value_or(0) > 0 || is_awake(root_, gpu.device)) take_slow_figures(gpu);
}

void GpuStates::take_holders(std::span<pid_t const> program) {
    std::vector<GpuLook> looks;
    for (auto const& gpu : gpus_) looks.push_back({.pci_address = gpu.address});
    add_holders(root_, numbers_are_ours_ ? ids_ : KfdIds(), program, looks);
    for (std::size_t i = 0; i < gpus_.size(); ++i) gpus_[i].slow.held = looks[i].held ? 1 : 0;
}

/// Processes of others whose waves occupy units of a GPU (KFD, cu_occupancy). Where one has memory
/// there and the chip does not tell its units, nobody knows.
void GpuStates::take_others(std::span<pid_t const> program) {
    for (auto& gpu : gpus_) gpu.slow.others.reset();
    if (!numbers_are_ours_ || ids_.empty()) return;
    auto const names = root_.list(kfd_processes);
    if (!names) return;
    for (auto& gpu : gpus_) gpu.slow.others = 0;
    for (auto const& name : *names) {
        auto const pid = to_unsigned(name, 10);
        if (!pid || is_one_of_program(program, *pid)) continue;
        for (auto const& [id, address] : ids_) {
            auto* const gpu = gpu_of(id);
            if (gpu == nullptr || gpu->slow.others == 1.0) continue;
            auto const vram = number(fmt::format("{}/{}/vram_{}", kfd_processes, name, id));
            if (vram.value_or(0) <= 0) continue;
            auto const units =
                number(fmt::format("{}/{}/stats_{}/cu_occupancy", kfd_processes, name, id));
            if (!units) gpu->slow.others.reset();
            else if (*units > 0) gpu->slow.others = 1;
        }
    }
}

/// Of KFD's number; nothing for one that the driver amdgpu does not have.
GpuStates::Known* GpuStates::gpu_of(std::uint64_t id) {
    auto const address = ids_.find(id);
    if (address == ids_.end()) return nullptr;
    auto const gpu = std::ranges::find(gpus_, address->second, &Known::address);
    return gpu == gpus_.end() ? nullptr : &*gpu;
}

/// What KFD counts for the program's processes: queues, memory, and the microseconds that copy
/// engines worked for them (Linux kfd_process.c: queues, vram_*, sdma_*).
void GpuStates::take_own(double seconds, std::span<pid_t const> program) {
    if (!numbers_are_ours_) return;
    for (auto& gpu : gpus_) gpu.slow.queues.reset();
    for (auto const pid : program) add_queues(fmt::format("{}/{}", kfd_processes, pid));
    for (auto const& [id, address] : ids_) {
        auto* const gpu = gpu_of(id);
        if (gpu == nullptr) continue;
        auto const sum = [&, id = id](std::string_view file, double unit) {
            std::optional<double> all;
            for (auto const pid : program)
                if (auto const one =
                        number(fmt::format("{}/{}/{}_{}", kfd_processes, pid, file, id), unit))
                    all = all.value_or(0) + *one;
            return all;
        };
        gpu->slow.own_bytes = sum("vram", 1);
        auto const copied = sum("sdma", 1e6);
        auto const before = std::exchange(gpu->copied_seconds, copied);
        gpu->slow.copy_engines.reset();
        if (copied && before && *copied >= *before && seconds > 0)
            gpu->slow.copy_engines = (*copied - *before) / seconds;
    }
}

/// Adds the queues of a process, each to its GPU. A process without any has none on all of them.
void GpuStates::add_queues(std::string const& process) {
    auto const names = root_.list(process + "/queues");
    if (!names) return;
    for (auto& gpu : gpus_) gpu.slow.queues = gpu.slow.queues.value_or(0);
    for (auto const& name : *names) {
        auto const text = root_.read(fmt::format("{}/queues/{}/gpuid", process, name));
        auto const id = text ? to_unsigned(trim(*text), 10) : std::nullopt;
        if (auto* const gpu = id ? gpu_of(*id) : nullptr) *gpu->slow.queues += 1;
    }
}

void GpuStates::take_slow_figures(Known& gpu) const {
    gpu.slow.vram_total_bytes = number(gpu.device + "/mem_info_vram_total");
    // The second die of an MI250 answers 0 W: the first one accounts for the card.
    auto const cap = gpu.hwmon.empty() ? std::nullopt : number(gpu.hwmon + "/power1_cap", 1e6);
    gpu.slow.power_cap_watts = cap.value_or(0) > 0 ? cap : std::nullopt;
    auto const speed = root_.read(gpu.device + "/current_link_speed").value.value_or("");
    auto const width = root_.read(gpu.device + "/current_link_width").value.value_or("");
    gpu.slow.pcie_most_bytes_per_second = link_bytes_per_second(speed, width);
    take_temperature(gpu);
}

/// Of several sensors the one that is nearest to its limit.
void GpuStates::take_temperature(Known& gpu) const {
    if (gpu.sensors.empty())
        for (int channel = 1; channel <= channels && !gpu.hwmon.empty(); ++channel) {
            auto const path = fmt::format("{}/temp{}", gpu.hwmon, channel);
            if (!root_.exists(path + "_input")) continue;
            auto const limit = number(path + "_crit", 1e3);
            gpu.sensors.push_back({path + "_input", limit.value_or(0) > 0 ? limit : std::nullopt});
        }
    constexpr double far = 1e3;
    double nearest = far * far;
    for (auto const& sensor : gpu.sensors) {
        auto const celsius = number(sensor.path, 1e3);
        if (!celsius) continue;
        auto const distance = sensor.limit_celsius.value_or(*celsius + far) - *celsius;
        if (distance >= nearest) continue;
        nearest = distance;
        gpu.slow.temperature_celsius = celsius;
        gpu.slow.temperature_limit_celsius = sensor.limit_celsius;
    }
}

void GpuStates::take_metrics(Known& gpu, GpuSample& now) const {
    auto const bytes = root_.read_bytes(gpu.device + "/gpu_metrics");
    if (!bytes) return;
    auto metrics = decode_gpu_metrics(std::as_bytes(std::span(*bytes))).metrics;
    if (!metrics) return;
    now.clock_mhz =
        metrics->current_gfxclk_mhz ? metrics->current_gfxclk_mhz : metrics->average_gfxclk_mhz;
    now.memory_clock_mhz = metrics->current_uclk_mhz;
    if (!now.memory_busy) now.memory_busy = scaled(metrics->average_umc_activity_percent, 100);
    if (!now.busy) now.busy = scaled(metrics->average_gfx_activity_percent, 100);
    if (!now.power_watts)
        now.power_watts = metrics->current_socket_power_watts ? metrics->current_socket_power_watts
                                                              : metrics->average_socket_power_watts;
    if (!now.temperature_celsius)
        now.temperature_celsius =
            highest({metrics->temperature_hotspot_celsius, metrics->temperature_mem_celsius,
                     metrics->temperature_gfx_celsius});
    take_throttling(*metrics, gpu.metrics, now);
    gpu.metrics = std::move(metrics);
}

GpuSample GpuStates::look_at(Known& gpu) const {
    auto now = gpu.slow;
    auto const share = [this](std::string const& path) {
        auto const percent = number(path, 100);
        return percent && *percent <= 1 ? percent : std::nullopt;
    };
    now.busy = share(gpu.device + "/gpu_busy_percent");
    now.memory_busy = share(gpu.device + "/mem_busy_percent");
    now.vram_bytes = number(gpu.device + "/mem_info_vram_used");
    if (!gpu.hwmon.empty())
        for (auto const* name : {"/power1_average", "/power1_input"})
            if (auto const watts = number(gpu.hwmon + name, 1e6);
                !now.power_watts && watts.value_or(0) > 0)
                now.power_watts = watts;
    take_metrics(gpu, now);
    if (!now.clock_mhz) now.clock_mhz = running_clock(gpu, "sclk");
    return now;
}

std::optional<double> GpuStates::running_clock(Known const& gpu, std::string_view name) const {
    auto const text = root_.read(fmt::format("{}/pp_dpm_{}", gpu.device, name));
    auto const clock = text ? parse_clock_table(std::string(name), *text) : std::nullopt;
    return clock ? clock->current_mhz : std::nullopt;
}

}  // namespace rocmtune
