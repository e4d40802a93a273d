// SPDX-License-Identifier: MIT
// The side of the worker process.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "machine/dynamic_library.hpp"
#include "machine/posix_file.hpp"
#include "machine/processes.hpp"
#include "machine/trusted_library.hpp"
#include "machine/worker.hpp"
#include "machine/worker_answer.hpp"

namespace rocmtune {
namespace {

constexpr int answer_fd = 3;

void write_answer(int fd, std::string_view bytes) {
    if (write_all(fd, bytes) != 0) ::_exit(1);  // nobody is left who wants the answer
}

/// Dies with the parent. If that has died before prctl(), nobody reads from our pipe any more.
void follow_parent() {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    pollfd answer{answer_fd, 0, 0};
    if (::poll(&answer, 1, 0) > 0 && (answer.revents & POLLERR) != 0) ::_exit(1);
}

/// Dumping a process with a GPU's memory mapped takes longer than any deadline. A limit of 1 also
/// keeps handlers such as systemd-coredump from being started (linux fs/coredump.c).
void leave_no_core() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_CORE, &limit) != 0) return;
    limit.rlim_cur = std::min<rlim_t>(1, limit.rlim_max);
    ::setrlimit(RLIMIT_CORE, &limit);
}

/// Executed through /proc/self/exe it would be called "exe": lists of processes are to show whose
/// it is, and a second check is not to take it for a job. The kernel cuts it at 15 letters.
void take_name(std::string_view worker) {
    ::prctl(PR_SET_NAME, fmt::format("rocmtune {}", worker).c_str());
}

/// What a library printed before it crashed is evidence: it must not stay in a buffer.
void print_by_line() {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
}

/// Evidence, should a library not be found.
void tell_what_was_left_out() {
    for (auto const& part : judge_search_path(secure_variable(left_out_variable)).left_out)
        write_answer(STDERR_FILENO, fmt::format("rocmtune: LD_LIBRARY_PATH without \"{}\": {}\n",
                                                printable(part.element), part.why));
}

[[noreturn]] void refuse_use_by_hand() {
    write_answer(STDERR_FILENO, "rocmtune: a worker writes to file descriptor 3: append 3>&1\n");
    ::_exit(2);
}

/// Hello, the answer and its end. Whether it ended well.
bool answer(Worker const& worker, std::span<std::string const> arguments, std::string& until,
            bool behind = false) {
    take_name(worker.name);
    WorkerChannel channel(answer_fd, &until);
    channel.send(fmt::format(R"({{"hello":{{"worker":"{}","protocol":{}}}}})", worker.name,
                             worker_protocol));
    try {
        if (auto const why = behind && worker.why_not_here ? worker.why_not_here() : "";
            !why.empty()) {
            channel.fail(WorkerStatus::error, why);
            return true;  // nothing has happened: others may still be asked here
        }
        worker.run(channel, arguments);
        channel.finish();
    } catch (std::exception const& error) {
        channel.fail(WorkerStatus::error, error.what());
    } catch (...) {
        channel.fail(WorkerStatus::error, "unknown exception");
    }
    return channel.ended_well();
}

bool has_come(std::string const& time) {
    if (time == held_word) return false;
    using std::chrono::floor, std::chrono::milliseconds, std::chrono::steady_clock;
    auto const until = to_unsigned(time, 10);
    auto const now = floor<milliseconds>(steady_clock::now().time_since_epoch()).count();
    return !until || static_cast<std::uint64_t>(now) >= *until;
}

/// A library that has failed, or has changed what others go by, spoils the process for the others.
void answer_for_guests(std::span<std::string const> names, std::string& until,
                       std::vector<std::string> const& before,
                       Worker const* (*find)(std::string_view name)) {
    for (auto const& name : names) {
        auto const* guest = find(name);
        if (guest == nullptr || has_come(until) || changed_environment(environ, {}) != before)
            return;
        if (!answer(*guest, {}, until, true)) return;
    }
}

}  // namespace

// NOLINTNEXTLINE(readability-make-member-function-const): the reader gets to see a change
void WorkerChannel::send(std::string_view json) {
    auto line = std::string(json);
    line += '\n';
    write_answer(fd_, line);
}

void WorkerChannel::fail(WorkerStatus status, std::string_view detail) {
    if (ended_) return;
    nlohmann::json const failed = {{"status", worker_status_name(status)}, {"detail", detail}};
    send(fmt::format(R"({{"failed":{}}})",
                     failed.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
    ended_ = true;
    well_ = status == WorkerStatus::absent;
}

void WorkerChannel::wait_for_release() {
    if (until_ == nullptr || *until_ != held_word) return;
    std::string line;
    while (!line.ends_with('\n')) {
        char byte = 0;
        auto const got = ::read(STDIN_FILENO, &byte, 1);
        if (got > 0) line += byte;
        else if (got == 0 || errno != EINTR) ::_exit(1);  // nobody wants the answer any more
    }
    line.pop_back();
    *until_ = line;
    // The library gets the standard input that it would have had.
    int const null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::dup2(null, STDIN_FILENO);
    ::close(null);
}

void WorkerChannel::finish() {
    if (!ended_) send(R"({"done":{}})");
    ended_ = true;
}

void be_worker(Worker const& worker, std::span<std::string const> arguments,
               Worker const* (*find)(std::string_view name)) {
    // Programs that a library starts must not be able to write into the answer.
    if (::fcntl(answer_fd, F_SETFD, FD_CLOEXEC) < 0) refuse_use_by_hand();
    follow_parent();
    adopt_orphans(true);  // they are to be found below us, and below our parent when we are gone
    leave_no_core();
    print_by_line();
    tell_what_was_left_out();
    ::signal(SIGPIPE, SIG_DFL);  // as libraries and their children expect it
    auto const then = std::ranges::find(arguments, then_word);
    auto const own = static_cast<std::size_t>(then - arguments.begin());
    auto const before = changed_environment(environ, {});
    bool const has_more = own + 1 < arguments.size();
    auto until = has_more ? arguments[own + 1] : std::string();
    bool const well = answer(worker, arguments.first(own), until);
    if (well && find != nullptr && has_more)
        answer_for_guests(arguments.subspan(own + 2), until, before, find);
    ::_exit(0);  // the libraries' destructors are where many of them crash
}

}  // namespace rocmtune
