// SPDX-License-Identifier: MIT
// What every program that we start begins with: its files, its signals, a group of its own.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sys/types.h>

#include "machine/posix_file.hpp"

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
    std::vector<char*> const& words;        ///< argv, null at its end
    std::vector<char*> const& environment;  ///< null at its end
    /// They become 0, 1, ... of the program, which gets no other file of ours or of our caller. At
    /// most four, all of them above 2.
    std::span<int const> files;
};

/// 0 or an errno, that of exec included. The child shares our memory until exec, so it costs the
/// same however large we are, and we wait for exec however long it takes: for our own program,
/// which answers as long as we run.
int spawn(pid_t& pid, std::string const& program, Spawn const& what);

/// For programs of others, which may lie on a file server that is gone: does not wait for exec.
/// The first of `programs` (paths, null at their end) that is a program for us is it. `begin` ends
/// when the program begins, or brings the errno why it does not (see exec_error); it does not
/// block. The child is a copy of us until then, and is killed when the thread that starts it ends,
/// unless it gets rights that we have not (prctl(2), PR_SET_PDEATHSIG). 0 or an errno.
int spawn_without_waiting(pid_t& pid, std::vector<char*> const& programs, Spawn const& what,
                          FileDescriptor& begin);

/// What `begin` has to say; nothing: the child has not come to it yet. 0: the program has begun.
std::optional<int> exec_error(FileDescriptor const& begin);

}  // namespace rocmtune
