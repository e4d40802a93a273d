// SPDX-License-Identifier: MIT
// What every process that reads for us is started with, and the error where none can be.
#pragma once

#include <string>

#include "system/posix_file.hpp"

namespace rocmtune {

/// @throws Error (Exit::undetermined): the host stands in the way, not a fault of ours.
[[noreturn]] void no_reader(std::string const& why, std::string const& hint);

/// After a fork that failed: says why, and which limits there are.
[[noreturn]] void no_fork(int error);

struct ReaderPipe {
    FileDescriptor read_end;  ///< neither is 0, 1 or 2, both close on exec
    FileDescriptor write_end;
};

/// @throws Error (Exit::undetermined) if there are no more files.
ReaderPipe open_reader_pipe();

}  // namespace rocmtune
