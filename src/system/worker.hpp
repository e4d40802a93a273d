// SPDX-License-Identifier: MIT
// Workers: GPU libraries abort, hang and fight over locks, so each runs in a process of its own -
// this program, executed again as `--internal-worker NAME`. Whatever happens to it is data.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

/// How a worker ended. The words (worker_status_name) are part of the JSON contract.
enum class WorkerStatus {
    ok,          ///< its answer is complete; what happened after `done` is only noted
    absent,      ///< there is no such library on this host
    error,       ///< it ended by itself without a complete answer
    signal,      ///< a signal ended it
    timeout,     ///< it did not answer in time and was killed
    unkillable,  ///< it did not answer in time and SIGKILL did not reach it (stuck in the kernel)
};

/// "ok", "absent", "error", "signal", "timeout", "unkillable".
std::string_view worker_status_name(WorkerStatus status);

/// Which worker to run, and for how long.
struct WorkerRequest {
    std::string name;                     ///< a row of the worker table
    std::vector<std::string> arguments;   ///< after `--internal-worker NAME`
    std::chrono::milliseconds deadline{10000};
    bool alone = false;  ///< SMI libraries share locks: such workers run one after another
};

/// What came of it.
struct WorkerOutcome {
    std::string name;
    WorkerStatus status = WorkerStatus::error;
    int signal = 0;                   ///< for status signal
    std::string detail;               ///< one line for people; empty if the status says it all
    std::vector<std::string> answer;  ///< the JSON lines between hello and done, unparsed
    std::string evidence;             ///< the end of what it wrote to standard output and error
    std::chrono::milliseconds took{0};
};

/// Runs workers side by side (those marked `alone` one after another) and returns their outcomes
/// in the order of the requests. Never throws for what a worker does, never takes longer than the
/// longest deadline (of `alone` ones: their sum) plus a second for ending them, and leaves no child
/// behind but one that the kernel does not let go of.
std::vector<WorkerOutcome> run_workers(std::span<WorkerRequest const> requests);

/// The worker's own side: one JSON text a line on file descriptor 3.
class WorkerChannel {
  public:
    explicit WorkerChannel(int fd = 3) : fd_(fd) {}
    /// Writes one line. `json` is one JSON value without line ends.
    void send(std::string_view json);
    /// Ends the answer with status absent or error and a reason for people.
    void fail(WorkerStatus status, std::string_view detail);

  private:
    int fd_;
};

/// A row of the worker table (src/probe/workers.cpp): the function writes its answer to the channel
/// and returns; hello and done are written around it, then the process ends by _exit(0).
struct Worker {
    std::string_view name;
    void (*run)(WorkerChannel&, std::span<std::string const> arguments);
};

/// Entry of the worker process. Does not return.
[[noreturn]] void be_worker(Worker const& worker, std::span<std::string const> arguments);

}  // namespace rocmtune
