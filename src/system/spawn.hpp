// SPDX-License-Identifier: MIT
// What every program that we start begins with: its files, its signals, a group of its own.
#pragma once

#include <span>
#include <vector>

#include <sys/types.h>

#include "system/posix_file.hpp"

namespace rocmtune {

struct Pipe {
    FileDescriptor read_end;
    FileDescriptor write_end;
};

/// Both ends close on exec and are none of the standard files. Only our end, to read from, does not
/// block: programs do not expect that of their standard output. False with errno.
bool open_pipe(Pipe& pipe);

/// Nothing to read. Invalid with errno.
FileDescriptor open_null();

/// A file that is readable once the child has ended; invalid where the kernel has none
/// (before 5.3).
FileDescriptor open_pidfd(pid_t pid);

struct Spawn {
    char const* program;
    std::vector<char*> const& words;        ///< argv, null at its end
    std::vector<char*> const& environment;  ///< null at its end
    /// They become 0, 1, ... of the program, which gets no other file of ours or of our caller. At
    /// most four, all of them above 2.
    std::span<int const> files;
    /// Killed when the thread that starts it ends, unless it gets rights that we have not
    /// (prctl(2), PR_SET_PDEATHSIG). Our own workers see to that themselves.
    bool dies_with_us = false;
};

/// 0 or an errno, that of exec included. The child shares our memory until exec, so it costs the
/// same however large we are; one that dies with us is a copy of us until then.
int spawn(pid_t& pid, Spawn const& what);

}  // namespace rocmtune
