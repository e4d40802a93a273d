// SPDX-License-Identifier: MIT
#include "machine/query_log.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <optional>

#include <sys/mman.h>
#include <unistd.h>

#include "machine/reader_process.hpp"
#include "machine/replies.hpp"

namespace rocmtune {
namespace {

/// Address space for what a child learns; pages are only used when written. A host of 64 partitions
/// needs about 4 MiB.
constexpr std::size_t most_bytes = std::size_t{512} << 20;
/// Where so much is not to be had (ulimit -v, strict overcommit), less may still do.
constexpr std::size_t least_bytes = std::size_t{4} << 20;
constexpr std::size_t pending_path_bytes = 4096;  // PATH_MAX

/// One logged reply as it lies in the memory, followed by path and text.
struct Record {
    Operation operation;
    bool ok;
    bool truncated;
    Missing reason;
    int error;
    std::uint32_t path_size;
    std::uint32_t text_size;
};

/// A directory's end at "/", so that 0000:03:00.1 and /proc/12 do not stand for 0000:03:00.10 and
/// /proc/123.
bool is_below(std::string_view path, std::string_view top) {
    return path.starts_with(top) && (path.size() == top.size() || path[top.size()] == '/');
}

}  // namespace

Reply const* QueryLog::find(Query const& query) const {
    auto const found = index_.find(query);
    return found == index_.end() ? nullptr : found->second;
}

void QueryLog::add(Operation operation, std::string path, Reply reply) {
    if (find({operation, path}) != nullptr) return;
    auto const& entry = entries_.emplace_back(operation, std::move(path), std::move(reply));
    index_.emplace(Query{operation, entry.path}, &entry.reply);
}

/// The memory begins with it. The child writes, the parent reads what is committed.
struct SharedLog::Arena {
    std::atomic<std::uint64_t> asked;      ///< queries begun
    std::atomic<std::uint64_t> answered;   ///< queries answered; less than asked while one is open
    std::atomic<std::uint64_t> committed;  ///< bytes of records that are complete
    Operation pending_operation;
    std::uint32_t pending_size;
    char pending_path[pending_path_bytes];
};

/// A reply in the memory, with the path it belongs to and the place of the next one.
struct SharedLog::Recorded {
    Record head;
    char const* path;  ///< null: no whole record
    std::size_t next;

    Query query() const { return {head.operation, {path, head.path_size}}; }
    Reply reply() const {
        Reply reply;
        reply.ok = head.ok;
        reply.truncated = head.truncated;
        reply.reason = head.reason;
        reply.error = head.error;
        reply.text.assign(path + head.path_size, head.text_size);
        return reply;
    }
};

/// The child's view: known replies first, then the machine, with each query announced before it is
/// asked so that the parent knows what a stuck child is stuck on.
class SharedLog::Writer : public HostSource {
  public:
    Writer(SharedLog& log, HostSource& source, QueryLog const& known,
           std::vector<std::string> const& wedged)
        : log_(log), arena_(*log.arena_), source_(source), known_(known), wedged_(wedged) {}

    Reply ask(Query const& query) override {
        if (auto const* reply = known_.find(query)) return *reply;
        if (auto const fresh = fresh_.find(query); fresh != fresh_.end())
            return log_.recorded_at(fresh->second, log_.capacity()).reply();
        // The kernel takes no longer path either, and the parent must be able to read it.
        bool const too_long = query.path.size() > pending_path_bytes;
        if (!too_long) announce(query);
        auto reply = too_long                ? failure(ENAMETOOLONG)
                     : is_wedged(query.path) ? unanswered()
                                             : source_.ask(query);
        auto const at = commit(query, reply);
        fresh_.emplace(log_.recorded_at(at, log_.capacity()).query(), at);
        return reply;
    }
    std::optional<std::string> environment() override { return source_.environment(); }
    std::string label() const override { return source_.label(); }

  private:
    bool is_wedged(std::string_view path) const {
        return std::ranges::any_of(wedged_, [&](auto const& top) { return is_below(path, top); });
    }

    void announce(Query const& query) {
        arena_.pending_operation = query.operation;
        arena_.pending_size = static_cast<std::uint32_t>(query.path.size());
        std::memcpy(arena_.pending_path, query.path.data(), arena_.pending_size);
        arena_.asked.fetch_add(1, std::memory_order_release);
    }

    /// Returns where the record begins.
    std::size_t commit(Query const& query, Reply const& reply) {
        Record const record{query.operation,
                            reply.ok,
                            reply.truncated,
                            reply.reason,
                            reply.error,
                            static_cast<std::uint32_t>(query.path.size()),
                            static_cast<std::uint32_t>(reply.text.size())};
        std::size_t const start = arena_.committed.load(std::memory_order_relaxed);
        auto at = start;
        if (at + sizeof record + query.path.size() + reply.text.size() > log_.capacity())
            ::_exit(1);
        auto const put = [&](void const* bytes, std::size_t size) {
            std::memcpy(log_.records() + at, bytes, size);
            at += size;
        };
        put(&record, sizeof record);
        put(query.path.data(), query.path.size());
        put(reply.text.data(), reply.text.size());
        arena_.committed.store(at, std::memory_order_release);
        arena_.answered.store(arena_.asked.load(std::memory_order_relaxed),
                              std::memory_order_release);
        return start;
    }

    SharedLog& log_;
    Arena& arena_;
    HostSource& source_;
    QueryLog const& known_;
    std::vector<std::string> const& wedged_;
    /// What this child has asked, by its place in the memory: the replies stand there already.
    std::unordered_map<Query, std::size_t, QueryHash, QueryEqual> fresh_;
};

SharedLog::SharedLog() : size_(most_bytes) {
    void* memory = MAP_FAILED;
    for (; memory == MAP_FAILED && size_ >= least_bytes; size_ /= 2)
        memory = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        no_reader("no memory for it", "a limit may be in the way (ulimit -v)");
    size_ *= 2;
    arena_ = new (memory) Arena{};
}

SharedLog::~SharedLog() {
    ::munmap(arena_, size_);
}

char* SharedLog::records() const {
    return reinterpret_cast<char*>(arena_) + sizeof(Arena);
}

std::size_t SharedLog::capacity() const {
    return size_ - sizeof(Arena);
}

std::unique_ptr<HostSource> SharedLog::writer(HostSource& source, QueryLog const& known,
                                              std::vector<std::string> const& wedged) {
    return std::make_unique<Writer>(*this, source, known, wedged);
}

std::uint64_t SharedLog::asked() const {
    return arena_->asked.load(std::memory_order_acquire);
}

bool SharedLog::is_waiting() const {
    return arena_->answered.load(std::memory_order_acquire) != asked();
}

Operation SharedLog::pending_operation() const {
    return std::min(arena_->pending_operation, Operation::call);
}

std::string SharedLog::pending_path() const {
    return {arena_->pending_path, std::min<std::size_t>(arena_->pending_size, pending_path_bytes)};
}

/// The record at `at`; its path is null if no whole one ends before `end`.
SharedLog::Recorded SharedLog::recorded_at(std::size_t at, std::size_t end) const {
    Recorded recorded{};
    if (end < at || end - at < sizeof(Record)) return recorded;
    std::memcpy(&recorded.head, records() + at, sizeof(Record));
    auto const& head = recorded.head;
    if (head.operation > Operation::call || head.reason > Missing::denied) return recorded;
    auto const size = std::size_t{head.path_size} + head.text_size;
    if (end - at - sizeof(Record) < size) return recorded;
    recorded.path = records() + at + sizeof(Record);
    recorded.next = at + sizeof(Record) + size;
    return recorded;
}

void SharedLog::take_new(QueryLog& log) {
    auto const end =
        std::min<std::size_t>(arena_->committed.load(std::memory_order_acquire), capacity());
    for (auto one = recorded_at(taken_, end); one.path != nullptr; one = recorded_at(taken_, end)) {
        auto const query = one.query();
        log.add(query.operation, std::string(query.path), one.reply());
        taken_ = one.next;
    }
}

}  // namespace rocmtune
