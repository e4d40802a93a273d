// SPDX-License-Identifier: MIT
// The GPUs of this host as they are now, look after look: what rocmtune probe --watch shows. A
// process of its own looks; one GPU that does not answer is left out, and the others go on.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "judge/limits/sample.hpp"
#include "machine/host_root.hpp"
#include "measure/looking_process.hpp"

namespace rocmtune {

class LiveGpus {
  public:
    using Seconds = std::chrono::duration<double>;
    /// How long one look may take before the GPU that it waits for is given up.
    static constexpr Seconds patience{2};

    /// Begins at once. `open` is called in the process that looks and gives it the host.
    LiveGpus(Seconds period, std::function<HostRoot()> open, Seconds for_one_look = patience);

    /// Waits for the next look: one in each period, counted from the first. Its time is that since
    /// boot. Nothing where no process can be started.
    std::optional<WatchSample> next();
    /// Addresses of those that did not answer; they are not asked again.
    std::set<std::string> const& silent() const { return silent_; }

  private:
    void start();
    void take_line(std::string_view line);

    Seconds period_;
    std::function<HostRoot()> open_;
    Seconds for_one_look_;
    std::optional<LookingProcess> looker_ = {};
    std::string asked_ = {};  ///< the GPU whose files are being read
    std::optional<WatchSample> seen_ = {};
    std::set<std::string> silent_ = {};
};

}  // namespace rocmtune
