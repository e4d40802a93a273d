// SPDX-License-Identifier: MIT
#include "system/reader_pipe.hpp"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

[[noreturn]] void no_files(int error) {
    no_reader(errno_text(error), "a limit may be in the way (ulimit -n)");
}

}  // namespace

void no_reader(std::string const& why, std::string const& hint) {
    throw Error("cannot start the process that reads the host: " + why, hint, Exit::undetermined);
}

void no_fork(int error) {
    no_reader(errno_text(error), "a limit may be in the way (ulimit -u, pids.max of a cgroup)");
}

ReaderPipe open_reader_pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) no_files(errno);
    ReaderPipe pipe{above_standard(FileDescriptor(ends[0])),
                    above_standard(FileDescriptor(ends[1]))};
    if (!pipe.read_end || !pipe.write_end) no_files(errno);
    return pipe;
}

}  // namespace rocmtune
