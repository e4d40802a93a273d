// SPDX-License-Identifier: MIT
// What was seen of a program between two looks, and of several such times together. What nobody
// told is absent.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/gpu_sample.hpp"

namespace rocmtune {

/// Figures that change slowly or cost much are read with every so many looks.
inline constexpr unsigned looks_between_slow_ones = 5;

/// A program and its host between two looks.
struct WatchSample {
    double end_seconds = 0;  ///< from the start of the watch
    double seconds = 0;      ///< since the look before

    // Sums over the time.
    std::optional<double> cpu_seconds = {};     ///< of the program and all that it started
    std::optional<double> kernel_seconds = {};  ///< the part of it in the kernel
    std::optional<double> thread_seconds = {};  ///< of its busiest thread
    std::optional<double> others_seconds = {};  ///< processor time of others
    std::optional<double> minor_faults = {};
    std::optional<double> short_faults = {};  ///< those among minor_faults of starting processes
    std::optional<double> major_faults = {};
    std::optional<double> read_bytes = {};  ///< from disks
    std::optional<double> written_bytes = {};
    std::optional<double> started = {};     ///< processes
    std::optional<double> numa_pages = {};  ///< that the host handed out
    std::optional<double> numa_misses = {};
    std::optional<double> disk_pressure_seconds = {};  ///< some task of the host waited for disks
    std::optional<double> memory_pressure_seconds = {};
    std::optional<double> watch_seconds = {};  ///< processor time of looking

    // Means over the time.
    std::optional<double> host_processors = {};
    std::optional<double> processors = {};  ///< that the program may use
    std::optional<double> runnable = {};    ///< its threads that run or could
    std::optional<double> run_queue = {};   ///< the same of the whole host
    std::optional<double> blocked = {};     ///< share of looks with one of its threads in state D
    std::optional<double> processes = {};
    std::optional<double> threads = {};
    std::optional<double> resident_bytes = {};
    std::optional<double> available_bytes = {};
    std::optional<double> memory_bytes = {};        ///< of the host
    std::optional<double> fault_cost_seconds = {};  ///< of one page fault, as measured here

    std::vector<GpuSample> gpus = {};
};

struct WatchSum {
    std::string_view word;
    std::optional<double> WatchSample::*value;
};
using WatchMean = WatchSum;
struct GpuMean {
    std::string_view word;
    std::optional<double> GpuSample::*value;
};

/// The figures by kind, with the words of line_of().
std::span<WatchSum const> watch_sums();
std::span<WatchMean const> watch_means();
std::span<GpuMean const> gpu_means();

/// Times that follow each other as one. A figure that only some of them have is that of those.
WatchSample joined(std::span<WatchSample const> samples);

/// A sample as a line, and back; nothing for what is none.
std::string line_of(WatchSample const& sample);
std::optional<WatchSample> watch_sample_of(std::string_view line);

}  // namespace rocmtune
