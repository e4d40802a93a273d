// SPDX-License-Identifier: MIT
// A command of the user, run to its end. Whatever becomes of it is data.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <sys/types.h>

#include "machine/environment_change.hpp"

namespace rocmtune {

struct CommandRequest {
    /// A program, looked for in our PATH if its name has no slash, and its arguments. No shell sees
    /// them: a line for one is the last of {"/bin/sh", "-c", line}.
    std::vector<std::string> words;
    std::vector<EnvironmentChange> changes = {};
    std::string input = {};  ///< what it reads from its standard input
    std::chrono::milliseconds deadline{60000};
    std::chrono::milliseconds grace{1000};  ///< from SIGTERM to SIGKILL
    /// Of standard output its end is kept.
    std::size_t most_output_bytes = std::size_t{4} << 20;
    /// Notes which files its processes map. That looks at them again and again and takes some of
    /// their time, so what is timed is not watched.
    bool watch = false;
    /// Called once, when the program has begun, with the number of its process.
    std::function<void(pid_t process)> on_start = {};
    /// Called some twenty times a second while it runs, and once more when it has ended and its
    /// number is still its own.
    std::function<void()> on_turn = {};
};

enum class CommandEnd {
    exited,
    signalled,
    timeout,      ///< it did not end in time and was killed
    not_started,  ///< there is no such program, or no process or pipe for it
    interrupted,  ///< this program was asked to end (machine/held_signals.hpp)
};

struct CommandOutcome {
    CommandEnd end = CommandEnd::not_started;
    int code = 0;  ///< exit code or signal
    double seconds = 0;
    std::string output = {};       ///< the end of its standard output, as it came
    bool cut = false;              ///< there was more of it
    std::string complaint = {};    ///< last line of its standard error, printable
    std::string complaints = {};   ///< the last 64 KiB of it, as they came
    std::set<std::string> mapped;  ///< files, if it was watched
};

/// Runs the command in a process group of its own. When its first process has ended
/// the rest of the group is killed; when this program is killed its first process is, too. Signals
/// that ask this program to end must be held.
CommandOutcome run_command(CommandRequest const& request);

/// A command that runs while we do something else, as a server does. It must not outlive the
/// request.
class BackgroundCommand {
  public:
    explicit BackgroundCommand(CommandRequest const& request);
    BackgroundCommand(BackgroundCommand const&) = delete;
    BackgroundCommand& operator=(BackgroundCommand const&) = delete;
    ~BackgroundCommand();

    /// Takes what it has printed; to be called some ten times a second, since a full pipe stops it.
    void turn();
    /// Waits until it prints something or ends, 50 ms at most.
    void wait();
    bool has_ended() const;
    /// Whether its deadline lies ahead and nothing asks this program to end.
    bool is_in_time() const;
    /// What it printed so far, its end as CommandRequest says: standard output, and errors.
    CommandOutcome const& so_far() const;
    /// Ends it, if it has not ended: SIGTERM, after the grace SIGKILL. What became of it; `timeout`
    /// if its deadline was over.
    CommandOutcome stop();

  private:
    std::unique_ptr<class RunningCommand> running_;
};

/// "exit code 3", "killed by SIGSEGV", "did not end within 60 s", ...
std::string end_text(CommandOutcome const& outcome, CommandRequest const& request);

}  // namespace rocmtune
