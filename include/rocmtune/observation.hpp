// SPDX-License-Identifier: MIT
// Observation: what a program did while it was watched, and what limits it. What could not be seen
// is absent.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/fact.hpp"

namespace rocmtune {

/// What keeps a program from being faster.
enum class LimitKind : std::uint8_t {
    one_thread,            ///< one thread works, other processors rest
    few_threads,           ///< more than one thread works, and still processors rest
    processors,            ///< all processors that it may use are busy with it
    launches,              ///< a GPU waits for one busy thread of the host
    copies,                ///< a GPU waits for data on their way
    gpu_compute,           ///< a GPU is busy, and its memory is not
    gpu_memory_bandwidth,  ///< a GPU is busy with its memory
    gpu_memory,            ///< the memory of a GPU is nearly full
    host_memory,           ///< the memory of the host is nearly full
    page_faults,           ///< the kernel hands out pages most of the time
    numa,                  ///< memory is taken from other NUMA nodes than wanted
    disk,
    power,        ///< a GPU draws what it may draw
    temperature,  ///< a GPU is as hot as it may be
    other_users,  ///< others work on the GPU or the processors
    waiting,      ///< it sleeps, and nothing that was looked at is busy
    nothing_seen,
};

inline constexpr std::array<std::string_view, 17> limit_kind_words{"one-thread",
                                                                   "few-threads",
                                                                   "processors",
                                                                   "launches",
                                                                   "copies",
                                                                   "gpu-compute",
                                                                   "gpu-memory-bandwidth",
                                                                   "gpu-memory",
                                                                   "host-memory",
                                                                   "page-faults",
                                                                   "numa",
                                                                   "disk",
                                                                   "power",
                                                                   "temperature",
                                                                   "other-users",
                                                                   "waiting",
                                                                   "nothing-seen"};

constexpr std::span<std::string_view const> words_of(LimitKind) {
    return limit_kind_words;
}

/// A figure over the time that was watched.
struct Course {
    double mean = 0;  ///< weighted by time
    double peak = 0;  ///< of one look, 0.1 s apart or more
};

template <SameEntity<Course> Self, class Visitor>
void visit_fields(Self& course, Visitor&& v) {
    v(Field{"mean", "mean over the time"}, course.mean);
    v(Field{"peak", "highest between two looks"}, course.peak);
}

/// One of the things that limit a program.
struct ObservedLimit {
    LimitKind kind = LimitKind::nothing_seen;
    double share = 0;        ///< of the time, 0 to 1
    std::string says = {};   ///< one sentence with its figures
    std::string doubt = {};  ///< what speaks against it, and what could not be seen
};

template <SameEntity<ObservedLimit> Self, class Visitor>
void visit_fields(Self& limit, Visitor&& v) {
    v(Field{"what", "what limits the program"}, limit.kind);
    v(Field{"share", "share of the time in which it does, 0 to 1"}, limit.share);
    v(Field{"figures", "what was seen, in one sentence"}, limit.says);
    v(Field{"confidence", "what speaks against it and what could not be seen"}, limit.doubt);
}

/// A while in which the same thing limits the program.
struct ObservedPhase {
    double start_seconds = 0;  ///< from the start of the watch
    double end_seconds = 0;
    LimitKind limit = LimitKind::nothing_seen;
};

template <SameEntity<ObservedPhase> Self, class Visitor>
void visit_fields(Self& phase, Visitor&& v) {
    v(Field{"start_seconds", "when it begins, from the start of the watch"}, phase.start_seconds);
    v(Field{"end_seconds", "when it ends"}, phase.end_seconds);
    v(Field{"limit", "what limits the program then"}, phase.limit);
}

/// One point of the chart.
struct ObservedLoad {
    double end_seconds = 0;  ///< the point stands for the time since the one before
    std::optional<double> processors_share = {};  ///< of those that the program may use, 0 to 1
    std::optional<double> gpu_share = {};         ///< of the busiest GPU, by whomever, 0 to 1
};

template <SameEntity<ObservedLoad> Self, class Visitor>
void visit_fields(Self& load, Visitor&& v) {
    v(Field{"end_seconds", "end of the time that the point stands for"}, load.end_seconds);
    v(Field{"processors_share", "share of its processors that the program used"},
      load.processors_share);
    v(Field{"gpu_share", "share of the time in which the busiest GPU worked"}, load.gpu_share);
}

/// A part of the run between lines that the program printed.
struct ObservedRegion {
    std::string name = {};
    std::uint64_t times = 0;             ///< how often it was entered
    double seconds = 0;                  ///< in all
    std::vector<LimitKind> limits = {};  ///< that held in it, the longest first
};

template <SameEntity<ObservedRegion> Self, class Visitor>
void visit_fields(Self& region, Visitor&& v) {
    v(Field{"name", "name that the user gave it"}, region.name);
    v(Field{"times", "how often a line began it"}, region.times);
    v(Field{"seconds", "time that was spent in it"}, region.seconds);
    v(Field{"limits", "what limited the program meanwhile, the longest first"}, region.limits);
}

/// What one GPU did meanwhile, for whomever.
struct ObservedGpu {
    std::string pci_address = {};
    std::optional<double> held_share = {};    ///< of the time, by the program, 0 to 1
    std::optional<double> others_share = {};  ///< of the time, computing processes of others
    std::optional<Course> busy_share = {};
    std::optional<Course> memory_busy_share = {};
    std::optional<Course> vram_bytes = {};
    std::optional<double> vram_total_bytes = {};
    std::optional<Course> power_watts = {};
    std::optional<double> power_cap_watts = {};
    std::optional<Course> clock_mhz = {};
    std::optional<Course> temperature_celsius = {};
    std::optional<double> power_throttled_share = {};
    std::optional<double> heat_throttled_share = {};
    std::vector<std::string> throttle_reasons = {};
    std::optional<Course> pcie_bytes_per_second = {};
    std::optional<double> pcie_most_bytes_per_second = {};
    std::optional<Course> copy_engines_share = {};
    std::optional<Course> queues = {};
    std::optional<Course> program_vram_bytes = {};
};

template <SameEntity<ObservedGpu> Self, class Visitor>
void visit_fields(Self& gpu, Visitor&& v) {
    v(Field{"pci_address", "PCI address of the GPU"}, gpu.pci_address);
    v(Field{"held_share", "share of the time in which the program held it"}, gpu.held_share);
    v(Field{"others_share", "share of the time in which processes of others computed on it"},
      gpu.others_share);
    v(Field{"busy_share", "share of the time in which it worked"}, gpu.busy_share);
    v(Field{"memory_busy_share", "share of the time in which its memory worked"},
      gpu.memory_busy_share);
    v(Field{"vram_bytes", "device memory in use, by whomever"}, gpu.vram_bytes);
    v(Field{"vram_total_bytes", "device memory that it has"}, gpu.vram_total_bytes);
    v(Field{"power_watts", "power drawn"}, gpu.power_watts);
    v(Field{"power_cap_watts", "power that it may draw"}, gpu.power_cap_watts);
    v(Field{"clock_mhz", "engine clock"}, gpu.clock_mhz);
    v(Field{"temperature_celsius", "its hottest sensor"}, gpu.temperature_celsius);
    v(Field{"power_throttled_share", "share of the time in which power held its clock down"},
      gpu.power_throttled_share);
    v(Field{"heat_throttled_share", "share of the time in which heat held its clock down"},
      gpu.heat_throttled_share);
    v(Field{"throttle_reasons", "limits that the driver named"}, gpu.throttle_reasons);
    v(Field{"pcie_bytes_per_second", "traffic on its link, both ways; an upper bound"},
      gpu.pcie_bytes_per_second);
    v(Field{"pcie_most_bytes_per_second", "what the link carries in both ways together"},
      gpu.pcie_most_bytes_per_second);
    v(Field{"copy_engines_share", "share of the time in which the program's copies ran"},
      gpu.copy_engines_share);
    v(Field{"queues", "the program's queues on it, for kernels and copies"}, gpu.queues);
    v(Field{"program_vram_bytes", "device memory of the program, as KFD counts it"},
      gpu.program_vram_bytes);
}

/// What a program and all that it started did while they were watched.
struct Observation {
    double seconds = 0;
    std::uint64_t samples = 0;                        ///< times between two looks
    std::optional<double> watch_seconds = {};         ///< processor time that looking took
    std::optional<std::uint64_t> processes = {};      ///< that were seen, short ones perhaps not
    std::optional<double> processors = {};            ///< that it may use
    std::optional<Course> busiest_thread_share = {};  ///< of one processor
    std::optional<Course> processors_share = {};      ///< of those that it may use
    std::optional<Course> others_share = {};          ///< of all processors, used by others
    std::optional<Course> run_queue = {};     ///< tasks of the host that can run, a processor
    std::optional<double> kernel_share = {};  ///< of its processor time
    std::optional<Course> threads = {};
    std::optional<Course> started_per_second = {};
    std::optional<Course> resident_bytes = {};
    std::optional<Course> available_bytes = {};
    std::optional<double> available_least_bytes = {};
    std::optional<Course> minor_faults_per_second = {};
    std::optional<Course> major_faults_per_second = {};
    std::optional<Course> read_bytes_per_second = {};
    std::optional<Course> written_bytes_per_second = {};
    std::optional<Course> blocked_share = {};
    std::optional<double> disk_pressure_share = {};
    std::optional<double> memory_pressure_share = {};
    std::optional<double> numa_miss_share = {};
    std::vector<ObservedGpu> gpus = {};
    std::vector<ObservedLimit> limits = {};  ///< most important first, at least one
    std::vector<ObservedPhase> phases = {};
    std::vector<ObservedLoad> load = {};  ///< at most 60 points
    std::vector<ObservedRegion> regions = {};
};

template <SameEntity<Observation> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"watched_seconds", "how long the program was watched"}, it.seconds);
    v(Field{"samples", "times between two looks"}, it.samples);
    v(Field{"watch_seconds", "processor time that looking took"}, it.watch_seconds);
    v(Field{"processes", "processes that were seen; short ones perhaps not"}, it.processes);
    v(Field{"processors", "processors that it may use; a quota may make a fraction of it"},
      it.processors);
    v(Field{"busiest_thread_share", "share of one processor that the busiest thread used"},
      it.busiest_thread_share);
    v(Field{"processors_share", "share of its processors that it used"}, it.processors_share);
    v(Field{"others_share", "share of all processors that others used"}, it.others_share);
    v(Field{"run_queue", "tasks of the host that could run, for each processor"}, it.run_queue);
    v(Field{"kernel_share", "share of its processor time that the kernel took"}, it.kernel_share);
    v(Field{"threads", "threads that it had"}, it.threads);
    v(Field{"started_per_second", "processes that it started a second; short ones perhaps not"},
      it.started_per_second);
    v(Field{"resident_bytes", "memory of the host that it held; what is shared counts twice"},
      it.resident_bytes);
    v(Field{"available_bytes", "memory of the host that was available"}, it.available_bytes);
    v(Field{"available_least_bytes", "least of that"}, it.available_least_bytes);
    v(Field{"minor_faults_per_second", "page faults without reading from a disk"},
      it.minor_faults_per_second);
    v(Field{"major_faults_per_second", "page faults that read from a disk"},
      it.major_faults_per_second);
    v(Field{"read_bytes_per_second", "bytes read from disks"}, it.read_bytes_per_second);
    v(Field{"written_bytes_per_second", "bytes written to disks"}, it.written_bytes_per_second);
    v(Field{"blocked_share",
            "share of the looks that found one of its threads stuck in the kernel "
            "(state D)"},
      it.blocked_share);
    v(Field{"disk_pressure_share", "share of the time in which tasks of the host waited for disks"},
      it.disk_pressure_share);
    v(Field{"memory_pressure_share",
            "share of the time in which tasks of the host waited for memory"},
      it.memory_pressure_share);
    v(Field{"numa_miss_share",
            "share of the pages that the host handed out on another node than wanted"},
      it.numa_miss_share);
    v(Field{"gpus", "what each GPU did meanwhile; empty without one that is awake"}, it.gpus);
    v(Field{"limits", "what limits the program, the most important first"}, it.limits);
    v(Field{"phases", "times with the same limit, one after the other"}, it.phases);
    v(Field{"load", "at most 60 points for a chart"}, it.load);
    v(Field{"regions", "parts of the run by lines that the program printed"}, it.regions);
}

}  // namespace rocmtune
