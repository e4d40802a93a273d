// SPDX-License-Identifier: MIT
// Benchmarks as bench, report and verify run them: on which devices, for how long, with which
// yardsticks.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/session.hpp"
#include "measure/data_files.hpp"
#include "measure/gpu_selection.hpp"
#include "rocmtune/error.hpp"
#include "rocmtune/host.hpp"
#include "rocmtune/measurement.hpp"

namespace rocmtune {

// ---- devices ------------------------------------------------------------------------------------

/// Bytes, rows or ticks of --size: more than any device holds.
inline constexpr std::uint64_t most_bench_size = std::uint64_t{1} << 50;

/// --backend and --gpu.
struct DeviceChoice {
    std::string backend = "auto";  ///< or a row of the table of backends
    std::vector<GpuSelector> gpus = {};
};

struct ChosenDevice {
    bench::DeviceInfo info;
    Gpu const* gpu = nullptr;  ///< its row of the host, if it has one
};

/// The devices of the backend, or the chosen ones among them. With `auto`, of the first backend
/// that has some. The host must outlive the result.
/// @throws Error if there are none, or none that was named.
std::vector<ChosenDevice> choose_devices(DeviceChoice const& choice, Host const& host);

/// The chosen devices beside this one. One that was named twice is no other.
std::vector<bench::OtherDevice> others_of(std::vector<ChosenDevice> const& all,
                                          ChosenDevice const& one);

/// The host as far as the devices need it: for processors the kernel's view will do.
Host host_for_bench(DeviceChoice const& choice, std::optional<std::string> const& profiles);

// ---- a run --------------------------------------------------------------------------------------

/// What the command line says of it; nothing about devices is checked yet.
struct BenchmarkChoice {
    std::string benchmark = {};  ///< a row of the table of benchmarks, or "all"; empty: not named
    std::string dtype = {};      ///< empty: each benchmark's own choice
    std::optional<std::uint64_t> size = {};  ///< bytes of an array, rows of a matrix, ticks
    std::optional<std::uint64_t> bins = {};
    std::string ticks_file = {};
    std::optional<double> tick_size = {};
    std::optional<double> seconds = {};  ///< sampling time of one figure
    bool quick = false;
    DeviceChoice devices = {};
    DataChoice data = {};  ///< its patience is for a worker that says nothing
    bool is_quiet = false;
};

/// What the workers get of it. @throws Error for ticks that cannot be read, or belong to another
/// benchmark.
bench::Options worker_options(BenchmarkChoice const& choice);

/// Measures on the chosen devices: at most a minute on each where the choice is bounded. `start` is
/// when that minute of the first one began.
/// @throws Error for devices that are not there.
std::vector<Measurement> run_benchmarks(BenchmarkChoice const& choice, bench::Options options,
                                        Host const& host,
                                        std::chrono::steady_clock::time_point start);

/// 1 if a figure is missing or wrong that was asked for, 3 if there is none at all or there was no
/// time for one. What is unsupported was not asked of this device.
Exit exit_of(std::vector<Measurement> const& all);

// ---- time ---------------------------------------------------------------------------------------

/// Whether a minute at most is asked for. Who names a benchmark, ticks or how
/// long to sample wants those figures, however long they take.
inline bool is_bounded(BenchmarkChoice const& choice) {
    return choice.benchmark.empty() && !choice.seconds && choice.ticks_file.empty();
}

/// The minute of one device.
class DeviceMinute {
  public:
    using Clock = std::chrono::steady_clock;

    /// @param bounded  false: every benchmark takes what it needs
    DeviceMinute(bool bounded, Clock::time_point start) : bounded_(bounded), start_(start) {}

    /// Seconds after the start when benchmark `index` of `count` begins its last step. Each leaves
    /// a quarter of a minute to every one that comes after it; what it does not need is theirs too.
    static constexpr double end_of(std::size_t index, std::size_t count) {
        return std::max(minute - grace - 15.0 * static_cast<double>(count - 1 - index), 0.0);
    }

    /// What the benchmark may take from now on for its steps; absent: what it needs.
    std::optional<double> seconds(std::size_t index, std::size_t count,
                                  Clock::time_point now) const {
        std::chrono::duration<double> const used = now - start_;
        return bounded_ ? std::optional(std::max(end_of(index, count) - used.count(), 0.0))
                        : std::nullopt;
    }

    /// After this its worker is ended, whatever it does; 0: never.
    static std::chrono::milliseconds lifetime(std::optional<double> seconds) {
        auto const milliseconds = seconds ? 1000 * (*seconds + grace) : 0;
        return std::chrono::milliseconds(static_cast<std::int64_t>(milliseconds));
    }

  private:
    static constexpr double minute = 60;
    /// For a step that takes longer than the one before it.
    static constexpr double grace = 3;

    bool bounded_;
    Clock::time_point start_;
};

/// Of a worker that was ended for its time: the step that it had begun and those after it are
/// unfinished, not failed. Whether that step would ever have ended is not known.
void excuse_late(std::vector<Measurement>& all);

/// The steps come in parts, and how many a part has is told when it begins: those to come are taken
/// to have as many as the ones before.
class TimeLeft {
  public:
    explicit TimeLeft(std::size_t parts) : parts_(parts) {}

    /// Step `index` of the `count` of a part begins, `seconds` after the first.
    void begin(std::size_t index, std::size_t count, double seconds) {
        if (index == 0) {
            before_ += of_part_;
            ++part_;
        }
        of_part_ = count;
        done_ = before_ + index;
        seconds_ = seconds;
    }

    /// Nothing until some steps are over.
    double seconds() const {
        constexpr std::size_t enough = 3;
        if (done_ < enough) return 0;
        auto const begun = static_cast<double>(before_ + of_part_);
        auto const to_come = static_cast<double>(parts_ > part_ ? parts_ - part_ : 0);
        auto const left =
            begun - static_cast<double>(done_) + to_come * begun / static_cast<double>(part_);
        return left * seconds_ / static_cast<double>(done_);
    }

    /// ", about 40 s left", ", about 3 min left"; empty until some steps are over.
    std::string text() const {
        constexpr double minute = 60, step = 5;
        auto const left = seconds();
        if (left <= 0) return {};
        if (left > 2 * minute) return fmt::format(", about {:.0f} min left", left / minute);
        return fmt::format(", about {:.0f} s left", step * std::ceil(left / step));
    }

  private:
    std::size_t parts_;
    std::size_t part_ = 0;     ///< that has begun, from 1
    std::size_t of_part_ = 0;  ///< its steps
    std::size_t before_ = 0;   ///< steps of the parts before
    std::size_t done_ = 0;     ///< steps that are over
    double seconds_ = 0;       ///< that they took
};

}  // namespace rocmtune
