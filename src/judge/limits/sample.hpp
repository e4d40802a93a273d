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

namespace rocmtune {

/// Figures that change slowly or cost much are read with every so many looks.
inline constexpr unsigned looks_between_slow_ones = 5;

/// One GPU between two looks. All figures are means over the time.
struct GpuSample {
    std::string pci_address = {};
    std::optional<double> held = {};    ///< share of the time in which the program held it
    std::optional<double> others = {};  ///< share in which processes of others computed on it
    std::optional<double> busy = {};    ///< 0 to 1
    std::optional<double> memory_busy = {};
    std::optional<double> vram_bytes = {};
    std::optional<double> vram_total_bytes = {};
    std::optional<double> power_watts = {};
    std::optional<double> power_cap_watts = {};
    std::optional<double> clock_mhz = {};
    std::optional<double> memory_clock_mhz = {};
    std::optional<double> temperature_celsius = {};  ///< the sensor nearest to its limit
    std::optional<double> temperature_limit_celsius = {};
    std::optional<double> power_throttled = {};  ///< share of the time
    std::optional<double> heat_throttled = {};
    std::optional<double> pcie_bytes_per_second = {};  ///< both ways
    std::optional<double> pcie_most_bytes_per_second = {};
    std::optional<double> copy_engines =
        {};                                ///< share of the time in which the program's copies ran
    std::optional<double> queues = {};     ///< of the program, for kernels and copies
    std::optional<double> own_bytes = {};  ///< device memory of the program
    std::set<std::string> reasons = {};    ///< names of limits that held its clock down
};

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
