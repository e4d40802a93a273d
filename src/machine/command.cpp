// SPDX-License-Identifier: MIT
#include "machine/command.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <span>

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/default_sigchld.hpp"
#include "machine/held_signals.hpp"
#include "machine/mapped_files.hpp"
#include "machine/spawn.hpp"

namespace rocmtune {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t most_complaint_bytes = 4096;
constexpr auto patience = 2s;  ///< from SIGKILL to leaving it behind
/// Programs live for milliseconds, too; looking takes a tenth of the time at most.
constexpr auto first_look = 2ms;

/// Where execvp(3) would look, but never by way of a shell, and in our own PATH: with and without
/// a setting the same program is measured. The child looks: a directory may not answer.
std::vector<std::string> places_of(std::string const& name) {
    if (name.empty() || name.find('/') != name.npos) return {name};
    // What the C library takes where there is none (confstr(3), _CS_PATH).
    constexpr char const* usual = "/bin:/usr/bin";
    auto const* const path = ::getenv("PATH");
    std::vector<std::string> places;
    for (auto const directory : split(path == nullptr ? usual : path, ':'))
        places.push_back(fmt::format("{}/{}", directory.empty() ? "." : directory, name));
    return places;
}

/// 0 or an errno.
int spawn_command(CommandRequest const& request, std::span<int const> files, pid_t& pid,
                  FileDescriptor& begin) {
    auto words = request.words;
    auto lines = changed_environment(environ, request.changes);
    auto places = places_of(words.front());
    return spawn_without_waiting(pid, pointers_to(places),
                                 {pointers_to(words), pointers_to(lines), files}, begin);
}

class RunningCommand {
  public:
    explicit RunningCommand(CommandRequest const& request) : request_(request) {
        Pipe output;
        Pipe complaints;
        auto const null = open_null();
        if (!open_pipe(output) || !open_pipe(complaints) || !null) {
            outcome_.complaint = errno_text(errno);
            return;
        }
        started_ = Clock::now();
        due_ = started_ + request.deadline;
        std::array const files{null.get(), output.write_end.get(), complaints.write_end.get()};
        if (int const error = spawn_command(request, files, pid_, begin_)) {
            outcome_.complaint = errno_text(error);
            pid_ = -1;
            return;
        }
        output_ = std::move(output.read_end);
        complaints_ = std::move(complaints.read_end);
        end_ = open_pidfd(pid_);
    }

    CommandOutcome finish() {
        if (pid_ < 0) return std::move(outcome_);
        while (!has_ended()) {
            wait();
            drain();
            see_begin();
            look();
            if (Clock::now() >= due_ && !step_towards_end()) return left_behind();
            if (HeldSignals::waiting() && sent_ == 0) stop(CommandEnd::interrupted);
        }
        auto const took = Clock::now() - started_;
        ::kill(-pid_, SIGKILL);
        drain();
        see_begin();
        reap();
        if (exec_error_ != 0) return not_begun();
        outcome_.seconds = std::chrono::duration<double>(took).count();
        outcome_.complaint = last_line();
        return std::move(outcome_);
    }

  private:
    /// Leaves it a zombie, so that the number of its group is not given to others yet.
    bool has_ended() const {
        siginfo_t info{};
        if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0)
            return errno == ECHILD;
        return info.si_pid == pid_;
    }

    void wait() {
        pollfd files[] = {{end_.get(), POLLIN, 0},
                          {begin_.get(), POLLIN, 0},
                          {output_.get(), POLLIN, 0},
                          {complaints_.get(), POLLIN, 0}};
        auto longest = end_ ? std::chrono::milliseconds(50) : 2ms;
        if (request_.watch) longest = std::min(longest, pause_);
        auto const left = std::chrono::ceil<std::chrono::milliseconds>(due_ - Clock::now());
        ::poll(files, std::size(files),
               static_cast<int>(std::clamp<long>(left.count(), 0, longest.count())));
    }

    void drain() {
        take(output_, outcome_.output, request_.most_output_bytes, &outcome_.cut);
        take(complaints_, outcome_.complaint, most_complaint_bytes, nullptr);
    }

    static void take(FileDescriptor& from, std::string& into, std::size_t most, bool* cut) {
        char chunk[65536];
        // As much as a pipe can hold: more comes from somebody who still writes.
        for (int turn = 0; turn < 16 && from; ++turn) {
            auto const got = ::read(from.get(), chunk, sizeof chunk);
            if (got < 0) break;
            if (got == 0) from = FileDescriptor();
            into.append(chunk, static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        }
        if (into.size() <= most) return;
        into.erase(0, into.size() - most);
        if (cut != nullptr) *cut = true;
    }

    void see_begin() {
        auto const error = begin_ ? exec_error(begin_) : std::nullopt;
        if (!error) return;
        exec_error_ = *error;
        begin_ = FileDescriptor();
    }

    /// Until the program begins, the files that are mapped are ours.
    void look() {
        auto const now = Clock::now();
        if (!request_.watch || begin_ || now < next_look_) return;
        for (auto const process : process_tree(pid_)) add_mapped_files(process, outcome_.mapped);
        auto const took = Clock::now() - now;
        pause_ = std::clamp(std::chrono::ceil<std::chrono::milliseconds>(10 * took),
                            std::chrono::milliseconds(first_look), std::chrono::milliseconds(100));
        next_look_ = Clock::now() + pause_;
    }

    void stop(CommandEnd why) {
        outcome_.end = why;
        ::kill(-pid_, SIGTERM);
        ::kill(-pid_, SIGCONT);  // a stopped process takes no SIGTERM
        sent_ = SIGTERM;
        due_ = Clock::now() + request_.grace;
    }

    /// False if nothing is left to be done.
    bool step_towards_end() {
        if (sent_ == SIGKILL) return false;
        if (sent_ == 0) {
            stop(CommandEnd::timeout);
            return true;
        }
        ::kill(-pid_, SIGKILL);
        sent_ = SIGKILL;
        due_ = Clock::now() + patience;
        return true;
    }

    CommandOutcome left_behind() {
        outcome_.seconds = std::chrono::duration<double>(Clock::now() - started_).count();
        outcome_.complaint = "SIGKILL did not end it";
        return std::move(outcome_);
    }

    CommandOutcome not_begun() const {
        CommandOutcome outcome;
        outcome.complaint = errno_text(exec_error_);
        return outcome;
    }

    void reap() {
        int status = 0;
        if (::waitpid(pid_, &status, 0) != pid_ || sent_ != 0) return;
        bool const exited = WIFEXITED(status);
        outcome_.end = exited ? CommandEnd::exited : CommandEnd::signalled;
        outcome_.code = exited ? WEXITSTATUS(status) : WTERMSIG(status);
    }

    std::string last_line() const {
        std::string last;
        for (auto const line : lines(outcome_.complaint))
            if (!trim(line).empty()) last = printable(trim(line));
        return last;
    }

    CommandRequest const& request_;
    DefaultSigchld const keeps_status_;
    CommandOutcome outcome_;
    pid_t pid_ = -1;
    int sent_ = 0;
    int exec_error_ = 0;
    FileDescriptor begin_;  ///< open until the program begins
    FileDescriptor output_;
    FileDescriptor complaints_;
    FileDescriptor end_;
    Clock::time_point started_;
    Clock::time_point due_;
    Clock::time_point next_look_;
    std::chrono::milliseconds pause_{first_look};
};

}  // namespace

CommandOutcome run_command(CommandRequest const& request) {
    return RunningCommand(request).finish();
}

std::string end_text(CommandOutcome const& outcome, CommandRequest const& request) {
    auto const seconds = std::chrono::duration<double>(request.deadline).count();
    auto const because =
        outcome.complaint.empty() ? std::string() : "; it printed last: " + outcome.complaint;
    switch (outcome.end) {
        case CommandEnd::exited: return fmt::format("exit code {}{}", outcome.code, because);
        case CommandEnd::signalled:
            return fmt::format("killed by {}{}", signal_name(outcome.code), because);
        case CommandEnd::timeout:
            return fmt::format("it did not end within {:.3g} s{}", seconds, because);
        case CommandEnd::not_started:
            return fmt::format("it could not be started: {}", outcome.complaint);
        case CommandEnd::interrupted: return "it was interrupted";
    }
    return {};
}

}  // namespace rocmtune
