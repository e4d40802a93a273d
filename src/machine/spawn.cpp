// SPDX-License-Identifier: MIT
#include "machine/spawn.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rocmtune {
namespace {

class FileActions {
  public:
    explicit FileActions(std::span<int const> files) {
        ::posix_spawn_file_actions_init(&actions_);
        // All of ours are above 2, and what becomes 3 comes last: none is overwritten before.
        int next = 0;
        for (int const file : files) ::posix_spawn_file_actions_adddup2(&actions_, file, next++);
        ::posix_spawn_file_actions_addclosefrom_np(&actions_, next);
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

/// A signal of the parent's may have been ignored or blocked for us (see Attributes).
void reset_signals() {
    for (int number = 1; number < NSIG; ++number) (void)::signal(number, SIG_DFL);
    sigset_t set;
    ::sigemptyset(&set);
    ::sigprocmask(SIG_SETMASK, &set, nullptr);
}

/// Errors of a place, not of a program that was found there.
bool is_elsewhere(int error) {
    return error == ENOENT || error == ENOTDIR || error == EACCES || error == ESTALE ||
           error == ENODEV || error == ETIMEDOUT || error == ELOOP || error == ENAMETOOLONG;
}

/// Comes back with an errno: of what was there but is not for us, as execvp(3) has it, rather than
/// of what was not there.
int execute_first(std::vector<char*> const& programs, Spawn const& what) {
    int telling = 0;
    for (auto const* program = programs.data(); *program != nullptr; ++program) {
        ::execve(*program, what.words.data(), what.environment.data());
        if (!is_elsewhere(errno)) return errno;
        if (errno != ENOENT && errno != ENOTDIR) telling = errno;
    }
    return telling != 0 ? telling : ENOENT;
}

/// What posix_spawn cannot do. Only functions that are safe after fork.
[[noreturn]] void become(std::vector<char*> const& programs, Spawn const& what, pid_t parent,
                         int report) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    ::setpgid(0, 0);
    reset_signals();
    int next = 0;
    for (int const file : what.files) ::dup2(file, next++);
    ::dup3(report, next, O_CLOEXEC);
    ::closefrom(next + 1);
    int const error = execute_first(programs, what);
    (void)!::write(next, &error, sizeof error);
    ::_exit(1);
}

}  // namespace

bool open_pipe(Pipe& pipe) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    pipe = {above_standard(FileDescriptor(ends[0])), above_standard(FileDescriptor(ends[1]))};
    return pipe.read_end && pipe.write_end &&
           ::fcntl(pipe.read_end.get(), F_SETFL, O_NONBLOCK) == 0;
}

FileDescriptor open_null() {
    return above_standard(FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)));
}

FileDescriptor open_pidfd(pid_t pid) {
    // By number: glibc has a wrapper only since 2.36. It is closed on exec (pidfd_open(2)).
    auto const fd = ::syscall(SYS_pidfd_open, pid, 0);
    return above_standard(FileDescriptor(static_cast<int>(fd)));
}

int spawn(pid_t& pid, std::string const& program, Spawn const& what) {
    FileActions const files(what.files);
    Attributes const attributes;
    return ::posix_spawn(&pid, program.c_str(), files.get(), attributes.get(), what.words.data(),
                         what.environment.data());
}

int spawn_without_waiting(pid_t& pid, std::vector<char*> const& programs, Spawn const& what,
                          FileDescriptor& begin) {
    Pipe pipe;
    if (!open_pipe(pipe)) return errno;
    // Above all numbers that the program's files get.
    FileDescriptor const report(::fcntl(pipe.write_end.get(), F_DUPFD_CLOEXEC, 8));
    if (!report) return errno;
    auto const parent = ::getpid();
    pid = ::fork();
    if (pid == 0) become(programs, what, parent, report.get());
    if (pid < 0) return errno;
    ::setpgid(pid, pid);  // whoever comes first: its group must be there for our kill
    begin = std::move(pipe.read_end);
    return 0;
}

std::optional<int> exec_error(FileDescriptor const& begin) {
    int error = 0;
    auto const got = ::read(begin.get(), &error, sizeof error);
    if (got < 0) return std::nullopt;
    return got == static_cast<ssize_t>(sizeof error) ? error : 0;
}

}  // namespace rocmtune
