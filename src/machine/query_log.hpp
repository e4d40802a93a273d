// SPDX-License-Identifier: MIT
// What was asked of a host, and the replies: in this process, and in memory that a child process
// shares with us, so that what it has learnt so far is always in our hands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

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

/// A log that a child writes and its parent reads.
class SharedLog {
  public:
    /// @throws Error (Exit::undetermined) if there is no memory for it.
    SharedLog();
    SharedLog(SharedLog const&) = delete;
    SharedLog& operator=(SharedLog const&) = delete;
    ~SharedLog();

    /// For the child: asks `source` what `known` does not tell, and writes the replies down. Of
    /// paths below those of `wedged` it says that they are not answered. All must outlive it. The
    /// child ends where there is no more room.
    std::unique_ptr<HostSource> writer(HostSource& source, QueryLog const& known,
                                       std::vector<std::string> const& wedged);

    /// For the parent: how many queries were begun, and whether the last is not answered yet.
    std::uint64_t asked() const;
    bool is_waiting() const;
    /// The last query.
    Operation pending_operation() const;
    std::string pending_path() const;
    /// Adds to `log` what has come since it was called last. A child that went astray may have
    /// written anything: what does not fit ends the list.
    void take_new(QueryLog& log);

  private:
    struct Arena;
    class Writer;
    struct Recorded;

    char* records() const;
    std::size_t capacity() const;
    Recorded recorded_at(std::size_t at, std::size_t end) const;

    std::size_t size_;
    Arena* arena_;
    std::size_t taken_ = 0;  ///< bytes of records that take_new() has seen
};

}  // namespace rocmtune
