// SPDX-License-Identifier: MIT
// On the pipe a message is its size, as a word of 8 bytes, and its bytes; the size all_sent is the
// end of the work.
#include "system/reading_child.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "system/held_signals.hpp"
#include "system/reader_pipe.hpp"

namespace rocmtune {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t all_sent = ~std::uint64_t{0};

void write_whole(int fd, char const* bytes, std::size_t size) {
    while (size > 0) {
        auto const count = ::write(fd, bytes, size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) ::_exit(1);
        bytes += count;
        size -= static_cast<std::size_t>(count);
    }
}

void write_size(int fd, std::uint64_t size) {
    char bytes[sizeof size];
    std::memcpy(bytes, &size, sizeof size);
    write_whole(fd, bytes, sizeof size);
}

/// A child that never ends must keep no file of ours open: a consumer of our output would wait.
void keep_only(int fd) {
    int const null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    for (int standard = 0; standard < 3; ++standard)
        if (null < 0 || ::dup2(null, standard) < 0) ::close(standard);
    ::close_range(3, static_cast<unsigned>(fd) - 1, 0);
    ::close_range(static_cast<unsigned>(fd) + 1, ~0U, 0);
}

[[noreturn]] void be_the_child(pid_t parent, int fd, std::function<void(Send const&)> const& work) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    keep_only(fd);
    try {
        work([fd](std::string_view message) {
            write_size(fd, message.size());
            write_whole(fd, message.data(), message.size());
        });
    } catch (...) {
        ::_exit(1);
    }
    write_size(fd, all_sent);
    ::_exit(0);
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

/// Waits a moment for the killed child; one that is stuck in the kernel stays behind.
void end(pid_t child) {
    ::kill(child, SIGKILL);
    constexpr int patience_ms = 200;
    for (int i = 0; i < patience_ms * 10; ++i) {
        auto const reaped = ::waitpid(child, nullptr, WNOHANG);
        if (reaped == child || (reaped < 0 && errno == ECHILD)) return;
        timespec const moment{0, 100'000};
        ::nanosleep(&moment, nullptr);
    }
}

}  // namespace

ChildMessages messages_of_child(std::function<void(Send const&)> const& work,
                                std::chrono::milliseconds limit) {
    auto const deadline = Clock::now() + limit;
    auto pipe = open_reader_pipe();
    auto const parent = ::getpid();
    auto const child = ::fork();
    if (child < 0) no_fork(errno);
    if (child == 0) be_the_child(parent, pipe.write_end.get(), work);
    pipe.write_end = FileDescriptor();
    auto taken = receive(pipe.read_end.get(), deadline);
    end(child);
    return taken;
}

}  // namespace rocmtune
