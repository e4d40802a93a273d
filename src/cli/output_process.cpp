// SPDX-License-Identifier: MIT
// Over a pair of sockets go messages: a number, a size, so many bytes. What we send has the number
// of the file and its content; what comes back is 0, or the code of an error with its message and
// its hint, between which there is a NUL.
#include "cli/output_process.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/output.hpp"
#include "rocmtune/error.hpp"
#include "system/held_signals.hpp"
#include "system/posix_file.hpp"
#include "system/reader_pipe.hpp"

namespace rocmtune {
namespace {

struct Message {
    std::uint64_t number = 0;
    std::string text = {};
};

constexpr std::uint64_t no_more = ~std::uint64_t{0};  ///< in place of a file's number

bool send(int fd, std::uint64_t number, std::string_view text) {
    std::uint64_t const head[]{number, text.size()};
    return write_all(fd, {reinterpret_cast<char const*>(head), sizeof head}) == 0 &&
           write_all(fd, text) == 0;
}

bool receive_all(int fd, char* bytes, std::size_t size) {
    while (size > 0) {
        auto const count = ::read(fd, bytes, size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        bytes += count;
        size -= static_cast<std::size_t>(count);
    }
    return true;
}

/// Nothing if the other side is gone.
std::optional<Message> receive(int fd) {
    std::uint64_t head[2];
    if (!receive_all(fd, reinterpret_cast<char*>(head), sizeof head)) return std::nullopt;
    Message message{head[0], std::string(head[1], '\0')};
    if (!receive_all(fd, message.text.data(), message.text.size())) return std::nullopt;
    return message;
}

/// Devices, pipes and sockets are written to.
bool is_replaced(std::string const& file) {
    std::error_code ignored;
    auto const status = std::filesystem::status(file, ignored);
    return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
}

// ---- in the process that writes -----------------------------------------------------------------

/// A pipe may wait for ever for its reader, and we would with it. PR_SET_PDEATHSIG does not help:
/// Landlock keeps the signal of whom it holds from us.
void end_with_the_other_side(int fd) try {
    static bool is_watched = false;
    if (std::exchange(is_watched, true)) return;
    std::thread([fd] {
        pollfd hangup{fd, POLLRDHUP, 0};
        (void)::poll(&hangup, 1, -1);
        ::_exit(0);
    }).detach();
} catch (std::system_error const&) {
    // No more threads for us.
}

bool write_one(int fd, std::string const& file, std::string_view text) try {
    if (!is_replaced(file)) end_with_the_other_side(fd);
    replace_file(file, text);
    return send(fd, 0, {});
} catch (Error const& error) {
    return send(fd, static_cast<std::uint64_t>(error.code()), error.what() + ('\0' + error.hint()));
}

/// A signal for all processes of a terminal ends the one that reads, or makes it write what it has:
/// this one ends with it.
[[noreturn]] void write_for(int fd, std::vector<std::string> const& files) try {
    HeldSignals const signals;
    while (auto const asked = receive(fd))
        if (asked->number >= files.size() || !write_one(fd, files[asked->number], asked->text))
            break;
    ::_exit(0);
} catch (...) {
    ::_exit(1);  // no memory
}

// ---- in the process that reads ------------------------------------------------------------------

std::optional<OutputProcess>& the_process() {
    static std::optional<OutputProcess> process;
    return process;
}

[[noreturn]] void gone(std::string const& file) {
    throw Error(
        fmt::format("cannot write {}: the process that writes it ended early", printable(file)),
        "see whether memory is short, or what has killed it (dmesg)");
}

}  // namespace

OutputProcess::OutputProcess(std::vector<std::string> files) : files_(std::move(files)) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) no_fork(errno);
    channel_ = above_standard(FileDescriptor(ends[0]));
    auto const other = above_standard(FileDescriptor(ends[1]));
    process_ = ::fork();
    if (process_ < 0) no_fork(errno);
    if (process_ > 0) return;
    channel_ = FileDescriptor();
    write_for(other.get(), files_);
}

OutputProcess::~OutputProcess() {
    (void)send(channel_.get(), no_more, {});
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

void OutputProcess::replace(std::string const& file, std::string_view text) {
    auto const found = std::ranges::find(files_, file);
    if (found == files_.end())
        throw Error(fmt::format("cannot write {}: no option names it", printable(file)));
    // As in replace_file(): nothing ends us in the middle; where we may wait for a reader it can.
    std::optional<HeldSignals> signals;
    if (is_replaced(file)) signals.emplace();
    auto const number = static_cast<std::uint64_t>(found - files_.begin());
    if (!send(channel_.get(), number, text)) gone(file);
    auto const answer = receive(channel_.get());
    if (!answer) gone(file);
    if (answer->number == 0) return;
    auto const end = answer->text.find('\0');
    throw Error(answer->text.substr(0, end), answer->text.substr(end + 1),
                static_cast<Exit>(answer->number));
}

bool start_output_process(std::vector<std::string> files) try {
    if (!files.empty()) the_process().emplace(std::move(files));
    return true;
} catch (Error const&) {
    return false;
}

OutputProcess* output_process() {
    auto& process = the_process();
    return process ? &*process : nullptr;
}

}  // namespace rocmtune
