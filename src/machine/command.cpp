// SPDX-License-Identifier: MIT
#include "machine/command.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <span>
#include <utility>

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/child.hpp"
#include "machine/held_signals.hpp"
#include "machine/posix_file.hpp"
#include "machine/processes.hpp"

namespace rocmtune {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t most_complaint_bytes = 65536;
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

/// Where nothing is to be read, /dev/null; else a file in memory, which no writer has to feed.
/// Invalid with errno.
FileDescriptor open_input(std::string const& text) {
    if (text.empty()) return open_null();
    auto file = above_standard(FileDescriptor(::memfd_create("rocmtune-input", MFD_CLOEXEC)));
    if (!file) return file;
    errno = write_all(file.get(), text);
    if (errno != 0 || ::lseek(file.get(), 0, SEEK_SET) < 0) return FileDescriptor();
    return file;
}

}  // namespace

class RunningCommand {
  public:
    explicit RunningCommand(CommandRequest const& request)
        : request_(request), child_({request.grace, patience}) {
        Pipe output;
        Pipe complaints;
        auto const input = open_input(request.input);
        if (!input || !open_pipe(output) || !open_pipe(complaints)) {
            outcome_.complaint = errno_text(errno);
            return;
        }
        started_ = Clock::now();
        child_.due = started_ + request.deadline;
        std::array const files{input.get(), output.write_end.get(), complaints.write_end.get()};
        if (int const error = start(files)) {
            outcome_.complaint = errno_text(error);
            return;
        }
        output_ = std::move(output.read_end);
        complaints_ = std::move(complaints.read_end);
    }

    CommandOutcome finish() {
        if (!child_.has_started()) return std::move(outcome_);
        while (!child_.has_ended()) {
            wait();
            drain();
            see_begin();
            look();
            tell();
            if (Clock::now() >= child_.due && !press(CommandEnd::timeout)) return left_behind();
            if (HeldSignals::waiting() && child_.sent() == 0) press(CommandEnd::interrupted);
        }
        auto const took = Clock::now() - started_;
        child_.signal_group(SIGKILL);
        drain();
        see_begin();
        tell();
        reap();
        if (exec_error_ != 0) return not_begun();
        outcome_.seconds = std::chrono::duration<double>(took).count();
        outcome_.complaint = last_line();
        return std::move(outcome_);
    }

    /// One look without waiting.
    void turn() {
        drain();
        see_begin();
        look();
        tell();
    }

    /// Until something is to be seen.
    void wait() {
        pollfd files[] = {{child_.end_fd(), POLLIN, 0},
                          {child_.begin_fd(), POLLIN, 0},
                          {output_.get(), POLLIN, 0},
                          {complaints_.get(), POLLIN, 0}};
        auto longest = child_.end_fd() >= 0 ? std::chrono::milliseconds(50) : 2ms;
        if (request_.watch) longest = std::min(longest, pause_);
        auto const left = std::chrono::ceil<std::chrono::milliseconds>(child_.due - Clock::now());
        ::poll(files, std::size(files),
               static_cast<int>(std::clamp<long>(left.count(), 0, longest.count())));
    }

    bool has_ended() const { return !child_.has_started() || child_.has_ended(); }
    CommandOutcome const& so_far() const { return outcome_; }

    bool is_in_time() const { return Clock::now() < child_.due && !HeldSignals::waiting(); }

    CommandOutcome stop() {
        bool const late = Clock::now() >= child_.due;
        if (!has_ended()) press(late ? CommandEnd::timeout : CommandEnd::interrupted);
        return finish();
    }

  private:
    /// 0 or an errno.
    int start(std::span<int const> files) {
        auto words = request_.words;
        auto lines = changed_environment(environ, request_.changes);
        auto places = places_of(words.front());
        return child_.spawn_without_waiting(pointers_to(places),
                                            {pointers_to(words), pointers_to(lines), files});
    }

    void drain() {
        take(output_, outcome_.output, request_.most_output_bytes, &outcome_.cut);
        take(complaints_, outcome_.complaints, most_complaint_bytes, nullptr);
    }

    static void take(FileDescriptor& from, std::string& into, std::size_t most, bool* cut) {
        int turns = turns_of_a_pipe;
        while (turns-- > 0 && read_once(from, [&](auto bytes) { into += bytes; })) {
        }
        if (into.size() <= most) return;
        into.erase(0, into.size() - most);
        if (cut != nullptr) *cut = true;
    }

    void see_begin() {
        if (auto const error = child_.exec_error(); error.value_or(0) != 0) exec_error_ = *error;
    }

    /// Until the program begins, the files that are mapped are ours.
    void look() {
        auto const now = Clock::now();
        if (!request_.watch || child_.begin_fd() >= 0 || now < next_look_) return;
        for (auto const process : process_tree(child_.pid()))
            add_mapped_files(process, outcome_.mapped);
        auto const took = Clock::now() - now;
        pause_ = std::clamp(std::chrono::ceil<std::chrono::milliseconds>(10 * took),
                            std::chrono::milliseconds(first_look), std::chrono::milliseconds(100));
        next_look_ = Clock::now() + pause_;
    }

    void tell() {
        if (child_.begin_fd() >= 0 || exec_error_ != 0) return;
        if (!std::exchange(has_told_start_, true) && request_.on_start)
            request_.on_start(child_.pid());
        if (request_.on_turn) request_.on_turn();
    }

    /// False if nothing is left to be done.
    bool press(CommandEnd why) {
        if (child_.sent() == 0) outcome_.end = why;
        return child_.press();
    }

    CommandOutcome left_behind() {
        outcome_.seconds = std::chrono::duration<double>(Clock::now() - started_).count();
        outcome_.complaint = "SIGKILL did not end it";
        leave_behind({child_.pid()});
        return std::move(outcome_);
    }

    CommandOutcome not_begun() const {
        CommandOutcome outcome;
        outcome.complaint = errno_text(exec_error_);
        return outcome;
    }

    void reap() {
        int status = 0;
        if (::waitpid(child_.pid(), &status, 0) != child_.pid() || child_.sent() != 0) return;
        bool const exited = WIFEXITED(status);
        outcome_.end = exited ? CommandEnd::exited : CommandEnd::signalled;
        outcome_.code = exited ? WEXITSTATUS(status) : WTERMSIG(status);
    }

    std::string last_line() const {
        std::string last;
        for (auto const line : lines(outcome_.complaints))
            if (!trim(line).empty()) last = printable(trim(line));
        return last;
    }

    CommandRequest const& request_;
    DefaultSigchld const keeps_status_;
    CommandOutcome outcome_;
    Child child_;
    int exec_error_ = 0;
    bool has_told_start_ = false;
    FileDescriptor output_;
    FileDescriptor complaints_;
    Clock::time_point started_;
    Clock::time_point next_look_;
    std::chrono::milliseconds pause_{first_look};
};

CommandOutcome run_command(CommandRequest const& request) {
    return RunningCommand(request).finish();
}

BackgroundCommand::BackgroundCommand(CommandRequest const& request)
    : running_(std::make_unique<RunningCommand>(request)) {}

BackgroundCommand::~BackgroundCommand() {
    if (running_) (void)running_->stop();
}

void BackgroundCommand::turn() {
    running_->turn();
}

void BackgroundCommand::wait() {
    running_->wait();
}

bool BackgroundCommand::has_ended() const {
    return running_->has_ended();
}

bool BackgroundCommand::is_in_time() const {
    return running_->is_in_time();
}

CommandOutcome const& BackgroundCommand::so_far() const {
    return running_->so_far();
}

CommandOutcome BackgroundCommand::stop() {
    return std::exchange(running_, nullptr)->stop();
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
