// SPDX-License-Identifier: MIT
// Processes that read for us, so that a kernel or a file server that does not answer stops them and
// not the program.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

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
/// ends with it, or with ours; an exception ends it with status 1. To be reaped with end_child().
/// @throws Error (Exit::undetermined) if there are no more files or processes.
ReaderProcess start_reader(ReaderFiles files, std::function<void(int pipe)> const& work);

enum class ChildEnd : std::uint8_t {
    finished,  ///< the work came to its end
    late,      ///< it did not in time, or a signal asks this program to end
    broken,    ///< the child ended early: no memory, or somebody killed it
};

struct ChildMessages {
    std::vector<std::string> messages;  ///< those that came whole, in their order
    ChildEnd end = ChildEnd::broken;
};

inline constexpr std::string_view hint_of_broken_child =
    "see whether memory is short, or what has killed it (dmesg)";

using Send = std::function<void(std::string_view message)>;

/// Runs `work` in a child process that holds none of our files, for at most `limit`, and no longer
/// than until a signal asks this program to end. A child that is stuck in the kernel (a file server
/// that does not answer) is killed and not waited for.
/// @throws Error (Exit::undetermined) if no child can be started.
ChildMessages messages_of_child(std::function<void(Send const&)> const& work,
                                std::chrono::milliseconds limit);

}  // namespace rocmtune
