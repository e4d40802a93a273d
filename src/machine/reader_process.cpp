// SPDX-License-Identifier: MIT
#include "machine/reader_process.hpp"

#include <cerrno>
#include <ctime>
#include <filesystem>
#include <vector>

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

[[noreturn]] void no_files(int error) {
    no_reader(errno_text(error), "a limit may be in the way (ulimit -n)");
}

/// The numbers of this process's open files; all that there may be where /proc does not tell.
std::vector<int> open_files() {
    std::vector<int> numbers;
    std::error_code error;
    for (std::filesystem::directory_iterator file("/proc/self/fd", error), end; file != end;
         file.increment(error))
        if (auto const number = to_unsigned(file->path().filename().string(), 10))
            numbers.push_back(static_cast<int>(*number));
    constexpr int highest = 1024;
    if (numbers.empty())
        for (int number = 0; number < highest; ++number) numbers.push_back(number);
    return numbers;
}

/// Every file of ours is closed on exec; one that is not came through ours from the shell.
void close_files_of_the_caller() {
    for (int const fd : open_files())
        if (int const flags = ::fcntl(fd, F_GETFD);
            fd > 2 && flags >= 0 && (flags & FD_CLOEXEC) == 0)
            ::close(fd);
}

void close_all_but(int fd) {
    ::close_range(3, static_cast<unsigned>(fd) - 1, 0);
    ::close_range(static_cast<unsigned>(fd) + 1, ~0U, 0);
}

void drop_files(ReaderFiles files, int pipe) {
    int const null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    for (int standard = 0; standard < 3; ++standard)
        if (null < 0 || ::dup2(null, standard) < 0) ::close(standard);
    if (files == ReaderFiles::none) close_all_but(pipe);
    else close_files_of_the_caller();
}

[[noreturn]] void be_the_reader(pid_t parent, ReaderFiles files, int pipe,
                                std::function<void(int)> const& work) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    drop_files(files, pipe);
    try {
        work(pipe);
    } catch (...) {
        ::_exit(1);
    }
    ::_exit(0);
}

}  // namespace

void no_reader(std::string const& why, std::string const& hint) {
    throw Error("cannot start the process that reads the host: " + why, hint, Exit::undetermined);
}

void no_fork(int error) {
    no_reader(errno_text(error), "a limit may be in the way (ulimit -u, pids.max of a cgroup)");
}

ReaderProcess start_reader(ReaderFiles files, std::function<void(int)> const& work) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) no_files(errno);
    ReaderProcess reader{-1, above_standard(FileDescriptor(ends[0]))};
    FileDescriptor const write_end = above_standard(FileDescriptor(ends[1]));
    if (!reader.pipe || !write_end) no_files(errno);
    auto const parent = ::getpid();
    reader.pid = ::fork();
    if (reader.pid < 0) no_fork(errno);
    if (reader.pid == 0) be_the_reader(parent, files, write_end.get(), work);
    return reader;
}

bool has_ended(pid_t pid, int* status) {
    auto const reaped = ::waitpid(pid, status, WNOHANG);
    return reaped == pid || (reaped < 0 && errno == ECHILD);
}

bool end_reader(pid_t pid, bool kill, int& status) {
    constexpr int patience_ms = 200;
    if (kill) ::kill(pid, SIGKILL);
    for (int i = 0; i < patience_ms * 10; ++i) {
        if (has_ended(pid, &status)) return true;
        timespec const moment{0, 100'000};
        ::nanosleep(&moment, nullptr);
    }
    return false;
}

}  // namespace rocmtune
