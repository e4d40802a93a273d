// SPDX-License-Identifier: MIT
// What a worker says on file descriptor 3, taken apart and checked. The worker may have gone mad:
// nothing is believed that does not follow the protocol of worker.hpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "machine/worker.hpp"

namespace rocmtune {

inline constexpr int worker_protocol = 1;
/// What stands before UNTIL and the names of guests.
inline constexpr char const* then_word = "--then";
/// Stands for UNTIL of a worker that is held: the true one comes on its standard input, then.
inline constexpr char const* held_word = "held";

class WorkerAnswer {
  public:
    WorkerAnswer(std::string worker, std::size_t most_bytes)
        : worker_(std::move(worker)), most_bytes_(most_bytes) {}

    /// Takes the next bytes, cut anywhere, and returns what follows the end. What follows a fault
    /// is ignored.
    std::string_view add(std::string_view bytes);

    bool is_complete() const { return complete_; }       ///< done or failed was read
    bool is_broken() const { return !fault_.empty(); }   ///< it does not follow the protocol
    std::string const& fault() const { return fault_; }  ///< how it is broken
    std::string what_is_missing() const;                 ///< for an answer that just stopped
    WorkerStatus status() const { return status_; }      ///< of a complete answer
    bool is_good() const { return complete_ && status_ != WorkerStatus::error; }
    std::string const& detail() const { return detail_; }  ///< what `failed` says
    std::vector<std::string> const& lines() const { return lines_; }
    std::vector<std::string> take_lines() { return std::move(lines_); }

  private:
    void take_line(std::string_view line);
    void take_hello(std::string_view line);
    void take_failed(std::string_view line);
    void break_with(std::string_view reason, std::string_view line);

    std::string worker_;
    std::size_t most_bytes_;
    std::size_t bytes_ = 0;
    std::string partial_;  ///< a line whose end has not come yet
    bool greeted_ = false;
    bool complete_ = false;
    WorkerStatus status_ = WorkerStatus::ok;
    std::string detail_;
    std::string fault_;
    std::vector<std::string> lines_;
};

/// What is known of a worker's life when it is over, besides its answer.
struct WorkerLife {
    /// Why we ended it.
    enum class Cause {
        none,
        deadline,
        closed_answer,
        broken_answer,
        lingering,
        interrupted,
        dismissed,  ///< its own answer is complete, and its guests are asked elsewhere
    };

    Cause cause = Cause::none;
    int sent_signal = 0;  ///< the last that we sent: 0, SIGTERM, SIGKILL
    std::string interrupted_by;
    std::string stuck_in;  ///< what the kernel said of it when its time was up
    int wait_status = 0;   ///< as of waitpid(), if `reaped`
    bool reaped = false;
    bool lost = false;  ///< somebody else took its wait status
};

/// Status, signal and detail of a worker that was started and is over.
void judge_worker(WorkerAnswer const& answer, WorkerLife const& life, WorkerRequest const& request,
                  WorkerOutcome& outcome);

}  // namespace rocmtune
