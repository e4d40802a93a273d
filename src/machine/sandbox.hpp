// SPDX-License-Identifier: MIT
// Giving up rights before files of others are parsed: a parser that goes astray then finds nothing
// to do harm with.
#pragma once

#include <span>
#include <string>

struct sock_filter;  // linux/filter.h

namespace rocmtune {

/// One of the two mechanisms of the kernel. Each works without the other.
struct SandboxPart {
    bool is_on = false;
    std::string says;  ///< "on, ..." or "off: " and why
};

struct Sandbox {
    SandboxPart landlock;  ///< no writing, no starting of programs, no TCP, no signals to others
    SandboxPart filter;    ///< seccomp: none but the system calls that reading needs
};

/// Landlock hides what lies below /proc/PID of other processes.
enum class OtherProcesses : bool { hidden, readable };

/// From here on signals of this process, and of those that it starts, reach nobody else
/// (Landlock, version 6); enter_sandbox() leaves it at that. On an older kernel nothing happens.
/// It hides other processes as enter_sandbox() does.
void keep_signals_among_us();

/// From here on this thread, and the threads and children that it starts, can read files and write
/// to what is open, but open nothing for writing, change no name, start no program, make no socket,
/// and look into no other process. There is no way back. What the kernel does not have, or a
/// container refuses, stays as it was, and is said.
Sandbox enter_sandbox(OtherProcesses others = OtherProcesses::hidden);

/// A program for seccomp(2) that lets a process read files, compute and start threads and children
/// of its own code; all else fails with ENOSYS. Whether openat2(2) writes, a filter cannot see: it
/// is let through only on wish. Made at build time where libseccomp is found
/// (compile_call_filter.cpp).
std::span<sock_filter const> call_filter(bool openat2);

}  // namespace rocmtune
