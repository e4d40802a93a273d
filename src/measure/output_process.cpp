// SPDX-License-Identifier: MIT
// Over a pair of sockets go messages: a number, a size, so many bytes. What we send has the number
// of the file and its content; what comes back is 0, or the code of an error with its message and
// its hint, between which there is a NUL.
#include "measure/output_process.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/held_signals.hpp"
#include "machine/reading_child.hpp"
#include "machine/written_file.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

struct Message {
    std::uint64_t number = 0;
    std::string text = {};
};

constexpr std::uint64_t no_more = ~std::uint64_t{0};  ///< in place of a file's number

/// Waits until the other side is ready; false if that need not be waited for.
using Wait = std::function<bool(short events)>;

bool send_all(int fd, std::string_view bytes, Wait const& wait) {
    while (!bytes.empty()) {
        auto const count = ::write(fd, bytes.data(), bytes.size());
        if (count >= 0) bytes.remove_prefix(static_cast<std::size_t>(count));
        else if (errno != EINTR && (errno != EAGAIN || !wait(POLLOUT))) return false;
    }
    return true;
}

bool send(int fd, std::uint64_t number, std::string_view text, Wait const& wait) {
    std::uint64_t const head[]{number, text.size()};
    return send_all(fd, {reinterpret_cast<char const*>(head), sizeof head}, wait) &&
           send_all(fd, text, wait);
}

bool receive_all(int fd, char* bytes, std::size_t size, Wait const& wait) {
    while (size > 0) {
        auto const count = ::read(fd, bytes, size);
        if (count < 0 && (errno == EINTR || (errno == EAGAIN && wait(POLLIN)))) continue;
        if (count <= 0) return false;
        bytes += count;
        size -= static_cast<std::size_t>(count);
    }
    return true;
}

/// Nothing if the other side is gone.
std::optional<Message> receive(int fd, Wait const& wait) {
    std::uint64_t head[2];
    if (!receive_all(fd, reinterpret_cast<char*>(head), sizeof head, wait)) return std::nullopt;
    Message message{head[0], std::string(head[1], '\0')};
    if (!receive_all(fd, message.text.data(), message.text.size(), wait)) return std::nullopt;
    return message;
}

// ---- in the process that writes -----------------------------------------------------------------

/// A pipe may wait for ever for its reader, and we would with it.
void end_with_the_other_side(int fd) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    pollfd hangup{fd, POLLRDHUP, 0};
    if (::poll(&hangup, 1, 0) > 0) ::_exit(0);  // it ended before that
}

/// Its descriptor blocks.
bool no_wait(short) {
    return false;
}

bool write_one(int fd, std::string const& file, std::string_view text) try {
    Destination const destination(file);
    if (!destination.is_replaced()) end_with_the_other_side(fd);
    destination.write(text);
    return send(fd, 0, {}, no_wait);
} catch (Error const& error) {
    return send(fd, static_cast<std::uint64_t>(error.code()), error.what() + ('\0' + error.hint()),
                no_wait);
}

/// A signal for all processes of a terminal ends the one that reads, or makes it write what it has:
/// this one ends with it.
[[noreturn]] void write_for(int fd, std::vector<std::string> const& files) try {
    // One that somebody has stopped would never see that nothing more comes.
    ::prctl(PR_SET_PDEATHSIG, SIGCONT);
    HeldSignals const signals;
    (void)send(fd, 0, {}, no_wait);
    while (auto const asked = receive(fd, no_wait))
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
    auto other = above_standard(FileDescriptor(ends[1]));
    // What ends us waits until the other process notices that.
    HeldSignals const signals;
    process_ = ::fork();
    if (process_ < 0) no_fork(errno);
    if (process_ > 0) {
        other = FileDescriptor();  // else the end of a child that was killed would not be seen
        (void)::fcntl(channel_.get(), F_SETFL, O_NONBLOCK);
        (void)receive(channel_.get(), [this](short events) { return is_ready(events); });
        return;
    }
    channel_ = FileDescriptor();
    write_for(other.get(), files_);
}

OutputProcess::~OutputProcess() {
    auto const ready = [this](short events) { return is_ready(events); };
    (void)send(channel_.get(), no_more, {}, ready);
    int status = 0;
    for (;;) {
        auto const ended = ::waitpid(process_, &status, WUNTRACED);
        if (ended == process_ && WIFSTOPPED(status)) (void)::kill(process_, SIGCONT);
        else if (ended >= 0 || errno != EINTR) break;
    }
}

bool OutputProcess::is_ready(short events) {
    constexpr int milliseconds = 100;
    for (;;) {
        pollfd channel{channel_.get(), events, 0};
        if (::poll(&channel, 1, milliseconds) > 0) return true;
        // Whoever stopped it would stop us as well.
        siginfo_t stop{};
        (void)::waitid(P_PID, static_cast<id_t>(process_), &stop, WSTOPPED | WNOHANG);
        if (stop.si_pid == process_ && ::kill(process_, SIGCONT) != 0) return false;
    }
}

void OutputProcess::replace(std::string const& file, std::string_view text) {
    auto const found = std::ranges::find(files_, file);
    if (found == files_.end())
        throw Error(fmt::format("cannot write {}: no option names it", printable(file)));
    // As in replace_file(): nothing ends us in the middle; where we may wait for a reader it can.
    std::optional<HeldSignals> signals;
    if (Destination(file).is_replaced()) signals.emplace();
    auto const number = static_cast<std::uint64_t>(found - files_.begin());
    auto const ready = [this](short events) { return is_ready(events); };
    if (!send(channel_.get(), number, text, ready)) gone(file);
    auto const answer = receive(channel_.get(), ready);
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
