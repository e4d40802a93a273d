// SPDX-License-Identifier: MIT
#include "machine/worker.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include <poll.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/held_signals.hpp"
#include "machine/processes.hpp"
#include "machine/worker_process.hpp"

namespace rocmtune {

class WorkerRun::Parts {
  public:
    Parts(std::vector<WorkerRequest> requests, WorkerMachinery machinery)
        : requests_(std::move(requests)),
          machinery_(std::move(machinery)),
          workers_(requests_.size()),
          guests_(requests_.size()),
          has_begun_(requests_.size()),
          outcomes_(requests_.size()) {
        for (std::size_t i = 0; i < requests_.size(); ++i)
            if (auto const host = host_of(i); host < requests_.size())
                guests_[host].push_back({i, guests_[host].size()});
        for (std::size_t i = 0; i < requests_.size(); ++i)
            if (requests_[i].held && host_of(i) == requests_.size()) start(i);
    }

    void go(std::span<std::chrono::milliseconds const> deadlines,
            WorkerMachinery const& machinery) {
        machinery_.grace = machinery.grace;
        machinery_.patience = machinery.patience;
        for (std::size_t i = 0; i < requests_.size(); ++i) requests_[i].deadline = deadlines[i];
        for (std::size_t i = 0; i < requests_.size(); ++i) {
            if (workers_[i]) workers_[i]->release();
            requests_[i].held = false;  // of guests that get a process of their own from now on
        }
        start_waiting();
        start_next_alone();
    }

    void wait_for(Companion& companion, std::function<bool()> const& reached) {
        while (!companion.is_over() && !reached() && !asked_by_) {
            wait(&companion);
            stop_if_asked();
            turn();
            if (asked_by_) companion.interrupt();
            else companion.turn();
        }
    }

    std::vector<WorkerOutcome> finish() {
        while (running_ > 0) {
            wait();
            stop_if_asked();
            turn();
        }
        return std::move(outcomes_);
    }

  private:
    struct Guest {
        std::size_t request;
        std::size_t number;  ///< among the guests of its worker
    };

    /// The request in whose process this one is asked; none: the number of requests.
    std::size_t host_of(std::size_t i) const {
        auto const& name = requests_[i].guest_of;
        for (std::size_t host = 0; !name.empty() && host < requests_.size(); ++host)
            if (requests_[host].name == name && requests_[host].guest_of.empty()) return host;
        return requests_.size();
    }

    void start(std::size_t i) {
        auto& request = requests_[i];
        has_begun_[i] = true;
        auto why_not = asked_by_ ? "this program got " + *asked_by_ : std::string();
        if (why_not.empty() && request.before) why_not = request.before(request.deadline);
        if (!why_not.empty()) {
            outcomes_[i] = not_started(request, why_not);
            return start_guests(i);
        }
        if (!request.alone) ++beside_;
        std::vector<WorkerRequest const*> guests;
        for (auto const& guest : guests_[i]) guests.push_back(&requests_[guest.request]);
        workers_[i] = std::make_unique<WorkerProcess>(request, guests, machinery_);
        ++running_;
        if (workers_[i]->is_over()) collect(i);
    }

    /// Starts those guests of a worker that it has no answer for. They are to end no later than if
    /// they had been started beside it.
    void start_guests(std::size_t i) {
        auto const& worker = workers_[i];
        auto const has_answer = [&](Guest const& guest) {
            return worker && worker->has_answered_for(guest.number);
        };
        auto const passed =
            worker ? WorkerClock::now() - worker->started() : WorkerClock::duration();
        auto guests = guests_[i];
        std::erase_if(guests_[i], std::not_fn(has_answer));
        std::erase_if(guests, has_answer);
        for (auto const& guest : guests) {
            auto& deadline = requests_[guest.request].deadline;
            deadline -= std::chrono::floor<std::chrono::milliseconds>(passed);
            deadline = std::max(deadline, std::chrono::milliseconds(1));
            start(guest.request);
        }
    }

    void start_waiting() {
        while (next_ < requests_.size() && beside_ < machinery_.most_at_once) {
            auto const i = next_++;
            bool const is_to_start = !requests_[i].alone && !has_begun_[i];
            if (is_to_start && host_of(i) == requests_.size()) start(i);
        }
    }

    void start_next_alone() {
        while (next_alone_ < requests_.size()) {
            auto const i = next_alone_++;
            if (!requests_[i].alone || host_of(i) < requests_.size()) continue;
            start(i);
            if (workers_[i]) return;  // the next one follows when this one is over
        }
    }

    static WorkerOutcome not_started(WorkerRequest const& request, std::string const& why) {
        WorkerOutcome outcome;
        outcome.name = request.name;
        outcome.detail = "it was not started because " + why;
        return outcome;
    }

    void wait(Companion const* companion = nullptr) {
        std::vector<pollfd> files;
        files.reserve(2 + workers_.size() * WorkerProcess::poll_slots);
        files.push_back({asked_by_ ? -1 : arrivals_.get(), POLLIN, 0});
        files.push_back({companion != nullptr ? companion->fd() : -1, POLLIN, 0});
        auto due = companion != nullptr ? companion->due() : WorkerClock::time_point::max();
        for (auto const& worker : workers_) {
            if (!worker) continue;
            due = std::min(due, worker->due());
            auto const at = files.size();
            files.resize(at + WorkerProcess::poll_slots);
            worker->fill(std::span<pollfd, WorkerProcess::poll_slots>(&files[at],
                                                                      WorkerProcess::poll_slots));
        }
        auto const left = std::chrono::ceil<std::chrono::milliseconds>(due - WorkerClock::now());
        // A poll that fails is a poll that has seen nothing: turn() looks for itself.
        (void)::poll(files.data(), files.size(),
                     static_cast<int>(std::clamp<long>(left.count(), 0, 60000)));
    }

    void stop_if_asked() {
        if (!asked_by_)
            if (auto const signal = HeldSignals::waiting()) asked_by_ = signal_name(*signal);
        if (!asked_by_) return;
        for (auto const& worker : workers_)
            if (worker) worker->interrupt(*asked_by_);
    }

    void turn() {
        std::vector<std::size_t> over;
        do {
            for (std::size_t i = 0; i < workers_.size(); ++i) {
                if (!workers_[i]) continue;
                workers_[i]->turn();
                if (workers_[i]->gave_up_guests()) start_guests(i);
                if (!workers_[i]->is_over()) continue;
                over.push_back(i);
                collect(i);
            }
        } while (one_has_ended());
        if (!over.empty()) end_strays(over);
        for (auto const i : over)
            if (requests_[i].alone) start_next_alone();
        start_waiting();
    }

    void collect(std::size_t i) {
        start_guests(i);
        outcomes_[i] = workers_[i]->outcome();
        for (auto const& guest : guests_[i])
            outcomes_[guest.request] = workers_[i]->outcome_of(guest.number);
        over_.push_back(workers_[i]->pid());
        workers_[i].reset();
        --running_;
        if (!requests_[i].alone) --beside_;
        for (auto const answered : answered_by(i))
            if (requests_[answered].after) requests_[answered].after(outcomes_[answered]);
    }

    /// A worker that is over, and the guests whose answers came from its process.
    std::vector<std::size_t> answered_by(std::size_t i) const {
        std::vector<std::size_t> all{i};
        for (auto const& guest : guests_[i]) all.push_back(guest.request);
        return all;
    }

    bool one_has_ended() const {
        return std::any_of(workers_.begin(), workers_.end(),
                           [](auto const& worker) { return worker && worker->has_ended(); });
    }

    /// What the libraries of workers that are over have put out of reach of our signals. It is a
    /// worker's child until the worker ends, then ours.
    void end_strays(std::span<std::size_t const> over) {
        std::vector<pid_t> running;
        for (auto const& child : children_left_behind()) running.push_back(child.pid);
        for (auto const& worker : workers_)
            if (worker) running.push_back(worker->pid());
        auto const ended = strays_.end(running, over_, machinery_.patience);
        if (ended.names.empty()) return;
        std::vector<std::size_t> told;
        for (auto const i : over)
            for (auto const answered : answered_by(i)) told.push_back(answered);
        bool const is_its_own = told.size() == 1 && !one_has_ended();
        auto text =
            fmt::format("ended what it {}had left behind: {}",
                        is_its_own ? "" : "or another library ", fmt::join(ended.names, ", "));
        if (!ended.survive.empty())
            text += fmt::format("; SIGKILL did not end {}", fmt::join(ended.survive, ", "));
        for (auto const i : told)
            outcomes_[i].detail += (outcomes_[i].detail.empty() ? "" : "; ") + text;
    }

    /// The signals that ask us to end wait meanwhile: the workers are in groups of their own, where
    /// a terminal's SIGINT does not reach them. They take their effect afterwards.
    HeldSignals const signals_;
    FileDescriptor const arrivals_ = HeldSignals::arrivals();
    DefaultSigchld const keeps_status_;
    Strays strays_;
    std::vector<WorkerRequest> requests_;
    WorkerMachinery machinery_;
    std::vector<std::unique_ptr<WorkerProcess>> workers_;  ///< null: not started, or over
    std::vector<std::vector<Guest>> guests_;  ///< of each request; those with no answer leave it
    std::vector<bool> has_begun_;
    std::vector<WorkerOutcome> outcomes_;
    std::vector<pid_t> over_;  ///< process ids of those that are over
    std::size_t next_ = 0;
    std::size_t next_alone_ = 0;
    std::size_t beside_ = 0;  ///< of those that run, the ones that are not alone
    std::size_t running_ = 0;
    std::optional<std::string> asked_by_;
};

std::string_view worker_status_name(WorkerStatus status) {
    switch (status) {
        case WorkerStatus::ok: return "ok";
        case WorkerStatus::absent: return "absent";
        case WorkerStatus::error: return "error";
        case WorkerStatus::signal: return "signal";
        case WorkerStatus::timeout: return "timeout";
        case WorkerStatus::unkillable: return "unkillable";
    }
    return "error";
}

std::vector<WorkerOutcome> run_workers(std::span<WorkerRequest const> requests,
                                       WorkerMachinery const& machinery) {
    std::vector<std::chrono::milliseconds> deadlines;
    for (auto const& request : requests) deadlines.push_back(request.deadline);
    WorkerRun run({requests.begin(), requests.end()}, machinery);
    run.go(deadlines, machinery);
    return run.finish();
}

WorkerRun::WorkerRun(std::vector<WorkerRequest> requests, WorkerMachinery machinery) {
    reap_left_behind();
    parts_ = std::make_unique<Parts>(std::move(requests), std::move(machinery));
}

WorkerRun::~WorkerRun() = default;

void WorkerRun::go(std::span<std::chrono::milliseconds const> deadlines,
                   WorkerMachinery const& machinery) {
    parts_->go(deadlines, machinery);
}

void WorkerRun::wait_for(Companion& companion, std::function<bool()> const& reached) {
    parts_->wait_for(companion, reached);
}

std::vector<WorkerOutcome> WorkerRun::finish() {
    return parts_->finish();
}

}  // namespace rocmtune
