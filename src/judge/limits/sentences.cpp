// SPDX-License-Identifier: MIT
// The sentences of a limit: its figures, and its doubt.
#include <fmt/format.h>

#include "base/text.hpp"
#include "judge/limits/features.hpp"
#include "judge/limits/limits.hpp"

namespace rocmtune {
namespace {

std::string percent(double share) {
    return fmt::format("{:.0f} %", 100 * share);
}

/// "35 %", or "an unknown share".
std::string percent(std::optional<double> share) {
    return share ? percent(*share) : "an unknown share";
}

std::string bytes_text(double bytes) {
    return human_bytes(static_cast<std::uint64_t>(std::max(bytes, 0.0)));
}

std::string cores_text(WatchSample const& seen) {
    return fmt::format("{:.2f} of {:.3g} processors", cores_used(seen), processors_of(seen));
}

/// "read 3 MiB and wrote 20 MiB a second"
std::string disk_text(WatchSample const& seen) {
    if (!disk_rate(seen)) return "how much it read and wrote is not known";
    return fmt::format("it read {} and wrote {} a second",
                       bytes_text(rate(seen.read_bytes, seen).value_or(0)),
                       bytes_text(rate(seen.written_bytes, seen).value_or(0)));
}

std::string gpu_text(GpuSample const& gpu) {
    return fmt::format("GPU {} was busy {} of the time", gpu.pci_address, percent(gpu.busy));
}

std::string gpu_text(WatchSample const& seen) {
    auto const* gpu = held_gpu(seen);
    if (gpu == nullptr) gpu = busiest_gpu(seen);
    return gpu == nullptr ? "no GPU was seen" : gpu_text(*gpu);
}

std::string power_text(GpuSample const& gpu) {
    if (!gpu.power_watts || !gpu.power_cap_watts) return "its power is not known";
    return fmt::format("it drew {:.0f} W of {:.0f} W", *gpu.power_watts, *gpu.power_cap_watts);
}

std::string heat_text(GpuSample const& gpu) {
    if (!gpu.temperature_celsius) return "its temperature is not known";
    if (!gpu.temperature_limit_celsius)
        return fmt::format("its hottest sensor read {:.0f} C", *gpu.temperature_celsius);
    return fmt::format("its hottest sensor read {:.0f} C of {:.0f} C", *gpu.temperature_celsius,
                       *gpu.temperature_limit_celsius);
}

std::string throttle_text(GpuSample const& gpu, std::optional<double> share) {
    if (!share) return "its driver does not say why clocks are held down";
    auto text = fmt::format("its clock was held down in {} of the time", percent(*share));
    if (!gpu.reasons.empty()) text += fmt::format(" ({})", fmt::join(gpu.reasons, ", "));
    return text;
}

std::string link_text(GpuSample const& gpu) {
    std::string text = "the traffic of its link is not known";
    if (auto const share = ratio(gpu.pcie_bytes_per_second, gpu.pcie_most_bytes_per_second))
        text = fmt::format("its link carried {} a second, {} of what it can",
                           bytes_text(*gpu.pcie_bytes_per_second), percent(std::min(*share, 1.0)));
    if (gpu.copy_engines)
        text += fmt::format(", copies ran in {} of the time",
                            percent(std::min(*gpu.copy_engines, 1.0)));
    return text;
}

std::string vram_text(GpuSample const& gpu) {
    auto const share = ratio(gpu.vram_bytes, gpu.vram_total_bytes);
    if (!share) return "its memory is not known";
    return fmt::format("{} of its {} are in use ({})", bytes_text(*gpu.vram_bytes),
                       bytes_text(*gpu.vram_total_bytes), percent(*share));
}

std::string says_of_gpu(LimitKind kind, GpuSample const& gpu, WatchSample const& seen) {
    auto const busy = gpu_text(gpu);
    switch (kind) {
        case LimitKind::launches:
            return fmt::format("{}, while one thread of the host used {} of a processor", busy,
                               percent(busiest_thread(seen)));
        case LimitKind::copies: return fmt::format("{}; {}", busy, link_text(gpu));
        case LimitKind::gpu_compute:
        case LimitKind::gpu_memory_bandwidth:
            return gpu.memory_busy
                       ? fmt::format("{}, its memory {}", busy, percent(gpu.memory_busy))
                       : busy;
        case LimitKind::gpu_memory:
            return fmt::format("GPU {}: {}", gpu.pci_address, vram_text(gpu));
        case LimitKind::power:
            return fmt::format("{}, {}; {}", busy, power_text(gpu),
                               throttle_text(gpu, gpu.power_throttled));
        case LimitKind::temperature:
            return fmt::format("{}, {}; {}", busy, heat_text(gpu),
                               throttle_text(gpu, gpu.heat_throttled));
        default: break;
    }
    return busy;
}

/// "others used 45 % of the processors"
std::string others_text(WatchSample const& seen) {
    auto const share = ratio(rate(seen.others_seconds, seen), seen.host_processors);
    return share ? fmt::format("others used {} of all processors", percent(std::min(*share, 1.0)))
                 : "what others used is not known";
}

std::string says_of_others(WatchSample const& seen) {
    auto const* held = held_gpu(seen);
    if (held != nullptr && held->others.value_or(0) >= 0.5)
        return fmt::format("other processes computed on GPU {} in {} of the time; it was busy {}",
                           held->pci_address, percent(held->others), percent(held->busy));
    auto const* gpu = busiest_gpu(seen);
    if (!others_hold_processors(seen) && gpu != nullptr)
        return fmt::format("GPU {} was busy {} of the time, and the program does not hold it",
                           gpu->pci_address, percent(gpu->busy));
    return fmt::format("{}, and the program {:.1f}, while {:.1f} of its threads could run",
                       others_text(seen), cores_used(seen), seen.runnable.value_or(0));
}

std::string says_of_memory(WatchSample const& seen) {
    std::string text = "how much memory is available is not known";
    if (seen.available_bytes && seen.memory_bytes)
        text = fmt::format("{} of {} of memory were available", bytes_text(*seen.available_bytes),
                           bytes_text(*seen.memory_bytes));
    if (seen.major_faults)
        text += fmt::format(", {:.0f} page faults a second read from a disk",
                            *rate(seen.major_faults, seen));
    if (auto const share = rate(seen.memory_pressure_seconds, seen))
        text += fmt::format(", tasks waited for memory in {} of the time",
                            percent(std::min(*share, 1.0)));
    return text;
}

std::string says_of_faults(WatchSample const& seen) {
    auto const own = seen.minor_faults.value_or(0) - seen.short_faults.value_or(0);
    auto const faults = rate(own, seen).value_or(0);
    auto const cost = seen.fault_cost_seconds.value_or(0);
    auto const share = ratio(own * cost, seen.cpu_seconds).value_or(0);
    return fmt::format(
        "{:.0f} page faults a second at {:.2g} us each take about {} of its processor time", faults,
        1e6 * cost, percent(std::min(share, 1.0)));
}

std::string says_of_thread(WatchSample const& seen) {
    auto text = fmt::format("one thread used {} of a processor, and all together {}",
                            percent(busiest_thread(seen)), cores_text(seen));
    if (auto const started = rate(seen.started, seen); started && *started >= 5)
        text += fmt::format("; it started {:.0f} processes a second or more", *started);
    return text;
}

std::string says_of_processors(WatchSample const& seen) {
    auto text = "it used " + cores_text(seen);
    if (seen.runnable) text += fmt::format("; {:.1f} of its threads could run", *seen.runnable);
    return text;
}

// ---- doubts ------------------------------------------------------------------------------------

void add(std::string& text, bool holds, std::string_view part) {
    if (holds) text.append(text.empty() ? "" : "; ").append(part);
}

std::string_view against(LimitKind kind, WatchSample const& seen) {
    auto const* gpu = held_gpu(seen);
    switch (kind) {
        case LimitKind::one_thread: return "several threads that take turns look the same as one";
        case LimitKind::few_threads:
            return "its threads may wait for each other rather than be too few";
        case LimitKind::processors: return "threads that spin while they wait look busy, too";
        case LimitKind::launches: return "the thread may prepare data rather than launch work";
        case LimitKind::copies: return "copies may run beside work that needs them no sooner";
        case LimitKind::gpu_compute:
            return gpu != nullptr && gpu->memory_busy
                       ? "a GPU counts as busy when any of its units works: one small kernel after "
                         "the other looks the same"
                       : "how busy its memory is was not told: that may be the limit";
        case LimitKind::gpu_memory_bandwidth:
            return "a busy memory controller is not yet at the peak of the memory";
        case LimitKind::gpu_memory: return "frameworks take memory in advance and may not need it";
        case LimitKind::host_memory: return "limits of control groups were not looked at";
        case LimitKind::page_faults:
            return "their cost was measured on one small area, and huge pages cost otherwise";
        case LimitKind::numa:
            return "these are pages of the whole host, and only those handed out meanwhile";
        case LimitKind::disk:
            return "a thread that waits for a network file system or a driver looks the same";
        case LimitKind::power:
            return "memory or launches may be next to it, so that more power gains little";
        case LimitKind::temperature:
            return "sensors at their limit need not have lowered the clock";
        case LimitKind::other_users: return "a server may do there what the program asked it for";
        case LimitKind::waiting:
            return "what it waits for was not seen: the network, a lock, a timer, another program";
        case LimitKind::nothing_seen: break;
    }
    return {};
}

}  // namespace

std::string says_of(LimitKind kind, WatchSample const& seen) {
    auto const* gpu = gpu_of_limit(kind, seen);
    switch (kind) {
        case LimitKind::one_thread: return says_of_thread(seen);
        case LimitKind::few_threads:
        case LimitKind::processors: return says_of_processors(seen);
        case LimitKind::host_memory: return says_of_memory(seen);
        case LimitKind::page_faults: return says_of_faults(seen);
        case LimitKind::disk: {
            auto const blocked = seen.blocked.value_or(0);
            return fmt::format("{} of the looks found it blocked in the kernel, and {}",
                               percent(blocked), disk_text(seen));
        }
        case LimitKind::numa:
            return fmt::format("{} of {:.0f} pages a second came from another node than wanted",
                               percent(ratio(seen.numa_misses, seen.numa_pages)),
                               rate(seen.numa_pages, seen).value_or(0));
        case LimitKind::other_users: return says_of_others(seen);
        case LimitKind::waiting:
            return fmt::format("it slept: it used {}, and {}", cores_text(seen), gpu_text(seen));
        case LimitKind::nothing_seen:
            return seen.cpu_seconds ? fmt::format("it did next to nothing: it used {}, and {}",
                                                  cores_text(seen), gpu_text(seen))
                                    : "its processes could not be seen";
        default: break;
    }
    return gpu == nullptr ? std::string() : says_of_gpu(kind, *gpu, seen);
}

std::string doubt_of(LimitKind kind, WatchSample const& seen) {
    return std::string(against(kind, seen));
}

std::string unseen_of(WatchSample const& seen) {
    std::string text;
    add(text, !seen.cpu_seconds, "its processor time was not seen");
    bool const some_held = std::ranges::any_of(
        seen.gpus, [](GpuSample const& gpu) { return gpu.held.value_or(0) >= 0.5; });
    bool const unknown_holder =
        std::ranges::any_of(seen.gpus, [](GpuSample const& gpu) { return !gpu.held; });
    bool const no_load = std::ranges::any_of(
        seen.gpus, [](GpuSample const& gpu) { return !gpu.busy && gpu.held.value_or(1) >= 0.5; });
    add(text, seen.gpus.empty(), "no GPU of the driver amdgpu was seen");
    add(text, !some_held && unknown_holder, "who holds the GPUs was not seen");
    add(text, no_load, "the load of a GPU is not told");
    add(text, !disk_rate(seen), "what it reads and writes is not told");
    return text;
}

}  // namespace rocmtune
