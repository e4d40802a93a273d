// SPDX-License-Identifier: MIT
#include "machine/worker_process.hpp"

#include <algorithm>
#include <cerrno>
#include <vector>

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/reader_process.hpp"

namespace rocmtune {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_evidence_bytes = 4096;
/// The largest pipe of an unprivileged process (/proc/sys/fs/pipe-max-size): all that a process can
/// have left in one. More comes from somebody else who still writes.
constexpr std::size_t most_pipe_bytes = std::size_t{1} << 20;
constexpr std::size_t chunk_bytes = std::size_t{1} << 16;
/// How often to look for the end of a process without a pidfd.
constexpr auto without_pidfd = 5ms;

/// Gives what can be read at once to `take`; false if there was nothing. Closes a file at its end.
template <typename Take>
bool read_once(FileDescriptor& file, Take const& take) {
    if (!file) return false;
    char chunk[chunk_bytes];
    auto const got = ::read(file.get(), chunk, sizeof chunk);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    if (got <= 0) file = FileDescriptor();
    else take(std::string_view(chunk, static_cast<std::size_t>(got)));
    return got > 0;
}

void keep_the_end(std::string& evidence, std::string_view bytes) {
    bytes = bytes.substr(bytes.size() - std::min(bytes.size(), most_evidence_bytes));
    evidence += bytes;
    if (evidence.size() <= most_evidence_bytes) return;
    evidence.erase(0, evidence.size() - most_evidence_bytes);
    // Half of a word tells nobody anything: not that it is the rest of a secret, for instance.
    auto const word = evidence.find_first_of(" \n");
    if (word != std::string::npos) evidence.erase(0, word);
}

std::string printable_lines(std::string_view text) {
    std::string result;
    for (auto const line : lines(text)) result += printable(line) + '\n';
    return result;
}

std::string read_proc(pid_t pid, char const* file) {
    FileDescriptor const fd(
        ::open(fmt::format("/proc/{}/{}", pid, file).c_str(), O_RDONLY | O_CLOEXEC));
    char text[512];
    auto const got = fd ? ::read(fd.get(), text, sizeof text) : -1;
    return got > 0 ? std::string(text, static_cast<std::size_t>(got)) : std::string();
}

/// "state D, in amdgpu_device_reset". Both files are safe to read of a process that is stuck;
/// cmdline and environ, for instance, wait for its memory map (linux fs/proc/base.c).
std::string kernel_view(pid_t pid) {
    auto const stat = read_proc(pid, "stat");  // pid (name) state ...; a name may hold ")"
    auto const name_end = stat.rfind(") ");
    if (name_end == std::string::npos || name_end + 2 >= stat.size()) return {};
    auto const function = read_proc(pid, "wchan");  // "0": none, or not for us to know
    auto const where = function.empty() || function == "0" ? "" : ", in " + printable(function);
    return fmt::format("state {}{}", stat[name_end + 2], where);
}

/// Children that did not end in time. Kept for the life of this process: --watch must not collect
/// zombies.
std::vector<pid_t>& left_behind() {
    static std::vector<pid_t> children;
    return children;
}

}  // namespace

void reap_left_behind() {
    std::erase_if(left_behind(), [](pid_t child) { return has_ended(child); });
}

std::vector<pid_t> const& workers_left_behind() {
    return left_behind();
}

WorkerProcess::WorkerProcess(WorkerRequest const& request, Guests guests,
                             WorkerMachinery const& machinery)
    : request_(request),
      machinery_(machinery),
      started_(WorkerClock::now()),
      due_(request.held ? WorkerClock::time_point::max() : started_ + request.deadline),
      guests_due_(request.held || guests.empty() ? WorkerClock::time_point::max()
                                                 : started_ + request.deadline / 4),
      process_(spawn_worker(request, machinery, words_for_guests(guests))) {
    sections_.reserve(1 + guests.size());
    sections_.push_back({&request, {request.name, machinery.most_answer_bytes}});
    for (auto const* guest : guests)
        sections_.push_back({guest, {guest->name, machinery.most_answer_bytes}});
    over_ = process_.pid < 0;
    over_since_ = started_;
}

std::vector<std::string> WorkerProcess::words_for_guests(Guests guests) const {
    if (guests.empty() && !request_.held) return {};
    std::vector<std::string> words{then_word, request_.held ? held_word : until()};
    for (auto const* guest : guests) words.push_back(guest->name);
    return words;
}

/// When it is to begin with no more guests, in the words of the protocol.
std::string WorkerProcess::until() const {
    auto const time = std::chrono::floor<std::chrono::milliseconds>(guests_due_);
    return std::to_string(time.time_since_epoch().count());
}

void WorkerProcess::release() {
    auto const now = WorkerClock::now();
    bool const has_guests = sections_.size() > 1 && !has_all_answers();
    if (has_guests) guests_due_ = now + request_.deadline / 4;
    if (due_ == WorkerClock::time_point::max())
        due_ = next_cause_ == Cause::dismissed ? guests_due_ : now + request_.deadline;
    auto const text = until() + '\n';
    // One that has ended meanwhile is seen to have ended.
    (void)::send(process_.hold.get(), text.data(), text.size(), MSG_NOSIGNAL);
    process_.hold = FileDescriptor();
}

WorkerProcess::~WorkerProcess() {
    if (over_) return;
    signal_group(SIGKILL);
    // A zombie would be a child of whatever this program becomes (rocmtune run).
    int status = 0;
    if (!end_reader(process_.pid, false, status)) left_behind().push_back(process_.pid);
}

void WorkerProcess::fill(std::span<pollfd, poll_slots> slots) const {
    slots[0] = {process_.end.get(), POLLIN, 0};
    slots[1] = {process_.answer.get(), POLLIN, 0};
    slots[2] = {process_.output.get(), POLLIN, 0};
}

WorkerClock::time_point WorkerProcess::due() const {
    auto const due = gave_up_guests_ ? due_ : std::min(due_, guests_due_);
    return process_.end ? due : std::min(due, WorkerClock::now() + without_pidfd);
}

void WorkerProcess::turn() {
    // Asked before reading: what a process has written before its end is then in the pipes.
    bool const ended = has_ended();
    if (ended) signal_group(SIGKILL);
    std::size_t turns = ended ? most_pipe_bytes / chunk_bytes : 1;
    for (bool more = true; more && turns > 0; --turns) {
        bool const answered = read_answer();
        more = read_output() || answered;
    }
    if (ended) return reap();
    if (auto const now = WorkerClock::now(); now >= guests_due_) give_up_guests(now);
    do_what_is_due();
}

void WorkerProcess::interrupt(std::string_view by) {
    if (over_ || life_.cause != Cause::none) return;
    life_.interrupted_by = by;
    stop(Cause::interrupted);
}

bool WorkerProcess::read_answer() {
    bool const open = static_cast<bool>(process_.answer);
    bool const more = read_once(process_.answer, [&](auto bytes) { take_answer(bytes); });
    // A process that is ending closes its files before it is seen to have ended.
    if (open && !process_.answer && !has_all_answers())
        stop_by(Cause::closed_answer, std::min(due_, WorkerClock::now() + machinery_.grace));
    return more;
}

bool WorkerProcess::read_output() {
    return read_once(process_.output, [&](auto bytes) { keep_the_end(evidence_, bytes); });
}

void WorkerProcess::take_answer(std::string_view bytes) {
    auto const now = WorkerClock::now();
    bool const has_ended = has_all_answers() || is_broken();
    if (!has_ended) bytes = take_sections(bytes, now);
    pass_on_lines();
    // It has begun with a guest although its time for guests was over.
    if (gave_up_guests_ && has_own_answer() && !bytes.empty()) return dismiss(now);
    if (has_ended) return;
    if (is_broken()) stop_by(Cause::broken_answer, now);
    if (has_all_answers()) stop_by(Cause::lingering, now + machinery_.grace);
}

/// Returns what follows the last one.
std::string_view WorkerProcess::take_sections(std::string_view bytes, WorkerClock::time_point now) {
    while (!bytes.empty() && !has_all_answers()) {
        bytes = sections_[open_].answer.add(bytes);
        if (sections_[open_].answer.is_complete()) end_section(now);
    }
    return bytes;
}

void WorkerProcess::end_section(WorkerClock::time_point now) {
    sections_[open_].end = now;
    ++open_;
    // A worker that has failed does not go on with guests.
    if (!sections_[0].answer.is_good()) drop_guests();
    if (has_all_answers()) return;
    // Its own deadline is kept. Those that are still to come have another.
    stop_by(Cause::dismissed, guests_due_);
}

void WorkerProcess::give_up_guests(WorkerClock::time_point now) {
    if (gave_up_guests_ || has_all_answers()) return;
    drop_guests();
    if (has_own_answer()) dismiss(now);
}

/// Those without an answer.
void WorkerProcess::drop_guests() {
    gave_up_guests_ = true;
    while (sections_.size() > std::max<std::size_t>(open_, 1)) sections_.pop_back();
}

void WorkerProcess::dismiss(WorkerClock::time_point now) {
    ends_in_guest_ = true;
    stop_by(Cause::dismissed, now);
}

void WorkerProcess::pass_on_lines() {
    auto const& lines = sections_[0].answer.lines();
    if (!request_.heard || passed_on_ == lines.size()) return;
    while (passed_on_ < lines.size()) request_.heard(lines[passed_on_++]);
    if (next_cause_ == Cause::deadline && life_.cause == Cause::none) due_ = next_deadline();
}

/// A worker that always has something to say must come to an end, too.
WorkerClock::time_point WorkerProcess::next_deadline() const {
    auto const silent = WorkerClock::now() + request_.deadline;
    bool const limited = request_.lifetime > request_.lifetime.zero();
    return limited ? std::min(silent, started_ + request_.lifetime) : silent;
}

/// Leaves it a zombie: its number, which is that of its group, is not given to others yet.
bool WorkerProcess::has_ended() const {
    siginfo_t info{};
    auto const id = static_cast<id_t>(process_.pid);
    if (::waitid(P_PID, id, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return errno == ECHILD;
    return info.si_pid == process_.pid;
}

void WorkerProcess::reap() {
    auto const reaped = ::waitpid(process_.pid, &life_.wait_status, WNOHANG);
    life_.reaped = reaped == process_.pid;
    life_.lost = reaped < 0;
    over_ = true;
    over_since_ = WorkerClock::now();
}

void WorkerProcess::do_what_is_due() {
    if (WorkerClock::now() < due_) return;
    if (life_.sent_signal == SIGKILL) return leave_behind();
    if (life_.sent_signal == 0) return stop(next_cause_);
    signal_group(SIGKILL);
    life_.sent_signal = SIGKILL;
    due_ = WorkerClock::now() + machinery_.patience;
}

void WorkerProcess::stop_by(Cause cause, WorkerClock::time_point when) {
    if (life_.cause != Cause::none) return;
    next_cause_ = cause;
    due_ = when;
}

void WorkerProcess::stop(Cause cause) {
    life_.stuck_in = kernel_view(process_.pid);
    life_.cause = cause;
    signal_group(SIGTERM);
    signal_group(SIGCONT);  // a stopped process takes no SIGTERM
    life_.sent_signal = SIGTERM;
    due_ = WorkerClock::now() + machinery_.grace;
}

void WorkerProcess::leave_behind() {
    life_.stuck_in = kernel_view(process_.pid);
    left_behind().push_back(process_.pid);
    over_ = true;
    over_since_ = WorkerClock::now();
}

/// All that it has started, as long as that did not leave the group.
void WorkerProcess::signal_group(int signal) const {
    machinery_.send_signal(-process_.pid, signal);
}

bool WorkerProcess::has_answered_for(std::size_t guest) const {
    return guest + 1 < sections_.size() && sections_[guest + 1].answer.is_good();
}

WorkerOutcome WorkerProcess::outcome() {
    return outcome_at(0);
}

WorkerOutcome WorkerProcess::outcome_of(std::size_t guest) {
    return outcome_at(guest + 1);
}

WorkerOutcome WorkerProcess::outcome_at(std::size_t at) {
    auto& section = sections_[at];
    WorkerOutcome outcome;
    outcome.name = section.request->name;
    outcome.detail = process_.why_not;
    if (process_.pid < 0) return outcome;
    bool const is_open = at == open_;
    bool const ends_well = has_all_answers() && !ends_in_guest_;
    auto const start = at == 0 ? started_ : sections_[at - 1].end;
    auto const end = is_open || sections_.size() == 1 ? over_since_ : section.end;
    outcome.took = std::chrono::duration_cast<std::chrono::milliseconds>(end - start);
    outcome.evidence = printable_lines(evidence_);
    // What became of the process behind an answer is told of those that were in it to the end.
    WorkerLife left;
    left.reaped = true;
    judge_worker(section.answer, is_open || ends_well ? life_ : left, *section.request, outcome);
    outcome.answer = section.answer.take_lines();
    return outcome;
}

}  // namespace rocmtune
