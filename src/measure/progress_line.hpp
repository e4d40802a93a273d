// SPDX-License-Identifier: MIT
// What is going on, for a terminal.
#pragma once

#include <string>

#include <unistd.h>

#include "measure/output.hpp"

namespace rocmtune {

/// One line on standard error that the next one overwrites; nothing where that is no terminal.
class ProgressLine {
  public:
    explicit ProgressLine(bool wanted) : shown_(wanted && ::isatty(STDERR_FILENO) == 1) {}
    ProgressLine(ProgressLine const&) = delete;
    ProgressLine& operator=(ProgressLine const&) = delete;
    ~ProgressLine() { write("\r\x1b[K"); }

    void show(std::string const& text) const {
        constexpr std::size_t most = 70;  // fits any terminal, and begins no second line
        write("\r\x1b[K" + text.substr(0, most));
    }

  private:
    void write(std::string const& text) const {
        if (!shown_) return;
        print_error(text);
    }
    bool shown_;
};

}  // namespace rocmtune
