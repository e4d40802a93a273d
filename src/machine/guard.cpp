// SPDX-License-Identifier: MIT
#include "machine/guard.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <optional>

#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine/child.hpp"
#include "machine/reading_child.hpp"
#include "machine/replies.hpp"

namespace rocmtune {
namespace {

using Clock = std::chrono::steady_clock;

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

/// The memory that a child and its parent share begins with it. The child writes, the parent reads
/// what is committed.
struct Arena {
    std::atomic<std::uint64_t> asked;      ///< queries begun
    std::atomic<std::uint64_t> answered;   ///< queries answered; less than asked while one is open
    std::atomic<std::uint64_t> committed;  ///< bytes of records that are complete
    Operation pending_operation;
    std::uint32_t pending_size;
    char pending_path[pending_path_bytes];
};

/// A reply in the memory, with the path it belongs to and the place of the next one.
struct Recorded {
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

/// A log that a child writes and its parent reads: what the child has learnt so far is always in
/// our hands.
class SharedLog {
  public:
    /// @throws Error (Exit::undetermined) if there is no memory for it.
    SharedLog() : size_(most_bytes) {
        void* memory = MAP_FAILED;
        for (; memory == MAP_FAILED && size_ >= least_bytes; size_ /= 2)
            memory = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED)
            no_reader("no memory for it", "a limit may be in the way (ulimit -v)");
        size_ *= 2;
        arena_ = new (memory) Arena{};
    }
    SharedLog(SharedLog const&) = delete;
    SharedLog& operator=(SharedLog const&) = delete;
    ~SharedLog() { ::munmap(arena_, size_); }

    Arena& arena() { return *arena_; }
    /// For the parent: how many queries were begun, and whether the last is not answered yet.
    std::uint64_t asked() const { return arena_->asked.load(std::memory_order_acquire); }
    bool is_waiting() const { return arena_->answered.load(std::memory_order_acquire) != asked(); }
    /// The last query.
    Operation pending_operation() const {
        return std::min(arena_->pending_operation, Operation::call);
    }
    std::string pending_path() const {
        return {arena_->pending_path,
                std::min<std::size_t>(arena_->pending_size, pending_path_bytes)};
    }

    char* records() const { return reinterpret_cast<char*>(arena_) + sizeof(Arena); }
    std::size_t capacity() const { return size_ - sizeof(Arena); }
    /// The record at `at`; its path is null if no whole one ends before `end`.
    Recorded recorded_at(std::size_t at, std::size_t end) const {
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

    /// Adds to `log` what has come since it was called last. A child that went astray may have
    /// written anything: what does not fit ends the list.
    void take_new(QueryLog& log) {
        auto const end =
            std::min<std::size_t>(arena_->committed.load(std::memory_order_acquire), capacity());
        for (auto one = recorded_at(taken_, end); one.path != nullptr;
             one = recorded_at(taken_, end)) {
            auto const query = one.query();
            log.add(query.operation, std::string(query.path), one.reply());
            taken_ = one.next;
        }
    }

  private:
    std::size_t size_;
    Arena* arena_;
    std::size_t taken_ = 0;  ///< bytes of records that take_new() has seen
};

/// The child's view: what `known` tells, then the machine, with each query announced before it is
/// asked so that the parent knows what a stuck child is stuck on. Of paths below those of `wedged`
/// it says that they are not answered. The child ends where there is no more room.
class AnnouncedSource : public HostSource {
  public:
    AnnouncedSource(SharedLog& log, HostSource& source, QueryLog const& known,
                    std::vector<std::string> const& wedged)
        : log_(log), arena_(log.arena()), source_(source), known_(known), wedged_(wedged) {}

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

/// DDDD:BB:DD.F, as the directory of a PCI device is named.
bool names_pci_device(std::string_view name) {
    auto const size = name.size();
    return size >= 12 && name[size - 2] == '.' && name[size - 5] == ':' && name[size - 8] == ':';
}

/// The part of a path whose other files share its fate when the kernel does not answer: the
/// directory of the innermost PCI device.
std::string device_directory_of(std::string const& path) {
    for (auto end = path.size(); end != std::string::npos && end > 0;) {
        auto const slash = path.rfind('/', end - 1);
        if (slash == std::string::npos) break;
        if (names_pci_device(std::string_view(path).substr(slash + 1, end - slash - 1)))
            return path.substr(0, end);
        end = slash;
    }
    return path;
}

/// What children of earlier runs are still stuck on.
std::vector<std::string> still_wedged() {
    reap_left_behind();
    std::vector<std::string> paths;
    for (auto const& child : children_left_behind())
        if (!child.path.empty()) paths.push_back(child.path);
    return paths;
}

constexpr int most_successors = 3;

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

struct GuardedSource::Attempt {
    SharedLog log = {};
    ReaderProcess child = {};     ///< a byte for the mark on its pipe
    std::uint64_t asked = 0;      ///< queries when we last looked
    Clock::time_point look = {};  ///< when to see whether there are more
};

GuardedSource::GuardedSource(std::unique_ptr<HostSource> source,
                             std::function<void(HostSource&)> const& walk,
                             GuardLimits const& limits)
    : GuardedSource(
          std::move(source),
          [&walk](HostSource& asked, std::function<void()> const&) { walk(asked); }, limits) {
    finish();
}

GuardedSource::GuardedSource(std::unique_ptr<HostSource> source, MarkedWalk walk,
                             GuardLimits const& limits)
    : source_(std::move(source)),
      walk_(std::move(walk)),
      limits_(limits),
      deadline_(Clock::now() + limits.total),
      wedged_(still_wedged()),
      environment_(source_->environment()),
      label_(source_->label()) {
    begin_attempt();
}

GuardedSource::~GuardedSource() {
    interrupt();
}

void GuardedSource::begin_attempt() {
    auto next = std::make_unique<Attempt>();
    next->child = start_reader(ReaderFiles::ours, [&](int pipe) {
        auto const pass_mark = [pipe] { [[maybe_unused]] auto const n = ::write(pipe, "", 1); };
        // Never destroyed: the child ends here, and its memory with it. An exception of the walk is
        // met again by the parent, who walks over the same answers.
        walk_(*new AnnouncedSource(next->log, *source_, log_, wedged_), pass_mark);
    });
    next->look = Clock::now() + limits_.query;
    attempt_ = std::move(next);
}

int GuardedSource::fd() const {
    return is_over() ? -1 : attempt_->child.pipe.get();
}

Clock::time_point GuardedSource::due() const {
    return is_over() ? Clock::time_point::max() : std::min(attempt_->look, deadline_);
}

/// The child's end closes its side of the pipe.
void GuardedSource::turn() {
    if (is_over()) return;
    pollfd alive{attempt_->child.pipe.get(), POLLIN, 0};
    if (::poll(&alive, 1, 0) > 0) {
        char mark = 0;
        auto const got = ::read(alive.fd, &mark, 1);
        if (got < 0 && errno == EINTR) return;
        if (got <= 0) return end_attempt(End::finished);
        attempt_->log.take_new(log_);
        has_passed_mark_ = true;
    }
    auto const now = Clock::now();
    if (now >= deadline_) return end_attempt(End::out_of_time);
    if (now < attempt_->look) return;
    auto const asked = attempt_->log.asked();
    if (asked == attempt_->asked && attempt_->log.is_waiting()) return end_attempt(End::stuck);
    attempt_->asked = asked;
    attempt_->look = now + limits_.query;
}

void GuardedSource::finish() {
    while (!is_over()) {
        // Rounded up: a wait that ends a moment before it is due would be followed by another.
        auto const left = std::chrono::ceil<std::chrono::milliseconds>(due() - Clock::now());
        pollfd alive{fd(), POLLIN, 0};
        (void)::poll(&alive, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
        turn();
    }
}

void GuardedSource::interrupt() {
    if (is_over()) return;
    deadline_ = std::min(deadline_, Clock::now());
    end_attempt(End::out_of_time);
}

void GuardedSource::end_attempt(End end) {
    int status = 0;
    bool const gone = end_child(attempt_->child.pid, end != End::finished, &status);
    auto const ended = std::exchange(attempt_, nullptr);
    ended->log.take_new(log_);
    std::string stuck_on;
    if (end != End::finished && ended->log.is_waiting()) {
        auto const pending = ended->log.pending_path();
        // At the end of the time every query is cut off: that says nothing about this path.
        log_.add(ended->log.pending_operation(), pending,
                 end == End::stuck ? unanswered() : unreached(Missing::timeout));
        stuck_on = device_directory_of(pending);
        wedged_.push_back(stuck_on);
    }
    if (!gone) leave_behind({ended->child.pid, stuck_on});
    // One that the kernel ends for want of memory, or a person by mistake, has successors; what
    // kills each of them is in the reading itself.
    bool const killed = end == End::finished && WIFSIGNALED(status);
    killed_ += killed ? 1 : 0;
    bool const has_time = Clock::now() < deadline_;
    if (end == End::stuck || (killed && killed_ <= most_successors && has_time))
        return begin_attempt();
    why_unreached_ = has_time ? Missing::failed : Missing::timeout;
}

Reply GuardedSource::ask(Query const& query) {
    if (auto const* reply = log_.find(query)) return *reply;
    auto reply = unreached(why_unreached_);
    if (is_over()) log_.add(query.operation, std::string(query.path), reply);
    return reply;
}

}  // namespace rocmtune
