// SPDX-License-Identifier: MIT
// How `rocmtune bench` without a name of a benchmark, and report that measures, take at most a
// minute on each device, the processors too.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bench/time_budget.hpp"
#include "measure/arguments.hpp"
#include "rocmtune/measurement.hpp"

namespace rocmtune {

/// Whether the arguments of bench ask for a minute at most. Who names a benchmark, ticks or how
/// long to sample wants those figures, however long they take.
inline bool is_bounded(Arguments const& arguments) {
    return arguments.positionals.empty() && !arguments.has("--time") && !arguments.has("--ticks");
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
inline void excuse_late(std::vector<Measurement>& all) {
    auto one = std::ranges::find(all, "timeout", &Measurement::status);
    for (auto const* what = "not ended in time"; one != all.end(); ++one, what = "not begun") {
        one->status = "unfinished";
        one->detail = bench::not_in_time(what, one->benchmark);
    }
}

}  // namespace rocmtune
