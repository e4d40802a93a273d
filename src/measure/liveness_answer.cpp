// SPDX-License-Identifier: MIT
#include "measure/liveness_answer.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/bounded_json.hpp"
#include "base/text.hpp"
#include "bench/liveness.hpp"

namespace rocmtune {
namespace {

using nlohmann::json;

struct Answer {
    std::string step;     ///< the call that was begun last; empty: the runtime was not loaded
    bool copied = false;  ///< rightly
    json result;          ///< the last line that is no step: {"computed": ...}
};

Answer answer_in(WorkerOutcome const& outcome) {
    static constexpr std::array<char const*, 6> results{"copied",  "computed", "no_kernel",
                                                        "refused", "moved",    "wrong"};
    Answer answer;
    for (auto const& line : outcome.answer) {
        auto value = parse_bounded<json>(line);
        if (!value.is_object()) continue;
        if (auto const step = value.find("step"); step != value.end() && step->is_string())
            answer.step = printable(step->get<std::string>());
        bool const is_result = std::any_of(results.begin(), results.end(),
                                           [&](auto const* key) { return value.contains(key); });
        answer.copied = answer.copied || value.contains("copied");
        if (is_result) answer.result = std::move(value);
    }
    return answer;
}

std::string wrong_text(json const& wrong) {
    auto const number = [&](char const* key) {
        auto const found = wrong.find(key);
        bool const has = found != wrong.end() && found->is_number_unsigned();
        return has ? found->get<std::uint64_t>() : 0;
    };
    bool const computed = wrong.value("what", "") == "computed";
    return fmt::format("of {} bytes {} {} are wrong: at {} 0x{:02x} instead of 0x{:02x}",
                       number("of"),
                       computed ? "that a kernel was to write" : "copied there and back",
                       number("bytes"), number("offset"), number("got"), number("expected"));
}

constexpr std::string_view copied_text = "4 KiB were copied there and back";

Trial without_kernel(Gpu const& gpu, std::string_view reason) {
    return trial_of(gpu, TrialEnd::verified,
                    fmt::format("{}; no kernel was tried: {}", copied_text, reason));
}

/// The text of a line {"refused": TEXT}; empty if the answer ends with another.
std::string text_in(json const& result, char const* kind) {
    auto const found = result.find(kind);
    bool const has = found != result.end() && found->is_string();
    return has ? printable(found->get<std::string>()) : std::string();
}

/// Of a worker that came to its end by itself.
Trial complete(Gpu const& gpu, Answer const& answer) {
    auto const& result = answer.result;
    if (result.contains("computed"))
        return trial_of(gpu, TrialEnd::verified,
                        fmt::format("{}, and a kernel wrote 64 KiB", copied_text));
    if (result.contains("wrong") && result["wrong"].is_object())
        return trial_of(gpu, TrialEnd::wrong, wrong_text(result["wrong"]));
    if (auto const text = text_in(result, "refused"); !text.empty())
        return trial_of(gpu, TrialEnd::refused, text);
    if (auto const text = text_in(result, "no_kernel"); !text.empty())
        return without_kernel(gpu, text);
    if (result.contains("moved"))
        return trial_of(gpu, TrialEnd::not_known,
                        fmt::format("HIP device {} is another GPU now", gpu.hip_index.value_or(0)));
    return trial_of(gpu, TrialEnd::not_known, "the trial gave no result");
}

/// Then the GPU had copied rightly, and only the compiler or the loader of code was at work.
bool was_making_a_kernel(Answer const& answer) {
    return answer.copied && answer.step == bench::making_a_kernel;
}

/// Of one that ended in a call, or before any. Only what happened in a call accuses the GPU.
Trial incomplete(Gpu const& gpu, WorkerOutcome const& outcome, Answer const& answer) {
    if (was_making_a_kernel(answer))
        return without_kernel(gpu, fmt::format("{} while one was made", outcome.detail));
    auto const in = answer.step.empty() ? std::string("while HIP was loaded") : "in " + answer.step;
    auto const text = fmt::format("{}: {}", in, outcome.detail);
    bool const called = !answer.step.empty();
    switch (outcome.status) {
        case WorkerStatus::timeout: return trial_of(gpu, TrialEnd::late, "hung " + text);
        case WorkerStatus::unkillable: return trial_of(gpu, TrialEnd::unkillable, "stuck " + text);
        case WorkerStatus::signal:
            // The kernel kills what takes too much memory: no fault of the GPU.
            return trial_of(
                gpu, called && outcome.signal != SIGKILL ? TrialEnd::crashed : TrialEnd::not_known,
                "died " + text);
        case WorkerStatus::error:
            return trial_of(gpu, called ? TrialEnd::crashed : TrialEnd::not_known, "ended " + text);
        case WorkerStatus::absent:
        case WorkerStatus::ok: break;
    }
    return trial_of(gpu, TrialEnd::not_possible, outcome.detail);
}

}  // namespace

bool has_copied(WorkerOutcome const& outcome) {
    return answer_in(outcome).copied;
}

Trial trial_from(Gpu const& gpu, WorkerOutcome const& outcome) {
    auto const answer = answer_in(outcome);
    auto trial = outcome.status == WorkerStatus::ok ? complete(gpu, answer)
                                                    : incomplete(gpu, outcome, answer);
    trial.evidence.push_back(
        {fmt::format("liveness: HIP device {}", gpu.hip_index.value_or(0)),
         fmt::format("{} after {} ms", worker_status_name(outcome.status), outcome.took.count())});
    if (trial.end != TrialEnd::verified && !outcome.evidence.empty())
        trial.evidence.push_back({"liveness: printed", printable(outcome.evidence)});
    return trial;
}

}  // namespace rocmtune
