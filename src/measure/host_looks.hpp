// SPDX-License-Identifier: MIT
// What the whole host does while a program is watched, look after look.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sys/types.h>

#include "judge/limits/sample.hpp"
#include "machine/host_root.hpp"

namespace rocmtune {

class HostLooks {
  public:
    explicit HostLooks(HostRoot root);

    /// Adds to the sample what happened since the look before; the program's own part must be there
    /// already. `program` has its processes. Some figures come with every fifth look only.
    void take(WatchSample& sample, std::span<pid_t const> program);

  private:
    /// A counter of the host that only grows.
    class Growth {
      public:
        /// How much it has grown since the last time that it was known.
        std::optional<double> since(std::optional<double> now);

      private:
        std::optional<double> before_ = {};
    };

    void take_processors(WatchSample& sample);
    void take_memory(WatchSample& sample) const;
    void take_numa(WatchSample& sample);
    void take_pressure(WatchSample& sample);
    void learn_allowed(std::span<pid_t const> program);

    HostRoot root_;
    double tick_seconds_ = 0.01;
    std::optional<double> quota_ = {};  ///< of processors, by control groups
    std::optional<double> allowed_ = {};
    std::vector<std::string> nodes_ = {};
    Growth busy_, numa_pages_, numa_misses_, disk_pressure_, memory_pressure_, own_;
    std::uint64_t looks_ = 0;
};

/// Processor time of one page fault here, measured on a small area.
std::optional<double> page_fault_seconds();

/// Processor time of this process.
double own_seconds();

}  // namespace rocmtune
