// SPDX-License-Identifier: MIT
// How long a run of many steps still takes, by the time of those that are over.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>

#include <fmt/format.h>

namespace rocmtune {

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
