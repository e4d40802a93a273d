// SPDX-License-Identifier: MIT
// How much of the processors others used during a while.
#pragma once

#include <optional>

namespace rocmtune {

/// Measures from its construction on.
class LoadMeter {
  public:
    LoadMeter();
    /// Share (0 to 1) of all processors that was used by others than this process and its children
    /// that have ended; absent if the kernel does not tell, or too little time has passed.
    std::optional<double> others() const;

  private:
    /// Seconds of processor time, of all and of us.
    struct Times {
        double busy = 0;
        double idle = 0;
        double own = 0;
        bool known = false;
    };
    static Times now();

    Times start_;
};

}  // namespace rocmtune
