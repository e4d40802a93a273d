// SPDX-License-Identifier: MIT
#include "machine/worker_spawn.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include <sys/auxv.h>
#include <sys/socket.h>
#include <unistd.h>

#include "machine/search_path.hpp"
#include "machine/spawn.hpp"

namespace rocmtune {
namespace {

/// The result of posix_spawn: 0 or an errno.
int spawn_program(pid_t& pid, WorkerRequest const& request, std::span<std::string const> more,
                  WorkerMachinery const& machinery, std::span<int const> files) {
    std::vector<std::string> words{"rocmtune", "--internal-worker", request.name};
    words.insert(words.end(), request.arguments.begin(), request.arguments.end());
    words.insert(words.end(), more.begin(), more.end());
    auto lines = changed_environment(environ, machinery.changes);
    keep_trusted_search_path(lines);
    auto const environment =
        worker_environment(pointers_to(lines).data(), machinery.drop_loader_variables);
    return spawn(pid, machinery.program, {pointers_to(words), environment, files});
}

SpawnedWorker not_started(int error) {
    SpawnedWorker worker;
    worker.why_not = "it could not be started: " + errno_text(error);
    return worker;
}

/// The other end of `ours`. A socket, so that writing to a worker that is gone raises no signal.
FileDescriptor open_socket(FileDescriptor& ours) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return FileDescriptor();
    ours = above_standard(FileDescriptor(ends[0]));
    return above_standard(FileDescriptor(ends[1]));
}

bool is_loader_variable(std::string_view assignment) {
    constexpr std::array<std::string_view, 3> names{"LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT"};
    auto const name = assignment.substr(0, assignment.find('='));
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool WorkerMachinery::is_secure_execution() {
    return ::getauxval(AT_SECURE) != 0;
}

std::vector<char*> worker_environment(char** environment, bool drop_loader_variables) {
    std::vector<char*> result;
    for (; environment != nullptr && *environment != nullptr; ++environment)
        if (!drop_loader_variables || !is_loader_variable(*environment))
            result.push_back(*environment);
    result.push_back(nullptr);
    return result;
}

SpawnedWorker spawn_worker(WorkerRequest const& request, WorkerMachinery const& machinery,
                           std::span<std::string const> more) {
    Pipe answer;
    Pipe output;
    if (!open_pipe(answer) || !open_pipe(output)) return not_started(errno);
    SpawnedWorker worker;
    auto input = request.held ? open_socket(worker.hold) : open_null();
    if (!input) return not_started(errno);
    std::array const files{input.get(), output.write_end.get(), output.write_end.get(),
                           answer.write_end.get()};
    if (int const error = spawn_program(worker.pid, request, more, machinery, files))
        return not_started(error);
    worker.answer = std::move(answer.read_end);
    worker.output = std::move(output.read_end);
    if (machinery.use_pidfd) worker.end = open_pidfd(worker.pid);
    return worker;
}

}  // namespace rocmtune
