// SPDX-License-Identifier: MIT
// A process that reads for us, so that a kernel that does not answer stops it and not the program;
// and the error where none can be started.
#pragma once

#include <functional>
#include <string>

#include <sys/types.h>

#include "machine/posix_file.hpp"

namespace rocmtune {

/// @throws Error (Exit::undetermined): the host stands in the way, not a fault of ours.
[[noreturn]] void no_reader(std::string const& why, std::string const& hint);

/// After a fork that failed: says why, and which limits there are.
[[noreturn]] void no_fork(int error);

struct ReaderProcess {
    pid_t pid = -1;
    FileDescriptor pipe = FileDescriptor();  ///< what it writes; its end is that of the process
};

/// Which of our open files the process has. One that is stuck never ends: whoever reads from a file
/// that it keeps would wait for ever.
enum class ReaderFiles : bool {
    none,  ///< none
    ours,  ///< those that we close on exec: neither standard streams nor files of our caller
};

/// Calls `work` in a new process, with the number of the file that it may write to. The process
/// ends with it, or with ours; an exception ends it with status 1.
/// @throws Error (Exit::undetermined) if there are no more files or processes.
ReaderProcess start_reader(ReaderFiles files, std::function<void(int pipe)> const& work);

/// Reaps a process that is about to end, after killing it if `kill`, and waits 0.2 s for it at
/// most. False if it is stuck in the kernel, where no signal reaches it. `status` as of waitpid(2).
bool end_reader(pid_t pid, bool kill, int& status);

/// Whether it has ended, or is no child of ours.
bool has_ended(pid_t pid, int* status = nullptr);

}  // namespace rocmtune
