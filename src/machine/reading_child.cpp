// SPDX-License-Identifier: MIT
// On the pipe a message is its size, as a word of 8 bytes, and its bytes; the size all_sent is the
// end of the work.
#include "machine/reading_child.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include <poll.h>
#include <unistd.h>

#include "machine/held_signals.hpp"
#include "machine/reader_process.hpp"

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

ChildMessages messages_of_child(std::function<void(Send const&)> const& work,
                                std::chrono::milliseconds limit) {
    auto const deadline = Clock::now() + limit;
    auto const child = start_reader(ReaderFiles::none, [&](int pipe) {
        work([pipe](std::string_view message) {
            write_size(pipe, message.size());
            write_whole(pipe, message.data(), message.size());
        });
        write_size(pipe, all_sent);
    });
    auto taken = receive(child.pipe.get(), deadline);
    int status = 0;
    end_reader(child.pid, true, status);
    return taken;
}

}  // namespace rocmtune
