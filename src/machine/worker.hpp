// SPDX-License-Identifier: MIT
// Workers: GPU libraries abort, hang and fight over locks, so each runs in a process of its own -
// this program, executed again as `--internal-worker NAME`. Whatever happens to it is data.
//
// The protocol: lines of one JSON object each on file descriptor 3.
//     {"hello":{"worker":NAME,"protocol":1}}                        the first
//     ...                                                           the answer
//     {"done":{}}  or  {"failed":{"status":"absent|error","detail":TEXT}}    the last
// No line of an answer may begin with the keys done or failed.
//
// A process may answer for several, one answer behind the other: `--internal-worker NAME ... --then
// UNTIL NAME...`, for libraries that load one another anyway. It asks the next one only if those
// before it answered well (done, or absent), none of them has changed the environment, and
// UNTIL, milliseconds of the steady clock, has not come. Its parent takes a guest's answer if it is
// such a one; for any other it starts a process that asks this library alone.
//
// A worker may be started ahead, with `held` in place of UNTIL: when it has loaded its library it
// waits, before it calls it, until its parent has written UNTIL as a line to its standard input.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <signal.h>
#include <sys/types.h>

#include "machine/companion.hpp"
#include "machine/environment_change.hpp"

namespace rocmtune {

/// How a worker ended. The words (worker_status_name) are part of the JSON contract.
enum class WorkerStatus {
    ok,          ///< its answer is complete; what happened after `done` is only noted
    absent,      ///< there is no such library on this host
    error,       ///< it could not start, or ended by itself without a complete and valid answer
    signal,      ///< a signal ended it
    timeout,     ///< it did not answer in time and was killed
    unkillable,  ///< its answer is not complete and SIGKILL did not reach it (stuck in the kernel)
};

/// "ok", "absent", "error", "signal", "timeout", "unkillable".
std::string_view worker_status_name(WorkerStatus status);

/// Which worker to run, and for how long.
struct WorkerRequest {
    std::string name;                    ///< a row of the worker table
    std::vector<std::string> arguments;  ///< after `--internal-worker NAME`
    std::chrono::milliseconds deadline{10000};
    bool alone = false;  ///< SMI libraries share locks: such workers run one after another
    /// The name of another request in whose process this one is asked, behind it: its guest. It
    /// gets a process of its own, what is left of its deadline, and no turn to wait for, if that
    /// one has not answered well for it within a quarter of that one's deadline, or has ended.
    std::string guest_of = {};
    /// Started ahead: it may load its library, and calls it when WorkerRun::go() lets it. Its
    /// deadline begins then. Not for `alone`; for workers that call wait_for_release(). The guests
    /// of one that is held are, too.
    bool held = false;
    /// Called with each line of the answer as it comes. If set, a line also starts the deadline
    /// anew: it then limits the silence and not the whole life.
    std::function<void(std::string_view line)> heard = {};
    /// With `heard`, how long its whole life may take however much it says; 0: no limit.
    std::chrono::milliseconds lifetime{0};
    /// Asked when its turn to start has come: a text says why it is not started after all. It may
    /// shorten the deadline.
    std::function<std::string(std::chrono::milliseconds& deadline)> before = {};
    /// Called when it is over, before another one gets its turn.
    std::function<void(struct WorkerOutcome const&)> after = {};
};

/// What came of it. All texts are valid UTF-8.
struct WorkerOutcome {
    std::string name;
    WorkerStatus status = WorkerStatus::error;
    int signal = 0;      ///< for status signal
    std::string detail;  ///< one line for people; empty if the status says it all
    /// The lines between hello and done, one JSON object each; of an incomplete answer, what came.
    std::vector<std::string> answer;
    /// The end (4 KiB) of what its process wrote to standard output and error, guests included.
    std::string evidence;
    std::chrono::milliseconds took{0};  ///< of a guest: from the answer before it to its own
};

/// How workers are run. The defaults are the real thing; tests replace parts of it.
struct WorkerMachinery {
    std::string program = "/proc/self/exe";
    /// From SIGTERM to SIGKILL, so that a library can release the locks that it shares; also how
    /// long a worker may linger after its answer.
    std::chrono::milliseconds grace{1000};
    /// From SIGKILL to `unkillable`: the driver first tears down what the process had on the GPU.
    std::chrono::milliseconds patience{2000};
    /// Workers side by side; the others wait for their turn. Those marked `alone` do not count.
    std::size_t most_at_once = std::numeric_limits<std::size_t>::max();
    std::size_t most_answer_bytes = std::size_t{4} << 20;
    bool use_pidfd = true;  ///< false: as on kernels before 5.3 and in sandboxes without pidfd_open
    /// Does not hand on LD_PRELOAD, LD_LIBRARY_PATH and LD_AUDIT: under AT_SECURE (file
    /// capabilities, setuid). Root's workers keep what is root's alone
    /// (machine/trusted_library.hpp).
    bool drop_loader_variables = is_secure_execution();
    std::vector<EnvironmentChange> changes = {};  ///< of the environment that is handed on
    int (*send_signal)(pid_t, int) = ::kill;  ///< one that does nothing makes workers unkillable

    static bool is_secure_execution();
};

/// Runs workers side by side (those marked `alone` one after another, beside the others) and
/// returns their outcomes in the order of the requests. Never throws for what a worker does. Each
/// worker ends within its deadline plus grace (if it answered late, twice) plus patience, and no
/// process is left behind but one that the kernel does not let go of; later calls reap that one.
/// SIGINT, SIGTERM, SIGHUP and SIGQUIT end the workers first and take effect on return.
/// Not for several threads at once, nor beside a command of the user (machine/processes.hpp). The
/// calling thread must outlive the call: a worker dies with it (prctl(2), PR_SET_PDEATHSIG).
std::vector<WorkerOutcome> run_workers(std::span<WorkerRequest const> requests,
                                       WorkerMachinery const& machinery = {});

/// The same in steps, for a caller that has other things to do meanwhile. What run_workers() says
/// holds from the beginning to the end of its life; the signals take their effect at its end.
class WorkerRun {
  public:
    /// Starts those that are held; their time does not run yet.
    WorkerRun(std::vector<WorkerRequest> requests, WorkerMachinery machinery);
    WorkerRun(WorkerRun const&) = delete;
    WorkerRun& operator=(WorkerRun const&) = delete;
    /// Kills what still runs, and waits 0.2 s for each of them at most.
    ~WorkerRun();

    /// Lets those go that were held and starts the others. `deadlines`, one for each request, and
    /// `machinery` (its program and environment stay as they were) take the place of the first
    /// ones. Once.
    void go(std::span<std::chrono::milliseconds const> deadlines, WorkerMachinery const& machinery);
    /// Looks after the workers and the companion until `reached`, the companion's end or a signal.
    void wait_for(Companion& companion, std::function<bool()> const& reached);
    /// Waits until all are over. After go(), once.
    std::vector<WorkerOutcome> finish();

  private:
    class Parts;
    std::unique_ptr<Parts> parts_;
};

/// The worker's own side: one JSON text a line on file descriptor 3.
class WorkerChannel {
  public:
    /// `until`, where the worker has one, is UNTIL of its command line.
    explicit WorkerChannel(int fd = 3, std::string* until = nullptr) : fd_(fd), until_(until) {}
    /// Writes one line. `json` is one JSON object without line ends.
    void send(std::string_view json);
    /// Ends the answer with status absent or error and a reason for people; the first end counts.
    void fail(WorkerStatus status, std::string_view detail);
    /// Ends the answer as complete, unless it has ended before. be_worker() calls it.
    void finish();
    /// Of a worker that is held: returns when it may call the library that it has loaded. Of any
    /// other: at once.
    void wait_for_release();
    /// The answer has ended, and it is complete or says that there is no such library.
    bool ended_well() const { return ended_ && well_; }

  private:
    int fd_;
    std::string* until_;
    bool ended_ = false;
    bool well_ = true;
};

/// A row of the worker table (src/probe/workers.cpp): the function writes its answer to the channel
/// and returns; hello and done are written around it, then the process ends by _exit(0). An
/// exception becomes status error with its text.
struct Worker {
    std::string_view name;
    void (*run)(WorkerChannel&, std::span<std::string const> arguments);
    /// Asked behind others in their process: why it would not answer as in one of its own; empty if
    /// it would. Null: it always would.
    std::string (*why_not_here)() = nullptr;
};

/// Entry of the worker process: `arguments` are what follows its name. `find` knows the workers
/// behind `--then`, by name; it may return null. Does not return.
[[noreturn]] void be_worker(Worker const& worker, std::span<std::string const> arguments,
                            Worker const* (*find)(std::string_view name) = nullptr);

}  // namespace rocmtune
