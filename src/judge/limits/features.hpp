// SPDX-License-Identifier: MIT
// Figures of a while as shares and rates.
#pragma once

#include <algorithm>
#include <optional>

#include "judge/limits/sample.hpp"

namespace rocmtune {

/// A sum over the time, for each second of it.
inline std::optional<double> rate(std::optional<double> sum, WatchSample const& seen) {
    return sum && seen.seconds > 0 ? std::optional(*sum / seen.seconds) : std::nullopt;
}

/// Processors that the program may use; one at least.
inline double processors_of(WatchSample const& seen) {
    return std::max(seen.processors.value_or(seen.host_processors.value_or(1)), 1e-3);
}

/// Processors that the program used.
inline double cores_used(WatchSample const& seen) {
    return rate(seen.cpu_seconds, seen).value_or(0);
}

/// Processors that it would have used without others: threads that could run count, too.
inline double cores_wanted(WatchSample const& seen) {
    return std::max(cores_used(seen), seen.runnable.value_or(0));
}

inline double busiest_thread(WatchSample const& seen) {
    return std::clamp(rate(seen.thread_seconds, seen).value_or(0), 0.0, 1.0);
}

/// Bytes a second between the program and disks; absent if the kernel does not tell.
inline std::optional<double> disk_rate(WatchSample const& seen) {
    if (!seen.read_bytes && !seen.written_bytes) return std::nullopt;
    return rate(seen.read_bytes.value_or(0) + seen.written_bytes.value_or(0), seen);
}

/// Share of its processors that the program used.
inline std::optional<double> share_of_processors(WatchSample const& it) {
    if (!it.cpu_seconds || (!it.processors && !it.host_processors)) return std::nullopt;
    return std::min(cores_used(it) / processors_of(it), 1.0);
}

/// part / whole, if both are known.
inline std::optional<double> ratio(std::optional<double> part, std::optional<double> whole) {
    return part && whole && *whole > 0 ? std::optional(*part / *whole) : std::nullopt;
}

/// The GPU that the program holds and that works most; of those of which nobody knows who holds
/// them, none.
inline GpuSample const* held_gpu(WatchSample const& seen) {
    GpuSample const* most = nullptr;
    for (auto const& gpu : seen.gpus)
        if (gpu.held.value_or(0) >= 0.5 &&
            (most == nullptr || gpu.busy.value_or(0) > most->busy.value_or(0)))
            most = &gpu;
    return most;
}

/// The GPU that works most, for whomever.
inline GpuSample const* busiest_gpu(WatchSample const& seen) {
    GpuSample const* most = nullptr;
    for (auto const& gpu : seen.gpus)
        if (gpu.busy && (most == nullptr || *gpu.busy > *most->busy)) most = &gpu;
    return most;
}

}  // namespace rocmtune
