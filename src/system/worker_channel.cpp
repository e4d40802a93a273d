// SPDX-License-Identifier: MIT
// The side of the worker process.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "system/dynamic_library.hpp"
#include "system/posix_file.hpp"
#include "system/search_path.hpp"
#include "system/strays.hpp"
#include "system/worker.hpp"
#include "system/worker_answer.hpp"

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
}

void WorkerChannel::finish() {
    if (!ended_) send(R"({"done":{}})");
    ended_ = true;
}

void be_worker(Worker const& worker, std::span<std::string const> arguments) {
    // Programs that a library starts must not be able to write into the answer.
    if (::fcntl(answer_fd, F_SETFD, FD_CLOEXEC) < 0) refuse_use_by_hand();
    follow_parent();
    adopt_orphans(true);  // they are to be found below us, and below our parent when we are gone
    leave_no_core();
    take_name(worker.name);
    print_by_line();
    tell_what_was_left_out();
    ::signal(SIGPIPE, SIG_DFL);  // as libraries and their children expect it
    WorkerChannel channel(answer_fd);
    channel.send(fmt::format(R"({{"hello":{{"worker":"{}","protocol":{}}}}})", worker.name,
                             worker_protocol));
    try {
        worker.run(channel, arguments);
        channel.finish();
    } catch (std::exception const& error) {
        channel.fail(WorkerStatus::error, error.what());
    } catch (...) {
        channel.fail(WorkerStatus::error, "unknown exception");
    }
    ::_exit(0);  // the libraries' destructors are where many of them crash
}

}  // namespace rocmtune
