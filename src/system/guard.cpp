// SPDX-License-Identifier: MIT
#include "system/guard.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <fmt/format.h>

#include "rocmtune/error.hpp"
#include "system/posix_file.hpp"
#include "system/replies.hpp"

namespace rocmtune {
namespace {

using Clock = std::chrono::steady_clock;

/// Address space for what a child learns; pages are only used when written. A host of 64 partitions
/// needs about 4 MiB.
constexpr std::size_t arena_bytes = std::size_t{512} << 20;
constexpr std::size_t pending_path_bytes = 4096;  // PATH_MAX

/// One logged reply as it lies in the arena, followed by path and text.
struct Record {
    Operation operation;
    bool ok;
    bool truncated;
    Missing reason;
    int error;
    std::uint32_t path_size;
    std::uint32_t text_size;
};

/// Memory shared by the parent and one child. The child writes, the parent reads what is committed.
struct Arena {
    std::atomic<std::uint64_t> asked;      ///< queries begun
    std::atomic<std::uint64_t> answered;   ///< queries answered; less than asked while one is open
    std::atomic<std::uint64_t> committed;  ///< bytes of records that are complete
    Operation pending_operation;
    std::uint32_t pending_size;
    char pending_path[pending_path_bytes];
};

class SharedArena {
  public:
    SharedArena() {
        void* const memory = ::mmap(nullptr, arena_bytes, PROT_READ | PROT_WRITE,
                                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) throw Error("no memory for the reading process", {}, Exit::internal);
        arena_ = new (memory) Arena{};
    }
    SharedArena(SharedArena const&) = delete;
    SharedArena& operator=(SharedArena const&) = delete;
    ~SharedArena() { ::munmap(arena_, arena_bytes); }

    Arena* operator->() const { return arena_; }
    char* records() const { return reinterpret_cast<char*>(arena_) + sizeof(Arena); }
    static constexpr std::size_t capacity = arena_bytes - sizeof(Arena);

  private:
    Arena* arena_;
};

/// The part of a path whose other files share its fate when the kernel does not answer: the
/// directory of the innermost PCI device.
std::string fate_of(std::string const& path) {
    constexpr std::string_view devices = "/sys/devices/pci";
    if (!path.starts_with(devices)) return path;
    auto end = path.size();
    for (auto slash = path.rfind('/'); slash != std::string::npos && slash > 0; slash = path.rfind('/', slash - 1)) {
        // A PCI device directory is named DDDD:BB:DD.F
        auto const name = std::string_view(path).substr(slash + 1, end - slash - 1);
        if (name.size() >= 12 && name[name.size() - 2] == '.' && name[name.size() - 5] == ':')
            return path.substr(0, end) + '/';
        end = slash;
    }
    return path;
}

Reply timed_out() {
    return refusal(Missing::timeout, "the kernel did not answer");
}

/// The child's view: known replies first, then the machine, with each query announced before it is
/// asked so that the parent knows what a stuck child is stuck on.
class RecordingSource : public HostSource {
  public:
    RecordingSource(HostSource& source, QueryLog const& known, std::vector<std::string> const& wedged,
                    SharedArena const& arena)
        : source_(source), known_(known), wedged_(wedged), arena_(arena) {}

    Reply ask(Query const& query) override {
        if (auto const* reply = known_.find(query)) return *reply;
        if (auto const* reply = fresh_.find(query)) return *reply;
        announce(query);
        auto reply = is_wedged(query.path) ? timed_out() : source_.ask(query);
        commit(query, reply);
        fresh_.add(query.operation, std::string(query.path), reply);
        return reply;
    }
    std::string environment() override { return source_.environment(); }
    std::string label() const override { return source_.label(); }

  private:
    bool is_wedged(std::string_view path) const {
        for (auto const& prefix : wedged_)
            if (path.starts_with(prefix)) return true;
        return false;
    }

    void announce(Query const& query) {
        arena_->pending_operation = query.operation;
        arena_->pending_size = static_cast<std::uint32_t>(std::min(query.path.size(), pending_path_bytes));
        std::memcpy(arena_->pending_path, query.path.data(), arena_->pending_size);
        arena_->asked.fetch_add(1, std::memory_order_release);
    }

    void commit(Query const& query, Reply const& reply) {
        Record const record{query.operation, reply.ok, reply.truncated, reply.reason, reply.error,
                            static_cast<std::uint32_t>(query.path.size()),
                            static_cast<std::uint32_t>(reply.text.size())};
        auto at = arena_->committed.load(std::memory_order_relaxed);
        if (at + sizeof record + query.path.size() + reply.text.size() > SharedArena::capacity) ::_exit(1);
        auto const put = [&](void const* bytes, std::size_t size) {
            std::memcpy(arena_.records() + at, bytes, size);
            at += size;
        };
        put(&record, sizeof record);
        put(query.path.data(), query.path.size());
        put(reply.text.data(), reply.text.size());
        arena_->committed.store(at, std::memory_order_release);
        arena_->answered.fetch_add(1, std::memory_order_release);
    }

    HostSource& source_;
    QueryLog const& known_;
    std::vector<std::string> const& wedged_;
    SharedArena const& arena_;
    QueryLog fresh_;
};

void take_records(SharedArena const& arena, QueryLog& log) {
    auto const end = arena->committed.load(std::memory_order_acquire);
    for (std::size_t at = 0; at < end;) {
        Record record;
        std::memcpy(&record, arena.records() + at, sizeof record);
        char const* const path = arena.records() + at + sizeof record;
        Reply reply;
        reply.ok = record.ok;
        reply.truncated = record.truncated;
        reply.reason = record.reason;
        reply.error = record.error;
        reply.text.assign(path + record.path_size, record.text_size);
        log.add(record.operation, std::string(path, record.path_size), std::move(reply));
        at += sizeof record + record.path_size + record.text_size;
    }
}

/// The child must not keep our files open: a consumer of our output would wait for it to end, and
/// a child stuck in the kernel never ends.
[[noreturn]] void be_the_child(pid_t parent, int alive, std::function<void()> const& work) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    int const null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < 3; ++fd)
        if (null < 0 || ::dup2(null, fd) < 0) ::close(fd);
    (void)alive;  // stays open until this process is gone: that is how the parent learns of it
    try {
        work();
    } catch (...) {
        ::_exit(1);  // the parent walks over the same answers and meets the same exception
    }
    ::_exit(0);
}

enum class End { finished, stuck, out_of_time };

/// Waits for the child's end (its side of the pipe closes) or for a query that takes too long.
End watch(int alive, SharedArena const& arena, GuardLimits const& limits, Clock::time_point deadline) {
    auto asked = arena->asked.load();
    for (;;) {
        auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        auto const wait = std::min(limits.query, std::max(left, std::chrono::milliseconds{0}));
        pollfd poll_alive{alive, POLLIN, 0};
        int const ready = ::poll(&poll_alive, 1, static_cast<int>(wait.count()));
        if (ready > 0) return End::finished;
        if (ready < 0 && errno == EINTR) continue;
        if (Clock::now() >= deadline) return End::out_of_time;
        auto const now = arena->asked.load(std::memory_order_acquire);
        if (now == asked && arena->answered.load(std::memory_order_acquire) != now) return End::stuck;
        asked = now;
    }
}

void end_child(pid_t child, End end) {
    if (end != End::finished) ::kill(child, SIGKILL);
    // A child stuck in the kernel cannot be reaped; init does it when the kernel lets go.
    ::waitpid(child, nullptr, end == End::finished ? 0 : WNOHANG);
}

}  // namespace

Reply const* QueryLog::find(Query const& query) const {
    auto const found = index_.find({query.operation, query.path});
    return found == index_.end() ? nullptr : found->second;
}

void QueryLog::add(Operation operation, std::string path, Reply reply) {
    if (find({operation, path}) != nullptr) return;
    auto const& entry = entries_.emplace_back(operation, std::move(path), std::move(reply));
    index_.emplace(std::pair(operation, std::string_view(entry.path)), &entry.reply);
}

GuardedSource::GuardedSource(std::unique_ptr<HostSource> source,
                             std::function<void(HostSource&)> const& walk, GuardLimits const& limits)
    : environment_(source->environment()), label_(source->label()) {
    std::vector<std::string> wedged;
    auto const deadline = Clock::now() + limits.total;
    for (End end = End::stuck; end == End::stuck;) {
        SharedArena const arena;
        int pipe_ends[2];
        if (::pipe2(pipe_ends, O_CLOEXEC) != 0) throw Error("no pipe for the reading process: " + errno_name(errno), {}, Exit::internal);
        FileDescriptor const ours(pipe_ends[0]);
        FileDescriptor theirs(pipe_ends[1]);
        auto const parent = ::getpid();
        auto const child = ::fork();
        if (child < 0) throw Error("cannot start the reading process: " + errno_name(errno), {}, Exit::internal);
        if (child == 0)
            be_the_child(parent, theirs.get(), [&] {
                RecordingSource recording(*source, log_, wedged, arena);
                walk(recording);
            });
        theirs = FileDescriptor();
        end = watch(ours.get(), arena, limits, deadline);
        end_child(child, end);
        take_records(arena, log_);
        if (end == End::finished || arena->asked == arena->answered) continue;
        std::string const pending(arena->pending_path, arena->pending_size);
        log_.add(arena->pending_operation, pending, timed_out());
        wedged.push_back(fate_of(pending));
    }
    unanswered_ = Clock::now() >= deadline ? refusal(Missing::timeout, "the time for reading was used up")
                                           : refusal(Missing::failed, "the reading process ended early");
}

Reply GuardedSource::ask(Query const& query) {
    auto const* reply = log_.find(query);
    return reply != nullptr ? *reply : unanswered_;
}

}  // namespace rocmtune
