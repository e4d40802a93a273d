// SPDX-License-Identifier: MIT
// Composed samples of programs that are limited by one thing.
#pragma once

#include <functional>
#include <vector>

#include "judge/limits/limits.hpp"

namespace rocmtune::test {

/// A look of 0.1 s at a program that sleeps on a host with 8 processors and all figures known.
inline WatchSample asleep() {
    return {.seconds = 0.1,
            .cpu_seconds = 0,
            .kernel_seconds = 0,
            .thread_seconds = 0,
            .others_seconds = 0.004,
            .minor_faults = 0,
            .short_faults = 0,
            .major_faults = 0,
            .read_bytes = 0,
            .written_bytes = 0,
            .started = 0,
            .disk_pressure_seconds = 0,
            .memory_pressure_seconds = 0,
            .host_processors = 8,
            .processors = 8,
            .runnable = 0,
            .run_queue = 1,
            .blocked = 0,
            .processes = 1,
            .threads = 1,
            .resident_bytes = 1e8,
            .available_bytes = 20e9,
            .memory_bytes = 32e9,
            .fault_cost_seconds = 1e-6};
}

/// One thread that works all the time.
inline WatchSample one_thread() {
    auto it = asleep();
    it.cpu_seconds = it.thread_seconds = 0.098;
    it.kernel_seconds = 0.002;
    it.runnable = 1;
    return it;
}

/// A program that holds a GPU, which rests.
inline GpuSample resting_gpu() {
    return {.pci_address = "0000:03:00.0",
            .held = 1,
            .others = 0,
            .busy = 0,
            .memory_busy = 0,
            .vram_bytes = 4e9,
            .vram_total_bytes = 16e9,
            .power_watts = 20,
            .power_cap_watts = 300,
            .clock_mhz = 500,
            .temperature_celsius = 45,
            .temperature_limit_celsius = 110,
            .power_throttled = 0,
            .heat_throttled = 0,
            .pcie_bytes_per_second = 1e6,
            .pcie_most_bytes_per_second = 63e9,
            .copy_engines = 0};
}

inline WatchSample with_gpu(WatchSample sample,
                            std::function<void(GpuSample&)> const& change = {}) {
    sample.gpus.push_back(resting_gpu());
    if (change) change(sample.gpus.back());
    return sample;
}

/// A GPU that works all the time and draws less than it may.
inline void works(GpuSample& gpu) {
    gpu.busy = 0.99;
    gpu.memory_busy = 0.3;
    gpu.power_watts = 200;
    gpu.clock_mhz = 2400;
    gpu.temperature_celsius = 75;
}

/// A run of `seconds` that always looks the same, after `before`.
inline std::vector<WatchSample> run_of(WatchSample const& sample, double seconds,
                                       std::vector<WatchSample> before = {}) {
    auto const start = before.empty() ? 0 : before.back().end_seconds;
    for (double at = sample.seconds; at <= seconds + 1e-9; at += sample.seconds) {
        before.push_back(sample);
        before.back().end_seconds = start + at;
    }
    return before;
}

}  // namespace rocmtune::test
