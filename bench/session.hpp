// SPDX-License-Identifier: MIT
// What a benchmark gets to work with, and how it measures: steps that the worker runs one by one.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/device.hpp"
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

/// By which matrix instruction our own kernel multiplies a type (kernels/gemm_matrix.hip).
struct GemmKernel {
    std::string dtype = {};
    std::string instruction = {};
};

template <SameEntity<GemmKernel> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"dtype", ""}, it.dtype);
    v(Field{"instruction", ""}, it.instruction);
}

/// What the profile of a target says of its matrix units (matrix_units_of in gemm.hpp).
struct MatrixUnits {
    std::string fp8_format = {};  ///< FNUZ or OCP; empty: not known, taken for OCP
    std::vector<GemmKernel> kernels = {};

    bool fp8_is_fnuz() const { return fp8_format == "FNUZ"; }
    /// Empty if there is none for this type.
    std::string_view instruction(std::string_view type) const;
};

template <SameEntity<MatrixUnits> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"fp8_format", ""}, it.fp8_format);
    v(Field{"kernels", ""}, it.kernels);
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
    MatrixUnits matrix_units = {};         ///< of the device's target
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
    v(Field{"matrix_units", ""}, it.matrix_units);
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
    using Plan = std::vector<Step>(Session&);

    std::string_view name;
    /// The metric by which verify judges a setting; empty: it depends on the setting (gemm).
    std::string_view judged_by;
    /// Each gives some of the steps. Allocates and compiles nothing itself: that belongs into the
    /// steps.
    std::array<Plan*, 3> plans;
    bool between_devices = false;  ///< means nothing on one device alone

    /// All steps, in order.
    std::vector<Step> plan(Session& session) const;
};

std::span<Benchmark const> all_benchmarks();
Benchmark const* find_benchmark(std::string_view name);

// ---- repetitions that may have been lost: output_watch.cpp --------------------------------------

/// What an output is spoiled with: no number in any floating-point type, and no sum or pattern that
/// a benchmark makes.
inline constexpr std::uint8_t spoiled_byte = 0xFF;

/// Where a repetition leaves its result. Both functions queue.
struct Output {
    std::size_t bytes = 0;
    std::function<void(std::size_t offset, std::size_t bytes)> spoil = {};
    /// To pinned host memory.
    std::function<void(void* to, std::size_t offset, std::size_t bytes)> read = {};
    /// Where alone a repetition leaves something else than nothing; absent: everywhere.
    std::optional<std::size_t> focus = {};
};

/// Memory of the device itself.
Output device_output(Device& device, Address memory, std::size_t bytes);

/// Memory that only copies of pieces reach, another device's or the host's. `write` and `fetch`
/// queue copies between it and memory of this device.
Output copied_output(Device& device, std::size_t bytes,
                     std::function<void(std::size_t offset, Address from, std::size_t bytes)> write,
                     std::function<void(Address to, std::size_t offset, std::size_t bytes)> fetch);

/// Finds repetitions that have not run at all: a right result may be left over from an earlier one.
/// Spoils a small piece of the output before a repetition and reads it before and after, in the
/// queue and without waiting, each time at another place. A repetition that was lost leaves the
/// piece spoiled; a spoiling that was lost does not. So many repetitions in a row as are watched
/// catch every device that loses one of as many.
class OutputWatch {
  public:
    /// Repetitions between two calls of collect().
    static constexpr std::size_t most_rounds = 16;

    /// @param exact  every repetition gives the same bits
    OutputWatch(Device& device, std::vector<Output> outputs, bool exact = true);

    void before();  ///< queues what comes before a repetition
    void after();   ///< queues what comes after it
    /// Takes in what was read since the last call. The device has finished all that was queued.
    void collect();

    /// Watches most_rounds repetitions that nobody samples. Waits for the device.
    void watch(std::function<void()> const& queue);

    /// Repeats the work once more on outputs that are spoiled as a whole. Empty if `check` finds
    /// that right and no watched repetition was lost, else what is wrong. Waits for the device.
    std::string verdict(std::function<void()> const& queue,
                        std::function<std::string()> const& check);

  private:
    static constexpr std::size_t piece_bytes = 256;

    static std::size_t piece(Output const& output) { return std::min(output.bytes, piece_bytes); }
    static std::size_t place(Output const& output, std::size_t round);
    /// Where the host finds the piece of this round, as it was before or after the repetition.
    std::uint8_t* slot(std::size_t output, std::size_t round, bool done) const;
    void read(std::size_t round, bool done);
    /// What was wrong with those that were watched, beside the result that is in the outputs now.
    std::string complaint();

    Device& device_;
    std::vector<Output> outputs_;
    bool exact_;
    PinnedBuffer pieces_;
    std::size_t rounds_ = 0;                  ///< watched so far
    std::size_t collected_ = 0;               ///< of them, taken in
    std::vector<std::uint8_t> results_ = {};  ///< a piece of each output of each round
    std::string lost_spoiling_ = {};
};

// ---- figures: sampling.cpp ----------------------------------------------------------------------

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

/// Completes one whose result was right with its samples: verified, with the summary.
void complete(std::vector<double> samples, Measurement& result);

/// Completes one that is a single figure: it has no interval.
void complete(double figure, Measurement& result);

/// The quotient of two figures of the same run.
/// @throws DeviceError (unsupported) if there is none of one of them
void complete_ratio(double value, double by, Measurement& result);

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
