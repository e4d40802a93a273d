// SPDX-License-Identifier: MIT
// What tune has found.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "show/documents.hpp"

namespace rocmtune {
namespace {

std::string candidate_text(TunedCandidate const& it) {
    std::vector<std::string> parts;
    for (auto const& [name, value] : it.settings)
        parts.push_back(name == launch_key ? value : fmt::format("{}={}", name, value));
    return joined(parts, " ");
}

std::vector<std::string> row_of(TunedCandidate const& it) {
    auto const interval = it.low && it.high ? fmt::format("{} to {}", signed_percent(*it.low),
                                                          signed_percent(*it.high))
                                            : std::string("-");
    return {candidate_text(it),
            it.effect ? signed_percent(*it.effect) : "-",
            interval,
            std::string(word_of(it.verdict)),
            std::string(word_of(it.origin)),
            fmt::format("{}", it.runs)};
}

std::string answer_text(Tuning const& it) {
    switch (it.answer) {
        case TuningAnswer::winner:
            return fmt::format("{} better ({} to {}, 95 %), confirmed in {} fresh runs with it",
                               signed_percent(it.winner->effect.value_or(0)).substr(1),
                               signed_percent(it.winner->low.value_or(0)),
                               signed_percent(it.winner->high.value_or(0)), it.winner->runs);
        case TuningAnswer::nothing: return "nothing to win: " + it.reason;
        case TuningAnswer::not_decided: return "not decided: " + it.reason;
        case TuningAnswer::failed: return "the program fails: " + it.reason;
        case TuningAnswer::observed: break;
    }
    return {};
}

void show_winner(TunedCandidate const& it, Printer& out) {
    std::string settings;
    for (auto const& [name, value] : it.settings)
        if (name == launch_key) out.note("start it with: " + value, Emphasis::good);
        else settings += (settings.empty() ? "" : " ") + name + '=' + shell_word(value);
    if (!settings.empty()) out.note("set: " + settings, Emphasis::good);
    out.note("the effects in the table are estimates of the search; this one was confirmed");
}

/// How many were left out for each reason. Of one alone its name.
void show_left_out(Tuning const& it, Printer& out) {
    NamesByReason reasons;
    for (auto const& one : it.left_out) add_name(reasons, one.reason, candidate_text(one));
    for (auto const& [reason, names] : reasons)
        out.note(names.size() == 1
                     ? fmt::format("left out: {}: {}", names.front(), reason)
                     : fmt::format("left out: {} (-v names them): {}", names.size(), reason));
}

void show_candidates(Tuning const& it, Printer& out) {
    Table table{.columns = {{.heading = "candidate", .may_shrink = true},
                            {"effect", true},
                            {.heading = "95 % interval", .right = true, .may_go = true},
                            {"verdict"},
                            {.heading = "from", .may_go = true},
                            {.heading = "runs", .right = true, .may_go = true}}};
    for (auto const& one : it.candidates) table.rows.push_back(row_of(one));
    out.table(std::move(table));
    out.apart();
    auto const say = [&](TunedCandidate const& one) {
        if (!one.reason.empty())
            out.note(
                fmt::format("{}: {}: {}", candidate_text(one), word_of(one.verdict), one.reason));
    };
    std::ranges::for_each(it.candidates, say);
    if (out.is_verbose()) std::ranges::for_each(it.left_out, say);
    else if (!it.left_out.empty() && it.answer != TuningAnswer::failed) show_left_out(it, out);
}

/// Verbose, all that was seen.
void show_limits(Observation const& it, Printer& out) {
    if (out.is_verbose() || out.is_page()) return show_observation(it, out);
    if (it.limits.empty()) return;
    auto const& first = it.limits.front();
    out.heading("What limits it");
    out.note(fmt::format("{}, {:.0f} % of the time: {}", word_of(first.kind), 100 * first.share,
                         first.says));
    out.apart();
}

std::string method_of(Tuning const& it) {
    auto text = fmt::format("{} in {:.0f} of {:.0f} s", counted(it.runs, "run"), it.seconds,
                            it.budget_seconds);
    if (it.failed_runs > 0) text += fmt::format(", {} of them failed", it.failed_runs);
    if (it.repeated_runs > 0)
        text += fmt::format(", {} repeated since others used processors or the machine slept",
                            it.repeated_runs);
    if (it.uneven_runs > 0) text += fmt::format(", {} more of these count", it.uneven_runs);
    if (it.baseline)
        text += fmt::format("; single runs scatter by {:.2g} %", 100 * it.baseline->noise);
    if (it.smallest_effect_seen && !it.winner)
        text += fmt::format("; a candidate that alone gains {:.2g} % would have been seen",
                            100 * *it.smallest_effect_seen);
    return text;
}

}  // namespace

void show_tuning(Report const& report, Printer& out) {
    auto const& it = *report.tuning;
    out.title("rocmtune tune", out.is_text() ? "" : it.scope.program);
    show_tuning_parts(it, out);
}

void show_tuning_parts(Tuning const& it, Printer& out) {
    if (it.answer == TuningAnswer::observed) return show_observation(*it.observation, out);
    if (it.observation) show_limits(*it.observation, out);
    auto title = it.scope.program + ", " + it.metric;
    if (!it.unit.empty()) title += fmt::format(" ({}, {} is better)", it.unit, it.better);
    else if (!it.better.empty()) title += fmt::format(" ({} is better)", it.better);
    out.section("tried", title);
    show_candidates(it, out);
    out.apart();
    out.paragraph(answer_text(it), it.winner ? Emphasis::good : Emphasis::notable);
    if (it.winner) show_winner(*it.winner, out);
    out.apart();
    out.note(method_of(it), Emphasis::quiet);
    out.note("results were compared: " + it.compared, Emphasis::quiet);
}

}  // namespace rocmtune
