// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace rocmtune {

/// Something that goes on by itself and has to be looked after from time to time, for example while
/// workers run.
class Companion {
  public:
    virtual ~Companion() = default;

    /// To poll for POLLIN: turn() has something to do then; -1: there is none.
    virtual int fd() const = 0;
    /// When turn() has something to do even if poll() sees nothing.
    virtual std::chrono::steady_clock::time_point due() const = 0;
    virtual void turn() = 0;
    virtual bool is_over() const = 0;
    /// Ends it early, because this program was asked to end.
    virtual void interrupt() = 0;
};

}  // namespace rocmtune
