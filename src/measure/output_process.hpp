// SPDX-License-Identifier: MIT
// A process that keeps the right to write the files of --output and the like, for one that has
// given it up before it reads what others wrote. It takes contents for these files and does
// nothing else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "machine/posix_file.hpp"

namespace rocmtune {

class OutputProcess {
  public:
    /// @throws Error if no process can be started.
    explicit OutputProcess(std::vector<std::string> files);
    OutputProcess(OutputProcess const&) = delete;
    OutputProcess& operator=(OutputProcess const&) = delete;
    ~OutputProcess();

    /// replace_file(), for one of the files. @throws Error as it does there.
    void replace(std::string const& file, std::string_view text);

  private:
    /// Waits for the process, and lets it go on if somebody has stopped it; false if it cannot.
    bool is_ready(short events);

    std::vector<std::string> files_;
    FileDescriptor channel_;
    pid_t process_;
};

/// Starts the process of this program, unless there is nothing to write. False if it cannot be
/// started.
bool start_output_process(std::vector<std::string> files);

/// The one that was started, or null.
OutputProcess* output_process();

}  // namespace rocmtune
