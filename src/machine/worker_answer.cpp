// SPDX-License-Identifier: MIT
#include "machine/worker_answer.hpp"

#include <algorithm>
#include <cstring>

#include <signal.h>
#include <sys/wait.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "codec/json_text.hpp"

namespace rocmtune {
namespace {

using nlohmann::json;

/// NUL is refused by itself: nlohmann's lexer takes it for the end of its input.
bool is_json_object(std::string_view line) {
    auto const text = trim(line);
    return text.starts_with('{') && text.find('\0') == std::string_view::npos &&
           !nests_deeper(text) && json::accept(text);
}

/// The object under `key`; null if there is none.
json child(std::string_view line, char const* key) {
    auto const whole = parse_bounded<json>(line);
    auto const found = whole.find(key);
    return found != whole.end() && found->is_object() ? *found : json();
}

}  // namespace

std::string_view WorkerAnswer::add(std::string_view bytes) {
    while (!complete_ && !is_broken() && !bytes.empty()) {
        auto const end = bytes.find('\n');
        auto const size = std::min(end, bytes.size());
        bytes_ += end == std::string_view::npos ? size : size + 1;
        if (bytes_ > most_bytes_) {
            fault_ = fmt::format("its answer is longer than {}", human_bytes(most_bytes_));
            return {};
        }
        partial_ += bytes.substr(0, size);
        if (end == std::string_view::npos) return {};
        take_line(partial_);
        partial_.clear();
        bytes.remove_prefix(size + 1);
    }
    return complete_ ? bytes : std::string_view();
}

std::string WorkerAnswer::what_is_missing() const {
    if (!partial_.empty()) return "its last line is not complete";
    return greeted_ ? "its answer has no end" : "it did not answer";
}

void WorkerAnswer::take_line(std::string_view line) {
    if (!is_json_object(line))
        return break_with("it answered with what is not a JSON object", line);
    if (!greeted_) return take_hello(line);
    if (line.starts_with(R"({"done")")) complete_ = true;
    else if (line.starts_with(R"({"failed")")) take_failed(line);
    else lines_.emplace_back(line);
}

void WorkerAnswer::take_hello(std::string_view line) {
    auto const hello = child(line, "hello");
    if (!hello.is_object()) return break_with("its answer does not begin with hello", line);
    auto const protocol = hello.find("protocol");
    if (protocol == hello.end() || *protocol != worker_protocol)
        return break_with(fmt::format("it does not speak protocol {}", worker_protocol), line);
    if (text_member(hello, "worker") != worker_) return break_with("another worker answered", line);
    greeted_ = true;
}

void WorkerAnswer::take_failed(std::string_view line) {
    auto const failed = child(line, "failed");
    auto const status = failed.is_object() ? text_member(failed, "status") : std::string();
    if (status != "absent" && status != "error")
        return break_with("it failed without saying how", line);
    status_ = status == "absent" ? WorkerStatus::absent : WorkerStatus::error;
    detail_ = printable(text_member(failed, "detail"));
    complete_ = true;
}

void WorkerAnswer::break_with(std::string_view reason, std::string_view line) {
    constexpr std::size_t shown = 60;  // enough to recognise what a library prints
    fault_ = fmt::format("{}: {}{}", reason, printable(line.substr(0, shown)),
                         line.size() > shown ? "..." : "");
}

// Each way in which a worker can end becomes exactly one status.

namespace {

using Cause = WorkerLife::Cause;

std::string in_brackets(std::string const& text) {
    return text.empty() ? text : " (" + text + ")";
}

std::string seconds(std::chrono::milliseconds time) {
    return fmt::format("{:g} s", static_cast<double>(time.count()) / 1000);
}

/// The signal that ended it and was not ours; 0 if there is none.
int foreign_signal(WorkerLife const& life) {
    if (!life.reaped || !WIFSIGNALED(life.wait_status)) return 0;
    auto const signal = WTERMSIG(life.wait_status);
    bool const ours = life.sent_signal != 0 && (signal == SIGTERM || signal == life.sent_signal);
    return ours ? 0 : signal;
}

std::string end_of(WorkerLife const& life) {
    if (life.lost) return "somebody else took its exit status";
    if (WIFSIGNALED(life.wait_status)) return "ended by " + signal_name(WTERMSIG(life.wait_status));
    return fmt::format("ended with exit code {}", WEXITSTATUS(life.wait_status));
}

std::string signal_detail(int signal) {
    auto const name = signal_name(signal);
    // Libraries do not send themselves SIGKILL: the kernel does, or an administrator.
    return signal == SIGKILL ? name + " from outside, perhaps because memory ran out" : name;
}

/// What happened after the answer's end: nothing, as a rule.
std::string after_answer(WorkerLife const& life) {
    if (!life.reaped && !life.lost)
        return "afterwards SIGKILL did not end it" + in_brackets(life.stuck_in);
    if (life.cause != Cause::none && foreign_signal(life) == 0)
        return "it did not end after its answer" + in_brackets(life.stuck_in);
    bool const clean =
        life.reaped && WIFEXITED(life.wait_status) && WEXITSTATUS(life.wait_status) == 0;
    return clean ? std::string() : "after its answer: " + end_of(life);
}

void judge_complete(WorkerAnswer const& answer, WorkerLife const& life, WorkerOutcome& outcome) {
    outcome.status = answer.status();
    outcome.detail = answer.detail();
    auto const after = after_answer(life);
    if (!outcome.detail.empty() && !after.empty()) outcome.detail += "; ";
    outcome.detail += after;
}

void judge_unkillable(WorkerRequest const& request, WorkerLife const& life,
                      WorkerOutcome& outcome) {
    outcome.status = WorkerStatus::unkillable;
    auto const what =
        life.cause == Cause::deadline
            ? fmt::format("no complete answer within {}, and ", seconds(request.deadline))
            : std::string();
    outcome.detail = what + "SIGKILL did not end it" + in_brackets(life.stuck_in);
}

void judge_timeout(WorkerRequest const& request, WorkerLife const& life, WorkerOutcome& outcome) {
    outcome.status = WorkerStatus::timeout;
    auto const in_all = request.lifetime > request.lifetime.zero()
                            ? fmt::format(" of silence or {} in all", seconds(request.lifetime))
                            : std::string();
    outcome.detail = fmt::format("no complete answer within {}{}{}", seconds(request.deadline),
                                 in_all, in_brackets(life.stuck_in));
}

void judge_signal(int signal, WorkerOutcome& outcome) {
    outcome.status = WorkerStatus::signal;
    outcome.signal = signal;
    outcome.detail = signal_detail(signal);
}

void judge_error(WorkerAnswer const& answer, WorkerLife const& life, WorkerOutcome& outcome) {
    outcome.status = WorkerStatus::error;
    if (life.cause == Cause::interrupted)
        outcome.detail = "it was ended because this program got " + life.interrupted_by;
    else if (life.cause == Cause::closed_answer)
        outcome.detail = answer.what_is_missing() + ", but it closed it and went on";
    else outcome.detail = fmt::format("{}: {}", answer.what_is_missing(), end_of(life));
}

}  // namespace

void judge_worker(WorkerAnswer const& answer, WorkerLife const& life, WorkerRequest const& request,
                  WorkerOutcome& outcome) {
    if (answer.is_complete()) return judge_complete(answer, life, outcome);
    if (!life.reaped && !life.lost) return judge_unkillable(request, life, outcome);
    if (answer.is_broken()) {
        outcome.status = WorkerStatus::error;
        outcome.detail = answer.fault();
    } else if (life.cause == Cause::deadline) {
        judge_timeout(request, life, outcome);
    } else if (int const signal = foreign_signal(life)) {
        judge_signal(signal, outcome);
    } else {
        judge_error(answer, life, outcome);
    }
}

}  // namespace rocmtune
