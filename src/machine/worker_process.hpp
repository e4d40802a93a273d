// SPDX-License-Identifier: MIT
// One worker from its start to its end, as its parent sees it, with the guests in its process.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <poll.h>

#include "machine/child.hpp"
#include "machine/worker.hpp"
#include "machine/worker_answer.hpp"

namespace rocmtune {

using WorkerClock = Child::Clock;

class WorkerProcess {
  public:
    using Guests = std::span<WorkerRequest const* const>;

    /// Starts it. If that fails, is_over() at once. All requests and the machinery must outlive it.
    WorkerProcess(WorkerRequest const& request, Guests guests, WorkerMachinery const& machinery);
    WorkerProcess(WorkerProcess const&) = delete;
    WorkerProcess& operator=(WorkerProcess const&) = delete;
    /// Kills what still runs, and waits 0.2 s for it at most.
    ~WorkerProcess();

    static constexpr std::size_t poll_slots = 3;
    /// What to poll for; unused slots have fd -1.
    void fill(std::span<pollfd, poll_slots> slots) const;
    /// When turn() has something to do even if poll() sees nothing.
    WorkerClock::time_point due() const;

    /// Reads what has come and does what is due. Never blocks.
    void turn();
    /// Its time runs from now on, and it may call its library. For one that is held, once.
    void release();
    /// Ends it early, because this program was asked to end.
    void interrupt(std::string_view by);

    bool is_over() const { return over_; }
    /// The guest of this number has a good answer, which outcome_of() tells once it is over.
    bool has_answered_for(std::size_t guest) const;
    /// The guests that have none by now will not get one: it has ended, or taken too long.
    bool gave_up_guests() const { return over_ || gave_up_guests_; }
    /// The process is at its end, whether turn() has seen it or not.
    bool has_ended() const { return child_.has_ended(); }
    WorkerClock::time_point started() const { return started_; }
    /// Of the process and its group; -1 if it did not start.
    pid_t pid() const { return child_.pid(); }
    /// What came of it. Once, after is_over().
    WorkerOutcome outcome();
    /// The same of a guest that it has_answered_for().
    WorkerOutcome outcome_of(std::size_t guest);

  private:
    using Cause = WorkerLife::Cause;

    /// One answer of those that the process gives, one behind the other.
    struct Section {
        WorkerRequest const* request;
        WorkerAnswer answer;
        WorkerClock::time_point end = {};
    };

    bool read_answer();
    bool read_output();
    void take_answer(std::string_view bytes);
    std::string_view take_sections(std::string_view bytes, WorkerClock::time_point now);
    void end_section(WorkerClock::time_point now);
    void give_up_guests(WorkerClock::time_point now);
    void drop_guests();
    void dismiss(WorkerClock::time_point now);
    std::vector<std::string> words_for_guests(Guests guests) const;
    std::string until() const;
    bool has_own_answer() const { return sections_[0].answer.is_complete(); }
    bool has_all_answers() const { return open_ == sections_.size(); }
    bool is_broken() const { return !has_all_answers() && sections_[open_].answer.is_broken(); }
    WorkerOutcome outcome_at(std::size_t section);
    void pass_on_lines();
    WorkerClock::time_point next_deadline() const;
    void reap();
    void do_what_is_due();
    void stop(Cause cause);
    void stop_by(Cause cause, WorkerClock::time_point when);
    void be_over();
    std::string start(std::span<std::string const> words_behind);
    int spawn(std::span<std::string const> words_behind, std::span<int const> files);

    WorkerRequest const& request_;
    WorkerMachinery const& machinery_;
    WorkerClock::time_point started_;
    WorkerClock::time_point guests_due_;
    WorkerClock::time_point over_since_;
    Child child_;
    FileDescriptor answer_;  ///< what it writes to descriptor 3; does not block
    FileDescriptor output_;  ///< what it writes to descriptors 1 and 2; does not block
    FileDescriptor hold_;    ///< of a held one: the other end of its standard input
    std::string why_not_;    ///< why it did not start
    std::vector<Section> sections_;
    std::size_t open_ = 0;  ///< the section that is being answered
    std::string evidence_;
    std::size_t passed_on_ = 0;           ///< lines of the answer that request_.heard has got
    Cause next_cause_ = Cause::deadline;  ///< why it will be stopped when its time is up
    WorkerLife life_;
    bool over_ = false;
    bool gave_up_guests_ = false;
    bool ends_in_guest_ = false;  ///< it was asking a guest when the guests were given up
};

/// `environment` (as environ) without what a privileged program must not hand on, if `drop`.
std::vector<char*> worker_environment(char** environment, bool drop_loader_variables);

}  // namespace rocmtune
