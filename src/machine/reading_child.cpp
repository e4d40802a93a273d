// SPDX-License-Identifier: MIT
// On the pipe a message is its size, as a word of 8 bytes, and its bytes; the size all_sent is the
// end of the work.
#include "machine/reading_child.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "base/text.hpp"
#include "machine/child.hpp"
#include "machine/held_signals.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

using Clock = std::chrono::steady_clock;

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
    for (int const other : open_files())
        if (other > 2 && other != fd) ::close(other);
}

void drop_files(ReaderFiles files, int pipe) {
    int const null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    for (int standard = 0; standard < 3; ++standard)
        if (null < 0 || ::dup2(null, standard) < 0) ::close(standard);
    if (files == ReaderFiles::none) close_all_but(pipe);
    else close_files_of_the_caller();
}

constexpr std::uint64_t all_sent = ~std::uint64_t{0};

void write_or_end(int fd, std::string_view bytes) {
    if (write_all(fd, bytes) != 0) ::_exit(1);
}

void write_size(int fd, std::uint64_t size) {
    write_or_end(fd, {reinterpret_cast<char const*>(&size), sizeof size});
}

/// Takes the whole messages off the front of what came.
void take_messages(std::string& bytes, ChildMessages& taken) {
    std::size_t at = 0;
    for (std::uint64_t size = 0; bytes.size() - at >= sizeof size; at += sizeof size + size) {
        std::memcpy(&size, bytes.data() + at, sizeof size);
        if (size == all_sent) taken.end = ChildEnd::finished;
        if (size == all_sent || bytes.size() - at - sizeof size < size) break;
        taken.messages.push_back(bytes.substr(at + sizeof size, size));
    }
    bytes.erase(0, at);
}

/// Waits for the next bytes in short steps: a signal that is held back wakes nobody up.
bool wait_for_bytes(int fd, Clock::time_point deadline) {
    constexpr std::chrono::milliseconds step{50};
    while (!HeldSignals::waiting()) {
        auto const left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
        if (left.count() <= 0) return false;
        pollfd poll_bytes{fd, POLLIN, 0};
        if (::poll(&poll_bytes, 1, static_cast<int>(std::min(left, step).count())) > 0) return true;
    }
    return false;
}

ChildMessages receive(int fd, Clock::time_point deadline) {
    ChildMessages taken;
    std::string bytes;
    std::vector<char> buffer(std::size_t{1} << 16);
    while (taken.end != ChildEnd::finished) {
        if (!wait_for_bytes(fd, deadline)) {
            taken.end = ChildEnd::late;
            break;
        }
        auto const count = ::read(fd, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        bytes.append(buffer.data(), static_cast<std::size_t>(count));
        take_messages(bytes, taken);
    }
    return taken;
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
    reader.pid = fork_child([&] {
        drop_files(files, write_end.get());
        work(write_end.get());
        ::_exit(0);
    });
    if (reader.pid < 0) no_fork(errno);
    return reader;
}

ChildMessages messages_of_child(std::function<void(Send const&)> const& work,
                                std::chrono::milliseconds limit) {
    auto const deadline = Clock::now() + limit;
    auto const child = start_reader(ReaderFiles::none, [&](int pipe) {
        work([pipe](std::string_view message) {
            write_size(pipe, message.size());
            write_or_end(pipe, message);
        });
        write_size(pipe, all_sent);
    });
    auto taken = receive(child.pipe.get(), deadline);
    end_child(child.pid, true);
    return taken;
}

}  // namespace rocmtune
