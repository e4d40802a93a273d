// SPDX-License-Identifier: MIT
// Reading that cannot hang the program: a child process asks the machine, and what it has learnt
// so far is always in the parent's hands.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "system/host_source.hpp"

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

/// Runs `walk` over `source` in a child process that holds none of our files, and returns its
/// query log as a source of its own: the same walk over the result gives the same answers without
/// touching the machine. A query that is not answered in time (a wedged driver leaves the reader
/// unkillable in the kernel) counts as timeout, as does everything else of the same PCI device;
/// the stuck child is killed, not waited for, and another one goes on where it stopped; so it does
/// a few times if something else kills the child.
/// @throws Error (Exit::undetermined) if no child can be started.
class GuardedSource : public HostSource {
  public:
    GuardedSource(std::unique_ptr<HostSource> source, std::function<void(HostSource&)> const& walk,
                  GuardLimits const& limits);

    /// A query that no child came to ask is refused as unreached, and stands in the log as such.
    Reply ask(Query const& query) override;
    std::optional<std::string> environment() override { return environment_; }
    std::string label() const override { return label_; }

    QueryLog const& log() const { return log_; }
    /// Adds the answer to a call that took longer than the walk may wait.
    void answer_call(std::string key, Reply reply) {
        log_.add(Operation::call, std::move(key), std::move(reply));
    }

  private:
    QueryLog log_;
    std::optional<std::string> environment_;
    std::string label_;
    Missing why_unreached_;  ///< why some queries were asked by no child
};

}  // namespace rocmtune
