// SPDX-License-Identifier: MIT
// What a benchmark gets to work with, and how it measures: steps that the worker runs one by one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/device.hpp"
#include "bench/witness.hpp"
#include "rocmtune/measurement.hpp"

namespace rocmtune::bench {

/// Another device that was chosen.
struct OtherDevice {
    std::uint64_t index = 0;
    std::string pci_address = {};
};

template <SameEntity<OtherDevice> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"index", ""}, it.index);
    v(Field{"pci_address", ""}, it.pci_address);
}

/// Operations a second of one matrix type that a device could do at most, and that its product is
/// expected to do, by its profile.
struct GemmPeak {
    std::string dtype = {};
    std::optional<double> peak_per_second = {};
    std::optional<double> expected_per_second = {};
};

template <SameEntity<GemmPeak> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"dtype", ""}, it.dtype);
    v(Field{"peak_per_second", ""}, it.peak_per_second);
    v(Field{"expected_per_second", ""}, it.expected_per_second);
}

/// What was asked for; travels to the worker as JSON.
struct Options {
    std::vector<std::string> benchmarks = {};
    std::string metric = {};  ///< only the first step that measures it; empty: all
    std::string backend = "cpu";
    std::uint64_t device = 0;
    std::string dtype = {};                  ///< empty: each benchmark's own choice
    std::optional<std::uint64_t> size = {};  ///< bytes of an array, rows of a matrix, ticks
    std::optional<std::uint64_t> bins = {};
    std::string ticks_file = {};
    std::optional<double> tick_size = {};
    double seconds = 0.2;  ///< sampling time of one figure
    bool quick = false;
    std::optional<double> peak_bytes_per_second = {};  ///< of the product, or by its clocks
    /// What memory can do at the highest clock that was read: no figure of it is above.
    std::optional<double> memory_limit_bytes_per_second = {};
    std::string no_peak = {};  ///< the label that says why there is no peak; empty: none is due
    /// Of the driver or the profile, if it is surely the last; runtimes may know smaller ones only.
    std::optional<std::uint64_t> last_level_cache_bytes = {};
    std::vector<GemmPeak> gemm_peaks = {};
    std::uint64_t compute_dies = 1;        ///< XCDs of the device (kernels/block_number.h)
    std::vector<OtherDevice> others = {};  ///< of the same backend, chosen as well
    bool first = true;                     ///< of those chosen: measures what concerns all of them
    std::string cache_directory = {};      ///< compiled kernels; empty: none are kept
    std::optional<double> time_seconds = {};  ///< that all steps may take; absent: what they need
    std::vector<std::string> notes = {};      ///< what was said of the device and cannot be
};

template <SameEntity<Options> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"benchmarks", ""}, it.benchmarks);
    v(Field{"metric", ""}, it.metric);
    v(Field{"backend", ""}, it.backend);
    v(Field{"device", ""}, it.device);
    v(Field{"dtype", ""}, it.dtype);
    v(Field{"size", ""}, it.size);
    v(Field{"bins", ""}, it.bins);
    v(Field{"ticks_file", ""}, it.ticks_file);
    v(Field{"tick_size", ""}, it.tick_size);
    v(Field{"seconds", ""}, it.seconds);
    v(Field{"quick", ""}, it.quick);
    v(Field{"peak_bytes_per_second", ""}, it.peak_bytes_per_second);
    v(Field{"memory_limit_bytes_per_second", ""}, it.memory_limit_bytes_per_second);
    v(Field{"no_peak", ""}, it.no_peak);
    v(Field{"last_level_cache_bytes", ""}, it.last_level_cache_bytes);
    v(Field{"gemm_peaks", ""}, it.gemm_peaks);
    v(Field{"compute_dies", ""}, it.compute_dies);
    v(Field{"others", ""}, it.others);
    v(Field{"first", ""}, it.first);
    v(Field{"cache_directory", ""}, it.cache_directory);
    v(Field{"time_seconds", ""}, it.time_seconds);
    v(Field{"notes", ""}, it.notes);
}

struct Session {
    Device& device;
    Options const& options;

    /// Bytes that a benchmark may take: half of what is free, so that others can go on.
    std::uint64_t budget_bytes() const { return device.free_bytes() / 2; }
    /// Theoretical memory bandwidth; 0 if nobody knows it.
    double peak_bytes_per_second() const;
    /// The largest last-level cache that anybody tells of; 0 if nobody does.
    std::uint64_t cache_bytes() const;
    /// Whether that one is surely the last: HIP tells of the L2 alone
    /// (hipDeviceAttributeL2CacheSize), and behind it may be an Infinity Cache.
    bool knows_last_cache() const;
};

/// One figure to find: its description, and the function that completes it. What it throws becomes
/// the measurement's status.
struct Step {
    Measurement draft;
    std::function<void(Measurement&)> run;
    bool gives_way = false;  ///< takes long: others come first where time is short
};

/// A row of the benchmark table.
struct Benchmark {
    std::string_view name;
    /// The steps, in order. Allocates and compiles nothing itself: that belongs into the steps.
    std::vector<Step> (*plan)(Session&);
    bool between_devices = false;  ///< means nothing on one device alone
};

std::span<Benchmark const> all_benchmarks();
Benchmark const* find_benchmark(std::string_view name);

/// A repeated piece of work on the device.
struct Work {
    std::function<void()> queue;  ///< queues one repetition
    double amount = 0;            ///< bytes or operations of one repetition
    double scale = 1e-9;          ///< from amount a second to the measurement's unit
    /// Where a repetition leaves its result: spoiled before the last one, and in pieces before
    /// others. At least one.
    std::vector<Output> outputs = {};
    bool exact = true;  ///< every repetition gives the same bits
    /// Compares the result of the last repetition; empty if it is right, else what is wrong.
    std::function<std::string()> check = {};
    double least_seconds = 0;  ///< sustained runs: sample at least so long
    bool burst = false;        ///< a few samples at a time, each time after idling
};

/// Warms up, samples and checks: fills samples, summary, states, labels and status. The last
/// repetition works on a spoiled output, and at least sixteen in a row are watched (eight, where
/// one takes too long): a device that loses one of as many has no figure.
void measure(Session& session, Work const& work, Measurement& result);

/// Says of the first time that no work can take (none, a negative one, no number) what it is; empty
/// if there is none.
std::string impossible_time(std::vector<double> const& seconds);

/// Takes back what could be taken for a figure: the status is wrong-result, `wrong` says why.
void refuse(std::string wrong, Measurement& result);

/// The devices that work at once: the session's own first, then the others that were chosen.
std::vector<std::uint64_t> chosen_devices(Session const& session);

/// Completes a measurement from samples that are already in its unit.
void summarize_into(Measurement& result);

/// Seconds of one repetition, best of three after one warm-up: to choose between kernels.
double quick_time(Device& device, std::function<void()> const& queue);

/// A description with what all have in common filled in.
Measurement draft_of(Session const& session, std::string_view benchmark, std::string metric,
                     std::string_view unit);

/// Divides by the peak and labels what cannot be.
void set_efficiency(Measurement& result, double peak);

/// Refuses a figure of which a sample moved more than memory can at its highest clock, beside what
/// the caches may have served. No judgement where that clock is not known or the data fit there.
/// @param touched  bytes of all arrays that one repetition reads and writes, each once
void judge_memory_limit(Session const& session, double touched, Measurement& result);

/// The same for data in memory: what may come from the last-level cache, or from one whose size is
/// not known, is labelled and has no efficiency.
/// @param bytes  size of all data that are touched
void set_memory_efficiency(Session const& session, double bytes, Measurement& result);

}  // namespace rocmtune::bench
