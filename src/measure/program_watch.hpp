// SPDX-License-Identifier: MIT
// Watches a program and all that it starts, ten times a second, and tells what limits it. A process
// of its own looks: a driver that does not answer stops nobody else. No library is asked, no GPU is
// woken.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "judge/limits/sample.hpp"
#include "machine/host_root.hpp"
#include "measure/looking_process.hpp"
#include "rocmtune/observation.hpp"

namespace rocmtune {

/// This host, as the process that looks sees it.
HostRoot live_host();

class ProgramWatch {
  public:
    /// Begins at once. `open` is called in the process that looks and gives it the host. Where no
    /// process can be started nothing is seen, and the observation says so.
    explicit ProgramWatch(pid_t program, std::function<HostRoot()> const& open = live_host);

    /// To poll; -1 where nobody looks, or all processes of the program are gone.
    int file() const { return looker_.file(); }
    /// Takes what was seen since. To be called once a second or more often: what the pipe does not
    /// hold is waited with.
    void take();
    /// Seconds since the watch began, for marks of regions.
    double seconds() const;
    /// What was seen so far.
    std::vector<WatchSample> const& samples() const { return samples_; }
    /// Ends the watch.
    Observation finish();

  private:
    void take_line(std::string_view line);
    void take_links();

    std::chrono::steady_clock::time_point start_;
    LookingProcess looker_;
    LookingProcess links_;  ///< reads the traffic of links, which takes the driver a second
    std::map<std::string, double, std::less<>> traffic_ = {};  ///< bytes a second, by address
    std::vector<WatchSample> samples_ = {};
    std::size_t processes_ = 0;
};

}  // namespace rocmtune
