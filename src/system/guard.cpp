// SPDX-License-Identifier: MIT
#include "system/guard.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "rocmtune/error.hpp"
#include "system/posix_file.hpp"
#include "system/reader_pipe.hpp"
#include "system/replies.hpp"

namespace rocmtune {
namespace {

using Clock = std::chrono::steady_clock;

/// Address space for what a child learns; pages are only used when written. A host of 64 partitions
/// needs about 4 MiB.
constexpr std::size_t arena_bytes = std::size_t{512} << 20;
/// Where so much is not to be had (ulimit -v, strict overcommit), less may still do.
constexpr std::size_t least_arena_bytes = std::size_t{4} << 20;
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
        void* memory = MAP_FAILED;
        for (; memory == MAP_FAILED && size_ >= least_arena_bytes; size_ /= 2)
            memory = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED)
            no_reader("no memory for it", "a limit may be in the way (ulimit -v)");
        size_ *= 2;
        arena_ = new (memory) Arena{};
    }
    SharedArena(SharedArena const&) = delete;
    SharedArena& operator=(SharedArena const&) = delete;
    ~SharedArena() { ::munmap(arena_, size_); }

    Arena* operator->() const { return arena_; }
    char* records() const { return reinterpret_cast<char*>(arena_) + sizeof(Arena); }
    std::size_t capacity() const { return size_ - sizeof(Arena); }

  private:
    std::size_t size_ = arena_bytes;
    Arena* arena_;
};

/// DDDD:BB:DD.F, as the directory of a PCI device is named.
bool names_pci_device(std::string_view name) {
    auto const size = name.size();
    return size >= 12 && name[size - 2] == '.' && name[size - 5] == ':' && name[size - 8] == ':';
}

/// The part of a path whose other files share its fate when the kernel does not answer: the
/// directory of the innermost PCI device.
std::string fate_of(std::string const& path) {
    for (auto end = path.size(); end != std::string::npos && end > 0;) {
        auto const slash = path.rfind('/', end - 1);
        if (slash == std::string::npos) break;
        if (names_pci_device(std::string_view(path).substr(slash + 1, end - slash - 1)))
            return path.substr(0, end);
        end = slash;
    }
    return path;
}

/// A directory's end at "/", so that 0000:03:00.1 and /proc/12 do not stand for 0000:03:00.10 and
/// /proc/123.
bool is_below(std::string_view path, std::string_view top) {
    return path.starts_with(top) && (path.size() == top.size() || path[top.size()] == '/');
}

/// A reply in the arena, with the path it belongs to and the place of the next one.
struct Recorded {
    Record head;
    char const* path;
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

/// The record at `at`; nothing if no whole one ends before `end`.
std::optional<Recorded> recorded_at(SharedArena const& arena, std::size_t at, std::size_t end) {
    Recorded recorded{};
    if (end - at < sizeof(Record)) return std::nullopt;
    std::memcpy(&recorded.head, arena.records() + at, sizeof(Record));
    auto const& head = recorded.head;
    if (head.operation > Operation::call || head.reason > Missing::denied) return std::nullopt;
    auto const size = std::size_t{head.path_size} + head.text_size;
    if (end - at - sizeof(Record) < size) return std::nullopt;
    recorded.path = arena.records() + at + sizeof(Record);
    recorded.next = at + sizeof(Record) + size;
    return recorded;
}

/// The child's view: known replies first, then the machine, with each query announced before it is
/// asked so that the parent knows what a stuck child is stuck on.
class RecordingSource : public HostSource {
  public:
    RecordingSource(HostSource& source, QueryLog const& known,
                    std::vector<std::string> const& wedged, SharedArena const& arena)
        : source_(source), known_(known), wedged_(wedged), arena_(arena) {}

    Reply ask(Query const& query) override {
        if (auto const* reply = known_.find(query)) return *reply;
        if (auto const fresh = fresh_.find(query); fresh != fresh_.end())
            return recorded_at(arena_, fresh->second, arena_.capacity())->reply();
        // The kernel takes no longer path either, and the parent must be able to read it.
        bool const too_long = query.path.size() > pending_path_bytes;
        if (!too_long) announce(query);
        auto reply = too_long                ? failure(ENAMETOOLONG)
                     : is_wedged(query.path) ? unanswered()
                                             : source_.ask(query);
        auto const at = commit(query, reply);
        fresh_.emplace(recorded_at(arena_, at, arena_.capacity())->query(), at);
        return reply;
    }
    std::optional<std::string> environment() override { return source_.environment(); }
    std::string label() const override { return source_.label(); }

  private:
    bool is_wedged(std::string_view path) const {
        for (auto const& prefix : wedged_)
            if (is_below(path, prefix)) return true;
        return false;
    }

    void announce(Query const& query) {
        arena_->pending_operation = query.operation;
        arena_->pending_size = static_cast<std::uint32_t>(query.path.size());
        std::memcpy(arena_->pending_path, query.path.data(), arena_->pending_size);
        arena_->asked.fetch_add(1, std::memory_order_release);
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
        std::size_t const start = arena_->committed.load(std::memory_order_relaxed);
        auto at = start;
        if (at + sizeof record + query.path.size() + reply.text.size() > arena_.capacity())
            ::_exit(1);
        auto const put = [&](void const* bytes, std::size_t size) {
            std::memcpy(arena_.records() + at, bytes, size);
            at += size;
        };
        put(&record, sizeof record);
        put(query.path.data(), query.path.size());
        put(reply.text.data(), reply.text.size());
        arena_->committed.store(at, std::memory_order_release);
        arena_->answered.store(arena_->asked.load(std::memory_order_relaxed),
                               std::memory_order_release);
        return start;
    }

    HostSource& source_;
    QueryLog const& known_;
    std::vector<std::string> const& wedged_;
    SharedArena const& arena_;
    /// What this child has asked, by its place in the arena: the replies stand there already.
    std::unordered_map<Query, std::size_t, QueryHash, QueryEqual> fresh_;
};

/// What a stuck child was asking for.
std::string pending_path(SharedArena const& arena) {
    return {arena->pending_path, std::min<std::size_t>(arena->pending_size, pending_path_bytes)};
}

/// The numbers of this process's open files; all that there may be where /proc does not tell.
std::vector<int> open_files() {
    std::vector<int> numbers;
    std::error_code error;
    for (std::filesystem::directory_iterator file("/proc/self/fd", error), end; file != end;
         file.increment(error))
        if (auto const number = to_unsigned(file->path().filename().string(), 10))
            numbers.push_back(static_cast<int>(*number));
    constexpr int highest = 1024;
    if (numbers.empty())
        for (int number = 0; number < highest; ++number) numbers.push_back(number);
    return numbers;
}

/// The child must not keep our files open: a consumer of our output would wait for it to end, and
/// a child stuck in the kernel never ends.
void drop_inherited_files() {
    int const null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    for (int fd = 0; fd < 3; ++fd)
        if (null < 0 || ::dup2(null, fd) < 0) ::close(fd);
    // Every file of ours is closed on exec; one that is not came through ours from the shell.
    for (int const fd : open_files())
        if (int const flags = ::fcntl(fd, F_GETFD);
            fd > 2 && flags >= 0 && (flags & FD_CLOEXEC) == 0)
            ::close(fd);
}

/// The write end of the pipe stays open until this process is gone: so the parent learns of it.
[[noreturn]] void be_the_child(pid_t parent, std::function<void()> const& work) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    drop_inherited_files();
    try {
        work();
    } catch (...) {
        ::_exit(1);  // the parent walks over the same answers and meets the same exception
    }
    ::_exit(0);
}

/// A child that the kernel does not let go of, and the path it is stuck on. Kept for the life of
/// the process: --watch must not lose one more process to the same device with every look.
struct LeftBehind {
    pid_t child;
    std::string fate;
};

std::vector<LeftBehind>& left_behind() {
    static std::vector<LeftBehind> children;
    return children;
}

bool is_gone(pid_t child, int* status = nullptr) {
    auto const reaped = ::waitpid(child, status, WNOHANG);
    return reaped == child || (reaped < 0 && errno == ECHILD);
}

/// Ends the child and waits a moment for it; false if it is stuck in the kernel, where no signal
/// reaches it.
bool end_child(pid_t child, bool by_itself, int& status) {
    constexpr int patience_ms = 200;
    if (!by_itself) ::kill(child, SIGKILL);
    for (int i = 0; i < patience_ms * 10; ++i) {
        if (is_gone(child, &status)) return true;
        timespec const moment{0, 100'000};
        ::nanosleep(&moment, nullptr);
    }
    return false;
}

/// What children of earlier runs are still stuck on.
std::vector<std::string> still_wedged() {
    auto& children = left_behind();
    std::erase_if(children, [](LeftBehind const& one) { return is_gone(one.child); });
    std::vector<std::string> fates;
    for (auto const& one : children)
        if (!one.fate.empty()) fates.push_back(one.fate);
    return fates;
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
    SharedArena arena = {};
    FileDescriptor alive = FileDescriptor();  ///< a byte for the mark; its end is the child's
    pid_t child = -1;
    std::size_t taken = 0;        ///< bytes of records that stand in the log
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
    auto pipe = open_reader_pipe();
    auto const parent = ::getpid();
    next->child = ::fork();
    if (next->child < 0) no_fork(errno);
    if (next->child == 0)
        be_the_child(parent, [&] {
            auto const pass_mark = [mark = pipe.write_end.get()] { (void)::write(mark, "", 1); };
            // Never destroyed: the child ends here, and its memory with it.
            walk_(*new RecordingSource(*source_, log_, wedged_, next->arena), pass_mark);
        });
    next->alive = std::move(pipe.read_end);
    next->look = Clock::now() + limits_.query;
    attempt_ = std::move(next);
}

int GuardedSource::fd() const {
    return is_over() ? -1 : attempt_->alive.get();
}

Clock::time_point GuardedSource::due() const {
    return is_over() ? Clock::time_point::max() : std::min(attempt_->look, deadline_);
}

/// The child's end closes its side of the pipe.
void GuardedSource::turn() {
    if (is_over()) return;
    pollfd alive{attempt_->alive.get(), POLLIN, 0};
    if (::poll(&alive, 1, 0) > 0) {
        char mark = 0;
        auto const got = ::read(alive.fd, &mark, 1);
        if (got < 0 && errno == EINTR) return;
        if (got <= 0) return end_attempt(End::finished);
        take_records();
        has_passed_mark_ = true;
    }
    auto const now = Clock::now();
    if (now >= deadline_) return end_attempt(End::out_of_time);
    if (now < attempt_->look) return;
    auto const& arena = attempt_->arena;
    auto const asked = arena->asked.load(std::memory_order_acquire);
    if (asked == attempt_->asked && arena->answered.load(std::memory_order_acquire) != asked)
        return end_attempt(End::stuck);
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

/// Takes over what the child has learnt. A child that went astray may have written anything: what
/// does not fit ends the list.
void GuardedSource::take_records() {
    auto const& arena = attempt_->arena;
    auto const end =
        std::min<std::size_t>(arena->committed.load(std::memory_order_acquire), arena.capacity());
    for (auto recorded = recorded_at(arena, attempt_->taken, end); recorded;
         recorded = recorded_at(arena, attempt_->taken, end)) {
        auto const query = recorded->query();
        log_.add(query.operation, std::string(query.path), recorded->reply());
        attempt_->taken = recorded->next;
    }
}

void GuardedSource::end_attempt(End end) {
    int status = 0;
    bool const gone = end_child(attempt_->child, end == End::finished, status);
    take_records();
    auto const ended = std::exchange(attempt_, nullptr);
    auto const& arena = ended->arena;
    std::string fate;
    if (end != End::finished && arena->asked != arena->answered) {
        auto const pending = pending_path(arena);
        // At the end of the time every query is cut off: that says nothing about this path.
        log_.add(std::min(arena->pending_operation, Operation::call), pending,
                 end == End::stuck ? unanswered() : unreached(Missing::timeout));
        fate = fate_of(pending);
        wedged_.push_back(fate);
    }
    if (!gone) left_behind().push_back({ended->child, fate});
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
