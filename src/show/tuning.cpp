// SPDX-License-Identifier: MIT
// What tune has found.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "show/documents.hpp"

namespace rocmtune {
namespace {

std::string candidate_text(TunedCandidate const& it) {
    return it.name == "launch" ? it.value : fmt::format("{}={}", it.name, it.value);
}

std::vector<std::string> row_of(TunedCandidate const& it) {
    auto const interval = it.low && it.high ? fmt::format("{} to {}", signed_percent(*it.low),
                                                          signed_percent(*it.high))
                                            : std::string("-");
    return {candidate_text(it), it.effect ? signed_percent(*it.effect) : "-", interval,
            std::string(word_of(it.verdict)), fmt::format("{}", it.runs)};
}

std::string answer_text(Tuning const& it) {
    switch (it.answer) {
        case TuningAnswer::winner:
            return fmt::format("{} better ({} to {}, 95 %), confirmed in {} blocks of fresh runs",
                               signed_percent(it.confirmed->effect).substr(1),
                               signed_percent(it.confirmed->low),
                               signed_percent(it.confirmed->high), it.confirmed->blocks);
        case TuningAnswer::nothing: return "nothing to win: " + it.reason;
        case TuningAnswer::not_decided: return "not decided: " + it.reason;
        case TuningAnswer::failed: return "the program fails: " + it.reason;
    }
    return {};
}

void show_winners(Tuning const& it, Printer& out) {
    std::string settings;
    for (auto const& one : it.candidates) {
        if (one.verdict != CandidateVerdict::winner) continue;
        if (one.name == "launch") out.note("start it with: " + one.value, Emphasis::good);
        else settings += (settings.empty() ? "" : " ") + one.name + '=' + shell_word(one.value);
    }
    if (!settings.empty()) out.note("set: " + settings, Emphasis::good);
}

/// Of a program that ran for a moment nothing was seen. Verbose, all that was.
void show_limits(Observation const& it, Printer& out) {
    constexpr std::uint64_t enough_looks = 5;
    if (it.samples < enough_looks) return;
    if (out.is_verbose()) return show_observation(it, out);
    auto const& first = it.limits.front();
    out.heading("What limits it");
    out.note(fmt::format("{}, {:.0f} % of the time: {}", word_of(first.kind), 100 * first.share,
                         first.says));
    out.apart();
}

std::string method_of(Tuning const& it) {
    auto text =
        fmt::format("{} runs in {:.0f} of {:.0f} s", it.runs, it.spent_seconds, it.budget_seconds);
    if (it.failed_runs > 0) text += fmt::format(", {} of them failed", it.failed_runs);
    if (it.noise) text += fmt::format("; single runs scatter by {:.2g} %", 100 * *it.noise);
    if (it.smallest_effect)
        text += fmt::format("; a candidate that alone gains {:.2g} % would have been seen",
                            100 * *it.smallest_effect);
    return text;
}

}  // namespace

void show_tuning(Report const& report, Printer& out) {
    auto const& it = *report.tuning;
    auto title = it.scope.program + ", " + it.metric;
    if (!it.unit.empty()) title += fmt::format(" ({}, {} is better)", it.unit, it.better);
    else if (!it.better.empty()) title += fmt::format(" ({} is better)", it.better);
    if (report.observation) show_limits(*report.observation, out);
    out.heading(title);
    Table table{.columns = {{.heading = "candidate", .may_shrink = true},
                            {"effect", true},
                            {.heading = "95 % interval", .right = true, .may_go = true},
                            {"verdict"},
                            {.heading = "runs", .right = true, .may_go = true}}};
    for (auto const& one : it.candidates)
        if (one.verdict != CandidateVerdict::left_out) table.rows.push_back(row_of(one));
    out.table(std::move(table));
    out.apart();
    for (auto const& one : it.candidates)
        if (!one.reason.empty() && (one.verdict != CandidateVerdict::left_out || out.is_verbose()))
            out.note(
                fmt::format("{}: {}: {}", candidate_text(one), word_of(one.verdict), one.reason));
    auto const left_out =
        std::ranges::count(it.candidates, CandidateVerdict::left_out, &TunedCandidate::verdict);
    if (left_out > 0 && !out.is_verbose())
        out.note(
            fmt::format("left out: {}, since nothing in this program reads them or there was "
                        "no time; -v names them, --assume-read NAME tries one all the same",
                        left_out));
    out.apart();
    out.paragraph(answer_text(it),
                  it.answer == TuningAnswer::winner ? Emphasis::good : Emphasis::notable);
    show_winners(it, out);
    if (it.answer == TuningAnswer::winner)
        out.note("effects in the table are of the search, and look better than they are");
    out.apart();
    out.note(method_of(it), Emphasis::quiet);
    out.note("results were compared: " + it.compared, Emphasis::quiet);
}

}  // namespace rocmtune
