// SPDX-License-Identifier: MIT
#include "machine/worker_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include <signal.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/processes.hpp"
#include "machine/trusted_library.hpp"

namespace rocmtune {
namespace {

using namespace std::chrono_literals;

/// The other end of `ours`. A socket, so that writing to a worker that is gone raises no signal.
FileDescriptor open_socket(FileDescriptor& ours) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return FileDescriptor();
    ours = above_standard(FileDescriptor(ends[0]));
    return above_standard(FileDescriptor(ends[1]));
}

bool is_loader_variable(std::string_view assignment) {
    constexpr std::array<std::string_view, 3> names{"LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT"};
    auto const name = assignment.substr(0, assignment.find('='));
    return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::size_t most_evidence_bytes = 4096;
/// How often to look for the end of a process without a pidfd.
constexpr auto without_pidfd = 5ms;

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

/// "state D, in amdgpu_device_reset". Both files are safe to read of a process that is stuck;
/// cmdline and environ, for instance, wait for its memory map (linux fs/proc/base.c).
std::string kernel_view(pid_t pid) {
    auto const process = process_of(std::to_string(pid));
    if (!process) return {};
    // "0": none, or not for us to know
    auto const function = start_of_file(fmt::format("/proc/{}/wchan", pid));
    auto const where = function.empty() || function == "0" ? "" : ", in " + printable(function);
    return fmt::format("state {}{}", process->state, where);
}

Child::Limits limits_of(WorkerMachinery const& machinery) {
    return {machinery.grace, machinery.patience, machinery.send_signal};
}

}  // namespace

WorkerProcess::WorkerProcess(WorkerRequest const& request, Guests guests,
                             WorkerMachinery const& machinery)
    : request_(request),
      machinery_(machinery),
      started_(WorkerClock::now()),
      guests_due_(request.held || guests.empty() ? WorkerClock::time_point::max()
                                                 : started_ + request.deadline / 4),
      child_(limits_of(machinery)) {
    if (!request.held) child_.due = started_ + request.deadline;
    why_not_ = start(words_for_guests(guests));
    sections_.reserve(1 + guests.size());
    sections_.push_back({&request, {request.name, machinery.most_answer_bytes}});
    for (auto const* guest : guests)
        sections_.push_back({guest, {guest->name, machinery.most_answer_bytes}});
    over_ = !child_.has_started();
    over_since_ = started_;
}

/// Why it was not started; empty if it was. Never throws for what the system refuses.
std::string WorkerProcess::start(std::span<std::string const> words_behind) {
    auto const refused = [](int error) { return "it could not be started: " + errno_text(error); };
    Pipe answer;
    Pipe output;
    if (!open_pipe(answer) || !open_pipe(output)) return refused(errno);
    auto const input = request_.held ? open_socket(hold_) : open_null();
    if (!input) return refused(errno);
    std::array const files{input.get(), output.write_end.get(), output.write_end.get(),
                           answer.write_end.get()};
    if (int const error = spawn(words_behind, files)) return refused(error);
    answer_ = std::move(answer.read_end);
    output_ = std::move(output.read_end);
    if (!machinery_.use_pidfd) child_.use_no_pidfd();
    return {};
}

/// 0 or an errno.
int WorkerProcess::spawn(std::span<std::string const> words_behind, std::span<int const> files) {
    std::vector<std::string> words{"rocmtune", "--internal-worker", request_.name};
    words.insert(words.end(), request_.arguments.begin(), request_.arguments.end());
    words.insert(words.end(), words_behind.begin(), words_behind.end());
    auto lines = changed_environment(environ, machinery_.changes);
    keep_trusted_search_path(lines);
    auto const environment =
        worker_environment(pointers_to(lines).data(), machinery_.drop_loader_variables);
    return child_.spawn(machinery_.program, {pointers_to(words), environment, files});
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
    child_.limits = limits_of(machinery_);
    if (child_.due == WorkerClock::time_point::max())
        child_.due = next_cause_ == Cause::dismissed ? guests_due_ : now + request_.deadline;
    auto const text = until() + '\n';
    // One that has ended meanwhile is seen to have ended.
    (void)::send(hold_.get(), text.data(), text.size(), MSG_NOSIGNAL);
    hold_ = FileDescriptor();
}

WorkerProcess::~WorkerProcess() {
    if (over_) return;
    child_.signal_group(SIGKILL);
    // A zombie would be a child of whatever this program becomes (rocmtune run).
    if (!end_child(child_.pid(), false)) leave_behind({child_.pid()});
}

void WorkerProcess::fill(std::span<pollfd, poll_slots> slots) const {
    slots[0] = {child_.end_fd(), POLLIN, 0};
    slots[1] = {answer_.get(), POLLIN, 0};
    slots[2] = {output_.get(), POLLIN, 0};
}

WorkerClock::time_point WorkerProcess::due() const {
    auto const due = gave_up_guests_ ? child_.due : std::min(child_.due, guests_due_);
    return child_.end_fd() >= 0 ? due : std::min(due, WorkerClock::now() + without_pidfd);
}

void WorkerProcess::turn() {
    // Asked before reading: what a process has written before its end is then in the pipes.
    bool const ended = child_.has_ended();
    if (ended) child_.signal_group(SIGKILL);
    int turns = ended ? turns_of_a_pipe : 1;
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
    bool const open = static_cast<bool>(answer_);
    bool const more = read_once(answer_, [&](auto bytes) { take_answer(bytes); });
    // A process that is ending closes its files before it is seen to have ended.
    if (open && !answer_ && !has_all_answers())
        stop_by(Cause::closed_answer, std::min(child_.due, WorkerClock::now() + machinery_.grace));
    return more;
}

bool WorkerProcess::read_output() {
    return read_once(output_, [&](auto bytes) { keep_the_end(evidence_, bytes); });
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
    if (next_cause_ == Cause::deadline && life_.cause == Cause::none) child_.due = next_deadline();
}

/// A worker that always has something to say must come to an end, too.
WorkerClock::time_point WorkerProcess::next_deadline() const {
    auto const silent = WorkerClock::now() + request_.deadline;
    bool const limited = request_.lifetime > request_.lifetime.zero();
    return limited ? std::min(silent, started_ + request_.lifetime) : silent;
}

void WorkerProcess::reap() {
    auto const reaped = ::waitpid(child_.pid(), &life_.wait_status, WNOHANG);
    life_.reaped = reaped == child_.pid();
    life_.lost = reaped < 0;
    be_over();
}

void WorkerProcess::be_over() {
    life_.sent_signal = child_.sent();
    over_ = true;
    over_since_ = WorkerClock::now();
}

void WorkerProcess::do_what_is_due() {
    if (WorkerClock::now() < child_.due) return;
    if (child_.sent() == 0) return stop(next_cause_);
    if (child_.press()) return;
    life_.stuck_in = kernel_view(child_.pid());
    leave_behind({child_.pid()});
    be_over();
}

void WorkerProcess::stop_by(Cause cause, WorkerClock::time_point when) {
    if (life_.cause != Cause::none) return;
    next_cause_ = cause;
    child_.due = when;
}

void WorkerProcess::stop(Cause cause) {
    life_.stuck_in = kernel_view(child_.pid());
    life_.cause = cause;
    child_.ask_to_end();
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
    outcome.detail = why_not_;
    if (!child_.has_started()) return outcome;
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

bool WorkerMachinery::is_secure_execution() {
    return ::getauxval(AT_SECURE) != 0;
}

std::vector<char*> worker_environment(char** environment, bool drop_loader_variables) {
    std::vector<char*> result;
    for (; environment != nullptr && *environment != nullptr; ++environment)
        if (!drop_loader_variables || !is_loader_variable(*environment))
            result.push_back(*environment);
    result.push_back(nullptr);
    return result;
}

}  // namespace rocmtune
