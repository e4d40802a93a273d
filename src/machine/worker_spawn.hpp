// SPDX-License-Identifier: MIT
// The start of a worker process.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <sys/types.h>

#include "machine/posix_file.hpp"
#include "machine/worker.hpp"

namespace rocmtune {

struct SpawnedWorker {
    pid_t pid = -1;         ///< of the process and its group; -1 if it did not start
    FileDescriptor answer;  ///< what it writes to descriptor 3; does not block
    FileDescriptor output;  ///< what it writes to descriptors 1 and 2; does not block
    FileDescriptor end;     ///< pidfd; none if the kernel has none for us
    FileDescriptor hold;    ///< of a held one: its standard input
    std::string why_not;    ///< why it did not start
};

/// Never throws for what the system refuses. `more` are words behind the request's arguments.
SpawnedWorker spawn_worker(WorkerRequest const& request, WorkerMachinery const& machinery,
                           std::span<std::string const> more = {});

/// `environment` (as environ) without what a privileged program must not hand on, if `drop`.
std::vector<char*> worker_environment(char** environment, bool drop_loader_variables);

}  // namespace rocmtune
