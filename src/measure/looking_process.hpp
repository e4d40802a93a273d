// SPDX-License-Identifier: MIT
// A process of ours that looks at something again and again and writes a line for what it saw: a
// driver that does not answer stops it and nobody else.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "machine/reading_child.hpp"

namespace rocmtune {

class LookingProcess {
  public:
    /// Calls `work` in a new process, with the number of the file that it may write to. Nobody
    /// looks where no process can be started.
    explicit LookingProcess(std::function<void(int pipe)> const& work);
    LookingProcess(LookingProcess const&) = delete;
    LookingProcess& operator=(LookingProcess const&) = delete;
    ~LookingProcess() { end(); }

    /// To poll; -1 where nobody looks, or not any more.
    int file() const { return reader_.pipe ? reader_.pipe.get() : -1; }
    /// Gives each whole line that came since. To be called once a second or more often: what the
    /// pipe does not hold is waited with.
    void take(std::function<void(std::string_view line)> const& line);
    /// Ends it. One that is stuck in the kernel is left behind.
    void end();

  private:
    ReaderProcess reader_ = {};
    std::string rest_ = {};  ///< of a line that is not complete
};

}  // namespace rocmtune
