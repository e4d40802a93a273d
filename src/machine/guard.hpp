// SPDX-License-Identifier: MIT
// What was asked of a host, with the replies, and the guard: a child process that asks, so that a
// kernel that does not answer stops it and not the program.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "machine/companion.hpp"
#include "machine/host_source.hpp"

namespace rocmtune {

struct QueryHash {
    std::size_t operator()(Query const& query) const {
        return std::hash<std::string_view>{}(query.path) +
               static_cast<std::size_t>(query.operation);
    }
};

struct QueryEqual {
    bool operator()(Query const& a, Query const& b) const {
        return a.operation == b.operation && a.path == b.path;
    }
};

/// Every query of a run with its reply, in the order of asking.
class QueryLog {
  public:
    struct Entry {
        Entry(Operation asked, std::string where, Reply answer)
            : operation(asked), path(std::move(where)), reply(std::move(answer)) {}
        Operation operation;
        std::string path;
        Reply reply;
    };

    /// The reply to a query that was asked before, or null.
    Reply const* find(Query const& query) const;
    void add(Operation operation, std::string path, Reply reply);
    std::deque<Entry> const& entries() const { return entries_; }

  private:
    std::deque<Entry> entries_;  ///< a deque keeps its elements in place: the index points into it
    std::unordered_map<Query, Reply const*, QueryHash, QueryEqual> index_;
};

/// Time limits of a guarded run.
struct GuardLimits {
    std::chrono::milliseconds query{1000};  ///< one reply; the kernel answers in microseconds
    std::chrono::milliseconds total{30000};
};

/// Runs `walk` over `source` in a child process that holds none of our files, and keeps its query
/// log as a source of its own: the same walk over the result gives the same answers without
/// touching the machine. A query that is not answered in time (a wedged driver leaves the reader
/// unkillable in the kernel) counts as timeout, as does everything else of the same PCI device;
/// the stuck child is killed, not waited for, and another one goes on where it stopped; so it does
/// a few times if something else kills the child.
class GuardedSource : public HostSource, public Companion {
  public:
    /// Calls `pass_mark` once, at a place of its own choice: see has_passed_mark().
    using MarkedWalk = std::function<void(HostSource&, std::function<void()> const& pass_mark)>;

    /// Returns when all is read.
    /// @throws Error (Exit::undetermined) if no child can be started.
    GuardedSource(std::unique_ptr<HostSource> source, std::function<void(HostSource&)> const& walk,
                  GuardLimits const& limits);
    /// Returns at once: whoever has it calls turn() until it is over, or finish().
    /// @throws as above, which holds for turn() and finish(), too.
    GuardedSource(std::unique_ptr<HostSource> source, MarkedWalk walk, GuardLimits const& limits);
    ~GuardedSource() override;

    /// The walk has come to its mark, or to its end: what it asked before can be asked here.
    bool has_passed_mark() const { return has_passed_mark_ || is_over(); }
    bool is_over() const override { return attempt_ == nullptr; }
    void finish();

    int fd() const override;
    std::chrono::steady_clock::time_point due() const override;
    /// Waits 0.2 s for a child that it has to kill, otherwise not at all.
    void turn() override;
    /// Reads no more. What was not read is unreached.
    void interrupt() override;

    /// A query that no child came to ask is refused as unreached, and stands in the log as such
    /// once all is read.
    Reply ask(Query const& query) override;
    std::optional<std::string> environment() override { return environment_; }
    std::string label() const override { return label_; }

    QueryLog const& log() const { return log_; }
    /// Adds the answer to a call that took longer than the walk may wait.
    void answer_call(std::string key, Reply reply) {
        log_.add(Operation::call, std::move(key), std::move(reply));
    }

  private:
    struct Attempt;  ///< one child and what it has learnt
    enum class End : std::uint8_t { finished, stuck, out_of_time };

    void begin_attempt();
    void end_attempt(End end);

    std::unique_ptr<HostSource> source_;
    MarkedWalk walk_;
    GuardLimits limits_;
    std::chrono::steady_clock::time_point deadline_;
    std::vector<std::string> wedged_;  ///< paths that no child is to ask below
    std::unique_ptr<Attempt> attempt_;
    int killed_ = 0;
    bool has_passed_mark_ = false;
    QueryLog log_;
    std::optional<std::string> environment_;
    std::string label_;
    Missing why_unreached_ = Missing::failed;  ///< why some queries were asked by no child
};

}  // namespace rocmtune
