// SPDX-License-Identifier: MIT
// What limits a program in one while. The rules stand in the order in which they are asked: what
// explains more comes first, a GPU that is throttled before one that is busy.
#include <cmath>

#include "judge/limits/features.hpp"
#include "judge/limits/limits.hpp"

namespace rocmtune {
namespace {

// ---- thresholds --------------------------------------------------------------------------------

/// A GPU whose work never waits reads 95 % and more (gpu_busy_percent is a share of samples of the
/// firmware); below this, a sixth of the time is left to win.
constexpr double gpu_is_busy = 0.85;
/// Below this a GPU does nothing for a program: desktops and monitors cause a few per cent.
constexpr double gpu_rests = 0.05;
/// Memory controllers reach 80 to 90 % of the cycles with plain copies, so this is near the most.
constexpr double gpu_memory_is_busy = 0.7;
/// The firmware regulates power around its cap, and sensors differ by some per cent.
constexpr double power_at_cap = 0.97;
/// Below this load, power at the cap is not that of work.
constexpr double gpu_works = 0.5;
/// A throttle bit that shows in fewer looks is a short peak, which costs little.
constexpr double throttled_often = 0.2;
/// Firmware lowers clocks some degrees before the critical temperature.
constexpr double celsius_below_limit = 3;
/// A link carries some 80 % of its raw rate as data; half of the sum of both ways is one way full.
constexpr double link_is_busy = 0.4;
constexpr double copies_dominate = 0.5;
/// One processor with what the kernel takes for itself and 0.1 s looks: 100 % is never seen.
constexpr double thread_is_busy = 0.75;
/// More than one thread, and not yet two.
constexpr double one_thread_at_most = 1.5;
constexpr double processors_are_busy = 0.85;
/// A program that uses less than this of one processor sleeps nearly always.
constexpr double rests = 0.01;
/// Share of processor time that goes into faults, by their measured cost.
constexpr double faults_dominate = 0.25;
/// Half of the looks find a thread that waits for a disk.
constexpr double blocked_often = 0.4;
/// A thread in state D that moves less than this does not wait for a disk (drivers use it, too).
constexpr double disk_moves = 100e3;
/// Nobody was seen blocked, but a program that sleeps moves this much: the looks missed it.
constexpr double disk_moves_much = 10e6;
/// The kernel begins to reclaim early; below a twentieth programs wait for it.
constexpr double memory_is_low = 0.05;
constexpr double memory_is_short = 0.1;
constexpr double major_faults_are_many = 50;
constexpr double memory_presses = 0.2;
/// Frameworks fill the memory of GPUs on purpose to 90 % and less.
constexpr double gpu_memory_full = 0.95;
/// A quarter of all processors is more than what the kernel and services use.
constexpr double others_take = 0.25;
constexpr double numa_misses_many = 0.2;
/// 40 MB/s of pages: less costs nothing, wherever it lies.
constexpr double numa_pages_many = 10'000;

bool at_least(std::optional<double> value, double bound) {
    return value && *value >= bound;
}

// ---- GPUs --------------------------------------------------------------------------------------

bool is_hot(GpuSample const& gpu) {
    bool const near =
        gpu.temperature_celsius && gpu.temperature_limit_celsius &&
        *gpu.temperature_celsius >= *gpu.temperature_limit_celsius - celsius_below_limit;
    return near || at_least(gpu.heat_throttled, throttled_often);
}

bool draws_all(GpuSample const& gpu) {
    return at_least(gpu.busy, gpu_works) &&
           (at_least(ratio(gpu.power_watts, gpu.power_cap_watts), power_at_cap) ||
            at_least(gpu.power_throttled, throttled_often));
}

bool copies_hold(GpuSample const& gpu) {
    auto const link = ratio(gpu.pcie_bytes_per_second, gpu.pcie_most_bytes_per_second);
    return gpu.busy.value_or(0) < gpu_is_busy &&
           (at_least(link, link_is_busy) || at_least(gpu.copy_engines, copies_dominate));
}

/// The GPU is not busy, and one thread of the host is, or would be without others.
bool launches_hold(GpuSample const& gpu, WatchSample const& seen) {
    auto const thread = std::max(busiest_thread(seen), std::min(cores_wanted(seen), 1.0));
    return gpu.busy && *gpu.busy >= gpu_rests && *gpu.busy < gpu_is_busy &&
           thread >= thread_is_busy && cores_wanted(seen) <= one_thread_at_most;
}

bool is_held(GpuSample const& gpu) {
    return gpu.held.value_or(0) >= 0.5;
}

bool is_hot_at_work(GpuSample const& gpu) {
    return is_held(gpu) && gpu.busy.value_or(1) >= gpu_rests && is_hot(gpu);
}

bool draws_all_for_it(GpuSample const& gpu) {
    return is_held(gpu) && draws_all(gpu);
}

bool is_full(GpuSample const& gpu) {
    return is_held(gpu) && at_least(ratio(gpu.vram_bytes, gpu.vram_total_bytes), gpu_memory_full);
}

/// Of several GPUs that work together, one that is held back holds the others back, too.
std::optional<LimitKind> limit_of_gpu(WatchSample const& seen) {
    auto const* gpu = held_gpu(seen);
    if (gpu == nullptr) return std::nullopt;
    if (std::ranges::any_of(seen.gpus, is_hot_at_work)) return LimitKind::temperature;
    if (std::ranges::any_of(seen.gpus, draws_all_for_it)) return LimitKind::power;
    if (at_least(gpu->others, 0.5)) return LimitKind::other_users;
    if (copies_hold(*gpu)) return LimitKind::copies;
    if (!gpu->busy) return std::nullopt;
    if (*gpu->busy >= gpu_is_busy)
        return at_least(gpu->memory_busy, gpu_memory_is_busy) ? LimitKind::gpu_memory_bandwidth
                                                              : LimitKind::gpu_compute;
    if (launches_hold(*gpu, seen)) return LimitKind::launches;
    return std::nullopt;
}

// ---- host --------------------------------------------------------------------------------------

bool memory_is_scarce(WatchSample const& seen) {
    auto const left = ratio(seen.available_bytes, seen.memory_bytes);
    bool const swaps = at_least(rate(seen.major_faults, seen), major_faults_are_many) && left &&
                       *left < memory_is_short;
    return swaps || (left && *left < memory_is_low) ||
           at_least(rate(seen.memory_pressure_seconds, seen), memory_presses);
}

bool faults_hold(WatchSample const& seen) {
    if (!seen.minor_faults || !seen.fault_cost_seconds || seen.cpu_seconds.value_or(0) <= 0)
        return false;
    // A program that starts others pays for that, and not for its memory.
    auto const own = *seen.minor_faults - seen.short_faults.value_or(0);
    return cores_wanted(seen) >= thread_is_busy / 2 &&
           own * *seen.fault_cost_seconds >= faults_dominate * *seen.cpu_seconds;
}

/// Share of the looks with a blocked thread, of the time in which it does not wait for processors
/// that others hold: alone it would not.
double blocked_share(WatchSample const& seen) {
    constexpr double least_left = 0.2;
    auto const waits = std::max(seen.runnable.value_or(0) - cores_used(seen), 0.0);
    return seen.blocked.value_or(0) / std::max(1 - waits, least_left);
}

bool disk_holds(WatchSample const& seen) {
    auto const bytes = disk_rate(seen);
    bool const faults = at_least(rate(seen.major_faults, seen), major_faults_are_many);
    if (busiest_thread(seen) >= thread_is_busy || cores_used(seen) > one_thread_at_most)
        return false;
    if (blocked_share(seen) >= blocked_often) return faults || !bytes || *bytes >= disk_moves;
    return cores_wanted(seen) < thread_is_busy && at_least(bytes, disk_moves_much);
}

LimitKind limit_of_processors(WatchSample const& seen) {
    auto const wanted = cores_wanted(seen);
    auto const all = processors_of(seen);
    if (wanted >= processors_are_busy * all) return LimitKind::processors;
    if (wanted > one_thread_at_most) return LimitKind::few_threads;
    if (wanted >= thread_is_busy) return LimitKind::one_thread;
    return LimitKind::waiting;
}

/// A program that sleeps while a GPU that it does not hold works for others, or for a server that
/// works for it.
bool waits_for_gpu_of_others(WatchSample const& seen) {
    auto const* gpu = busiest_gpu(seen);
    return gpu != nullptr && held_gpu(seen) == nullptr && *gpu->busy >= gpu_works;
}

bool does_nothing(WatchSample const& seen) {
    return cores_used(seen) < rests && disk_rate(seen).value_or(0) < disk_moves &&
           held_gpu(seen) == nullptr && seen.blocked.value_or(0) < blocked_often;
}

}  // namespace

bool others_hold_processors(WatchSample const& seen) {
    auto const all = seen.host_processors.value_or(0);
    if (all <= 0 || !seen.others_seconds || !seen.runnable) return false;
    auto const others = *rate(seen.others_seconds, seen) / all;
    // A thread that could run and did not: a quarter of a processor's time was lost to others.
    bool const waits = *seen.runnable - cores_used(seen) >= others_take;
    return waits && others >= others_take && others + cores_used(seen) / all >= processors_are_busy;
}

bool gpu_memory_is_full(WatchSample const& seen) {
    return std::ranges::any_of(seen.gpus, is_full);
}

GpuSample const* gpu_of_limit(LimitKind kind, WatchSample const& seen) {
    auto const first = [&](auto const& is_one) -> GpuSample const* {
        auto const found = std::ranges::find_if(seen.gpus, is_one);
        return found == seen.gpus.end() ? held_gpu(seen) : &*found;
    };
    switch (kind) {
        case LimitKind::temperature: return first(is_hot_at_work);
        case LimitKind::power: return first(draws_all_for_it);
        case LimitKind::gpu_memory: return first(is_full);
        default: return held_gpu(seen);
    }
}

bool pages_come_from_afar(WatchSample const& seen) {
    return at_least(rate(seen.numa_pages, seen), numa_pages_many) &&
           at_least(ratio(seen.numa_misses, seen.numa_pages), numa_misses_many);
}

LimitKind limit_of(WatchSample const& seen) {
    if (auto const gpu = limit_of_gpu(seen)) return *gpu;
    if (memory_is_scarce(seen)) return LimitKind::host_memory;
    if (faults_hold(seen)) return LimitKind::page_faults;
    if (disk_holds(seen)) return LimitKind::disk;
    auto const kind = limit_of_processors(seen);
    if (kind != LimitKind::waiting) return kind;
    if (waits_for_gpu_of_others(seen)) return LimitKind::other_users;
    return does_nothing(seen) ? LimitKind::nothing_seen : LimitKind::waiting;
}

}  // namespace rocmtune
