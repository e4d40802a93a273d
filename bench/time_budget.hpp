// SPDX-License-Identifier: MIT
// Which steps of a run are begun, so that the run ends in time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace rocmtune::bench {

/// Why a figure is unfinished, and how to get it.
/// @param what  became of it: "not begun"
inline std::string not_in_time(std::string_view what, std::string_view benchmark) {
    return fmt::format(
        "{}, since all benchmarks together take a minute at most: rocmtune bench {} takes what it "
        "needs",
        what, benchmark);
}

/// Asked before each step of a run. A step is expected to take as long as the last one of its kind;
/// what cannot be expected to end in time is not begun, so that no figure comes of less than its
/// samples. Long steps (sustained runs) give way: one is begun only if the others that are to come
/// have time after it.
class TimeBudget {
  public:
    /// Seconds of a clock that never goes back.
    using Clock = std::function<double()>;

    /// @param seconds  that the run may take from now; absent: as many as it likes
    TimeBudget(std::optional<double> seconds, Clock clock)
        : clock_(std::move(clock)), seconds_(seconds), start_(clock_()) {}

    /// Whether there is time for the next step.
    /// @param gives_way  it is a long one
    /// @param to_come    steps after it that give way to nothing
    bool has_time(bool gives_way, std::size_t to_come) const {
        if (!seconds_) return true;
        auto const left = start_ + *seconds_ - clock_();
        if (!gives_way) return left > short_;
        return left > long_ + short_ * static_cast<double>(to_come);
    }

    /// Runs a step and remembers how long it took.
    template <class F>
    void run(bool gives_way, F const& step) {
        auto const before = clock_();
        step();
        (gives_way ? long_ : short_) = clock_() - before;
    }

  private:
    Clock clock_;
    std::optional<double> seconds_;
    double start_;
    double short_ = 0;
    /// Before there was one: 1.5 s of samples, and as long for the rest.
    double long_ = 3;
};

}  // namespace rocmtune::bench
