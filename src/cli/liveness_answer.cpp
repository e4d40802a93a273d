// SPDX-License-Identifier: MIT
#include "cli/liveness_answer.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/bounded_json.hpp"
#include "base/text.hpp"

namespace rocmtune {
namespace {

using nlohmann::json;

struct Answer {
    std::string step;  ///< the call that was begun last; empty: the runtime was not loaded
    json result;       ///< the last line that is no step: {"verified": ...}
};

Answer answer_in(WorkerOutcome const& outcome) {
    static constexpr std::array<char const*, 4> results{"verified", "wrong", "refused", "moved"};
    Answer answer;
    for (auto const& line : outcome.answer) {
        auto value = parse_bounded<json>(line);
        if (!value.is_object()) continue;
        if (auto const step = value.find("step"); step != value.end() && step->is_string())
            answer.step = printable(step->get<std::string>());
        bool const is_result = std::any_of(results.begin(), results.end(),
                                           [&](auto const* key) { return value.contains(key); });
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
    return fmt::format(
        "of 4096 bytes copied there and back {} are wrong: at {} 0x{:02x} instead of 0x{:02x}",
        number("bytes"), number("offset"), number("got"), number("expected"));
}

/// Of a worker that came to its end by itself.
Trial complete(Gpu const& gpu, Answer const& answer) {
    auto const& result = answer.result;
    if (result.contains("verified"))
        return trial_of(gpu, TrialEnd::verified, "4 KiB were copied there and back");
    if (result.contains("wrong") && result["wrong"].is_object())
        return trial_of(gpu, TrialEnd::wrong, wrong_text(result["wrong"]));
    if (result.contains("refused") && result["refused"].is_string())
        return trial_of(gpu, TrialEnd::refused, printable(result["refused"].get<std::string>()));
    if (result.contains("moved"))
        return trial_of(gpu, TrialEnd::not_known,
                        fmt::format("HIP device {} is another GPU now", gpu.hip_index.value_or(0)));
    return trial_of(gpu, TrialEnd::not_known, "the trial gave no result");
}

/// Of one that ended in a call, or before any. Only what happened in a call accuses the GPU.
Trial incomplete(Gpu const& gpu, WorkerOutcome const& outcome, Answer const& answer) {
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
