// SPDX-License-Identifier: MIT
// A flight record: what the GPUs did in the last ten minutes, in a file that is there after the
// host has crashed. A text: looks (judge/limits/sample.hpp) and lines of the kernel log, in their
// order. It is closed by the first line of the kernel that tells of a fault.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "judge/limits/sample.hpp"
#include "machine/written_file.hpp"
#include "rocmtune/diagnosis.hpp"

namespace rocmtune {

class FlightRecord {
  public:
    static constexpr double kept_seconds = 600;
    /// What follows a fault is kept for so long: a GPU that is reset says how that went.
    static constexpr double after_fault_seconds = 10;

    /// @throws Error for a file that is there already: it may be all that is left of an incident.
    explicit FlightRecord(std::string path);

    /// Adds a look, at most one a second, and what the kernel said since the one before. `fault` is
    /// what a line of these tells, empty if none tells of a fault.
    /// @throws Error for a file that cannot be written any more.
    void add(WatchSample const& look, std::span<std::string const> kernel,
             std::string const& fault);

    bool is_closed() const { return is_closed_; }
    /// Of the first fault; empty before one.
    std::string const& fault() const { return fault_; }

  private:
    void forget_old(double now);
    void write_all_kept();

    std::string path_;
    Destination file_;
    std::size_t file_bytes_ = 0;
    std::deque<std::pair<double, std::string>> kept_ = {};  ///< with the time of each piece
    std::size_t kept_bytes_ = 0;
    std::string fault_ = {};
    double fault_seconds_ = 0;
    bool is_closed_ = false;
};

/// Reads a record that stands in a text, line by line.
class FlightReader {
  public:
    /// Whether the line is one of a record and no line of the kernel.
    bool take(std::string_view line);

    /// The time that the looks cover; nothing if there was no record.
    std::optional<double> seconds() const;
    std::vector<GpuActivity> const& activity() const { return activity_; }

  private:
    void take_look(std::string_view line);

    bool is_inside_ = false;
    double first_ = 0, last_ = 0;
    std::size_t looks_ = 0;
    std::vector<GpuActivity> activity_ = {};
};

}  // namespace rocmtune
