// SPDX-License-Identifier: MIT
#include "machine/child.hpp"

#include <ctime>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine/environment_change.hpp"

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
int execute_first(std::vector<char*> const& programs, ChildProgram const& what) {
    int telling = 0;
    for (auto const* program = programs.data(); *program != nullptr; ++program) {
        ::execve(*program, what.words.data(), what.environment.data());
        if (!is_elsewhere(errno)) return errno;
        if (errno != ENOENT && errno != ENOTDIR) telling = errno;
    }
    return telling != 0 ? telling : ENOENT;
}

/// What posix_spawn cannot do. Only functions that are safe after fork.
void become(std::vector<char*> const& programs, ChildProgram const& what, int report) {
    ::setpgid(0, 0);
    reset_signals();
    int next = 0;
    for (int const file : what.files) ::dup2(file, next++);
    ::dup3(report, next, O_CLOEXEC);
    ::closefrom(next + 1);
    int const error = execute_first(programs, what);
    (void)!::write(next, &error, sizeof error);
}

FileDescriptor open_pidfd(pid_t pid) {
    // By number: glibc has a wrapper only since 2.36. It is closed on exec (pidfd_open(2)).
    auto const fd = ::syscall(SYS_pidfd_open, pid, 0);
    return above_standard(FileDescriptor(static_cast<int>(fd)));
}

std::vector<LeftBehind>& left_behind() {
    static std::vector<LeftBehind> children;
    return children;
}

/// Whether it has ended, or is no child of ours.
bool is_reaped(pid_t pid, int* status) {
    auto const reaped = ::waitpid(pid, status, WNOHANG);
    return reaped == pid || (reaped < 0 && errno == ECHILD);
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

pid_t fork_child(std::function<void()> const& work) {
    auto const parent = ::getpid();
    auto const pid = ::fork();
    if (pid != 0) return pid;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    try {
        work();
    } catch (...) {
        // Ends as if it had returned.
    }
    ::_exit(1);
}

int Child::spawn(std::string const& program, ChildProgram const& what) {
    FileActions const files(what.files);
    Attributes const attributes;
    int const error = ::posix_spawn(&pid_, program.c_str(), files.get(), attributes.get(),
                                    what.words.data(), what.environment.data());
    if (error != 0) pid_ = -1;
    else end_ = open_pidfd(pid_);
    return error;
}

int Child::spawn_without_waiting(std::vector<char*> const& programs, ChildProgram const& what) {
    Pipe pipe;
    if (!open_pipe(pipe)) return errno;
    // Above all numbers that the program's files get.
    FileDescriptor const report(::fcntl(pipe.write_end.get(), F_DUPFD_CLOEXEC, 8));
    if (!report) return errno;
    pid_ = fork_child([&] { become(programs, what, report.get()); });
    if (pid_ < 0) return errno;
    ::setpgid(pid_, pid_);  // whoever comes first: its group must be there for our kill
    begin_ = std::move(pipe.read_end);
    end_ = open_pidfd(pid_);
    return 0;
}

std::optional<int> Child::exec_error() {
    int error = 0;
    auto const got = begin_ ? ::read(begin_.get(), &error, sizeof error) : 0;
    if (got < 0) return std::nullopt;
    begin_ = FileDescriptor();
    return got == static_cast<ssize_t>(sizeof error) ? error : 0;
}

bool Child::has_ended() const {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0)
        return errno == ECHILD;
    return info.si_pid == pid_;
}

void Child::ask_to_end() {
    signal_group(SIGTERM);
    signal_group(SIGCONT);  // a stopped process takes no SIGTERM
    sent_ = SIGTERM;
    due = Clock::now() + limits.grace;
}

bool Child::press() {
    if (sent_ == SIGKILL) return false;
    if (sent_ == 0) return ask_to_end(), true;
    signal_group(SIGKILL);
    sent_ = SIGKILL;
    due = Clock::now() + limits.patience;
    return true;
}

bool end_child(pid_t pid, bool kill, int* status) {
    constexpr int patience_ms = 200;
    if (kill) ::kill(pid, SIGKILL);
    for (int i = 0; i < patience_ms * 10; ++i) {
        if (is_reaped(pid, status)) return true;
        timespec const moment{0, 100'000};
        ::nanosleep(&moment, nullptr);
    }
    return false;
}

void leave_behind(LeftBehind child) {
    left_behind().push_back(std::move(child));
}

void reap_left_behind() {
    std::erase_if(left_behind(), [](auto const& child) { return is_reaped(child.pid, nullptr); });
}

std::vector<LeftBehind> const& children_left_behind() {
    return left_behind();
}

std::vector<std::string> changed_environment(char const* const* environment,
                                             std::span<EnvironmentChange const> changes) {
    std::vector<std::string> lines;
    for (; environment != nullptr && *environment != nullptr; ++environment)
        lines.emplace_back(*environment);
    for (auto const& change : changes) {
        std::erase_if(lines, [&](std::string_view line) {
            return line.substr(0, line.find('=')) == change.name;
        });
        if (change.value) lines.push_back(change.name + '=' + *change.value);
    }
    return lines;
}

std::vector<char*> pointers_to(std::vector<std::string>& lines) {
    std::vector<char*> result;
    result.reserve(lines.size() + 1);
    for (auto& line : lines) result.push_back(line.data());
    result.push_back(nullptr);
    return result;
}

}  // namespace rocmtune
