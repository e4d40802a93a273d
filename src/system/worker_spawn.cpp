// SPDX-License-Identifier: MIT
#include "system/worker_spawn.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fmt/format.h>

namespace rocmtune {
namespace {

struct Pipe {
    FileDescriptor read_end;
    FileDescriptor write_end;
};

/// Only our end is set not to block: libraries do not expect that of standard output.
bool open_pipe(Pipe& pipe) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    pipe = {above_standard(FileDescriptor(ends[0])), above_standard(FileDescriptor(ends[1]))};
    return pipe.read_end && pipe.write_end &&
           ::fcntl(pipe.read_end.get(), F_SETFL, O_NONBLOCK) == 0;
}

/// The files of the worker: nothing to read, two pipes, and nothing else of ours or of our caller.
class FileActions {
  public:
    FileActions(int null, int output, int answer) {
        ::posix_spawn_file_actions_init(&actions_);
        // All of ours are above 2, and `answer` is put in place last: none is overwritten before.
        ::posix_spawn_file_actions_adddup2(&actions_, null, 0);
        ::posix_spawn_file_actions_adddup2(&actions_, output, 1);
        ::posix_spawn_file_actions_adddup2(&actions_, output, 2);
        ::posix_spawn_file_actions_adddup2(&actions_, answer, 3);
        ::posix_spawn_file_actions_addclosefrom_np(&actions_, 4);
    }
    FileActions(FileActions const&) = delete;
    FileActions& operator=(FileActions const&) = delete;
    ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
    posix_spawn_file_actions_t const* get() const { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_;
};

/// A process group of its own and signals as a new program expects them: we may ignore SIGPIPE,
/// block SIGTERM, and have been started by something that ignores more.
class Attributes {
  public:
    Attributes() {
        ::posix_spawnattr_init(&attributes_);
        sigset_t set;
        ::sigemptyset(&set);
        ::posix_spawnattr_setsigmask(&attributes_, &set);
        ::sigfillset(&set);
        ::posix_spawnattr_setsigdefault(&attributes_, &set);
        ::posix_spawnattr_setpgroup(&attributes_, 0);
        ::posix_spawnattr_setflags(
            &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    }
    Attributes(Attributes const&) = delete;
    Attributes& operator=(Attributes const&) = delete;
    ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
    posix_spawnattr_t const* get() const { return &attributes_; }

  private:
    posix_spawnattr_t attributes_;
};

/// The result of posix_spawn: 0 or an errno, that of exec included. It shares our memory until
/// exec, so it costs the same however large we are.
int spawn(pid_t& pid, WorkerRequest const& request, WorkerMachinery const& machinery,
          FileActions const& files) {
    std::vector<std::string> words{"rocmtune", "--internal-worker", request.name};
    words.insert(words.end(), request.arguments.begin(), request.arguments.end());
    auto lines = changed_environment(environ, machinery.changes);
    auto const environment =
        worker_environment(pointers_to(lines).data(), machinery.drop_loader_variables);
    Attributes const attributes;
    return ::posix_spawn(&pid, machinery.program.c_str(), files.get(), attributes.get(),
                         pointers_to(words).data(), environment.data());
}

/// By number: glibc has a wrapper only since 2.36. The descriptor is closed on exec
/// (pidfd_open(2)).
FileDescriptor open_pidfd(pid_t pid) {
    auto const fd = ::syscall(SYS_pidfd_open, pid, 0);
    return above_standard(FileDescriptor(static_cast<int>(fd)));
}

SpawnedWorker not_started(int error) {
    SpawnedWorker worker;
    worker.why_not = "it could not be started: " + errno_text(error);
    return worker;
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

SpawnedWorker spawn_worker(WorkerRequest const& request, WorkerMachinery const& machinery) {
    Pipe answer;
    Pipe output;
    if (!open_pipe(answer) || !open_pipe(output)) return not_started(errno);
    auto const null = above_standard(FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)));
    if (!null) return not_started(errno);
    FileActions const files(null.get(), output.write_end.get(), answer.write_end.get());
    SpawnedWorker worker;
    if (int const error = spawn(worker.pid, request, machinery, files)) return not_started(error);
    worker.answer = std::move(answer.read_end);
    worker.output = std::move(output.read_end);
    if (machinery.use_pidfd) worker.end = open_pidfd(worker.pid);
    return worker;
}

}  // namespace rocmtune
