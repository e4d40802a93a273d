// SPDX-License-Identifier: MIT
#include "machine/guard.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine/reader_process.hpp"
#include "machine/replies.hpp"

namespace rocmtune {
namespace {

using Clock = std::chrono::steady_clock;

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

/// What children of earlier runs are still stuck on.
std::vector<std::string> still_wedged() {
    auto& children = left_behind();
    std::erase_if(children, [](LeftBehind const& one) { return has_ended(one.child); });
    std::vector<std::string> fates;
    for (auto const& one : children)
        if (!one.fate.empty()) fates.push_back(one.fate);
    return fates;
}

constexpr int most_successors = 3;

}  // namespace

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
        auto const pass_mark = [pipe] { (void)::write(pipe, "", 1); };
        // Never destroyed: the child ends here, and its memory with it. An exception of the walk is
        // met again by the parent, who walks over the same answers.
        walk_(*next->log.writer(*source_, log_, wedged_).release(), pass_mark);
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
    bool const gone = end_reader(attempt_->child.pid, end != End::finished, status);
    auto const ended = std::exchange(attempt_, nullptr);
    ended->log.take_new(log_);
    std::string fate;
    if (end != End::finished && ended->log.is_waiting()) {
        auto const pending = ended->log.pending_path();
        // At the end of the time every query is cut off: that says nothing about this path.
        log_.add(ended->log.pending_operation(), pending,
                 end == End::stuck ? unanswered() : unreached(Missing::timeout));
        fate = fate_of(pending);
        wedged_.push_back(fate);
    }
    if (!gone) left_behind().push_back({ended->child.pid, fate});
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
