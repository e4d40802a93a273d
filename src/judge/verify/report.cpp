// SPDX-License-Identifier: MIT
#include "judge/verify/report.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "base/statistics.hpp"
#include "base/text.hpp"
#include "knowledge/chips.hpp"
#include "knowledge/findings.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune::verify {
namespace {

/// The finding that a verdict is.
struct Kind {
    SettingVerdict verdict;
    std::string_view id;
    Verdict weight;
};
constexpr std::array kinds{
    Kind{SettingVerdict::confirmed, "RT6001", Verdict::pass},
    Kind{SettingVerdict::no_effect, "RT6002", Verdict::info},
    Kind{SettingVerdict::harmful, "RT6003", Verdict::fail},
    Kind{SettingVerdict::inconclusive, "RT6004", Verdict::unknown},
    Kind{SettingVerdict::not_measurable, "RT6005", Verdict::skip},
};
constexpr Kind self_test_passed{SettingVerdict::no_effect, "RT6006", Verdict::pass};
constexpr Kind self_test_failed{SettingVerdict::harmful, "RT6007", Verdict::fail};

Kind kind_of(SettingVerdict verdict, bool self_test) {
    if (self_test && verdict == SettingVerdict::no_effect) return self_test_passed;
    bool const sure = verdict == SettingVerdict::confirmed || verdict == SettingVerdict::harmful;
    if (self_test && sure) return self_test_failed;
    return *std::ranges::find_if(kinds, [&](Kind const& kind) { return kind.verdict == verdict; });
}

/// "NAME=VALUE", "without NAME", "all settings together (A=1 B=2)".
std::string name_of(Candidate const& it) {
    if (it.together) return fmt::format("all together ({})", it.value.value_or(""));
    return it.value ? fmt::format("{}={}", it.name, *it.value) : "without " + it.name;
}

/// What the next step asks explain about, as a word of a shell: of several settings the first that
/// has a name.
std::string setting_of(Candidate const& it) {
    if (!it.together) return shell_word(it.name);
    for (auto const& change : it.changes)
        if (!change.name.starts_with(':')) return shell_word(change.name);
    return {};
}

std::string unseen_text(Candidate const& it, Subject const& subject) {
    return fmt::format("no reader of {} in {}; {}", it.name, subject.name,
                       subject.benchmark == "command"
                           ? "if the command reads it: --assume-read " + it.name
                           : std::string("use --command"));
}

std::string effect_text(Judgement const& it) {
    auto text = signed_percent(std::expm1(it.shift.estimate));
    if (it.shift.low)
        text += fmt::format(" ({} to {})", signed_percent(std::expm1(*it.shift.low)),
                            signed_percent(std::expm1(*it.shift.high)));
    return text;
}

std::string message_of(Trial const& trial, Subject const& subject) {
    auto const& it = trial.judgement;
    auto const name = name_of(trial.candidate);
    if (it.verdict == SettingVerdict::not_measurable)
        return fmt::format("{}: not measurable: {}", name, unseen_text(trial.candidate, subject));
    auto text = fmt::format("{}: {}", name, word_of(it.verdict));
    if (!trial.differences.empty()) text += ' ' + effect_text(it);
    text += " in " + subject.name;
    if (!it.reason.empty()) text += ": " + it.reason;
    bool const was_measured = !trial.baseline.empty() && !trial.with.empty();
    if (it.verdict == SettingVerdict::inconclusive && !trial.closed && was_measured)
        text += it.blocks_needed ? fmt::format("; about {} blocks would decide", *it.blocks_needed)
                                 : "; no number of blocks would decide";
    return text;
}

void add_evidence(ExperimentResult const& result, Trial const& trial, Finding& finding) {
    auto const add = [&](std::string_view source, std::string value) {
        finding.evidence.push_back({std::string(source), std::move(value)});
    };
    if (!trial.seen_reader.empty()) add("witness", trial.seen_reader);
    if (!trial.differences.empty()) {
        add("baseline",
            fmt::format("median {:.6g} {}", summarize(trial.baseline).median, result.unit));
        add("setting", fmt::format("median {:.6g} {}", summarize(trial.with).median, result.unit));
        add("blocks", fmt::format("{} of {}", trial.differences.size(), result.blocks));
        add("order", trial.orders);
        add("p", fmt::format("{:.3g}", trial.judgement.p));
    }
    if (trial.runs_failed > 0) add("failed runs", fmt::format("{}", trial.runs_failed));
    if (trial.repeated > 0) add("repeated blocks", fmt::format("{}", trial.repeated));
    if (trial.uneven > 0) add("blocks under uneven conditions", fmt::format("{}", trial.uneven));
}

Finding finding_of(ExperimentResult const& result, Trial const& trial, Subject const& subject) {
    auto const kind = kind_of(trial.judgement.verdict, subject.self_test);
    auto const* const known = find_finding_kind(kind.id);
    if (known == nullptr) throw std::logic_error("no finding " + std::string(kind.id));
    Finding finding{
        .id = std::string(kind.id),
        .verdict = kind.weight,
        .action = known->action,
        .subject = "host",
        .message = message_of(trial, subject),
        .next_step = filled_step(known->next_step, {.setting = setting_of(trial.candidate)})};
    for (auto const& source : known->sources) finding.sources.push_back(reference_of(source));
    add_evidence(result, trial, finding);
    auto const& it = trial.judgement;
    VerifiedSetting setting{.name = trial.candidate.name,
                            .value = trial.candidate.value,
                            .verdict = it.verdict,
                            .blocks_needed = it.blocks_needed};
    if (!trial.differences.empty()) setting.effect = std::expm1(it.shift.estimate);
    if (it.shift.low) {
        setting.low = std::expm1(*it.shift.low);
        setting.high = std::expm1(*it.shift.high);
    }
    finding.verified = std::move(setting);
    return finding;
}

Measurement arm_of(std::vector<double> const& samples, std::string label, Subject const& subject,
                   std::string const& unit) {
    auto one = subject.pattern;
    one.benchmark = subject.benchmark;
    one.metric = subject.metric;
    one.unit = unit;
    one.samples = samples;
    auto const summary = summarize(samples);
    one.value = summary.median;
    one.low = summary.low;
    one.high = summary.high;
    one.p10 = summary.p10;
    one.p90 = summary.p90;
    one.efficiency.reset();
    one.state_before.reset();
    one.state_after.reset();
    one.status = "ok";
    one.labels = {std::move(label)};
    return one;
}

/// A setting with which runs fail is a harmful one, a finding; a baseline that fails is no finding.
Exit exit_of(ExperimentResult const& result, Subject const& subject) {
    if (result.baseline_failed > 0) return Exit::findings;
    if (subject.findings_count && result.candidates_failed > 0) return Exit::findings;
    auto code = Exit::ok;
    for (auto const& trial : result.trials) {
        auto const weight = kind_of(trial.judgement.verdict, subject.self_test).weight;
        if (subject.findings_count && weight == Verdict::fail) code = graver(code, Exit::findings);
        if (weight == Verdict::unknown || weight == Verdict::skip)
            code = graver(code, Exit::undetermined);
    }
    return code;
}

/// Of several settings the widest interval counts: none of them would have shown less.
std::optional<double> smallest_of(ExperimentResult const& result, double margin) {
    std::optional<double> largest;
    for (auto const& trial : result.trials) {
        auto const one = smallest_effect(trial.judgement.shift, margin);
        if (one && (!largest || *one > *largest)) largest = one;
    }
    return largest;
}

VerifySummary summary_of(ExperimentResult const& result, Subject const& subject, double margin) {
    return {.benchmark = subject.benchmark,
            .metric = subject.metric,
            .unit = result.unit,
            .better = result.lower_is_better ? "lower" : "higher",
            .blocks = result.blocks,
            .self_test = subject.self_test,
            .smallest_effect = smallest_of(result, margin)};
}

void take_first(VerifySummary group, VerifySummary& all) {
    group.margin = all.margin;
    group.budget_seconds = all.budget_seconds;
    group.seed = all.seed;
    group.asserted = std::move(all.asserted);
    all = std::move(group);
}

/// Settings that need several benchmarks are measured group by group: what is said of all must hold
/// for each.
void add_group(VerifySummary const& group, VerifySummary& all) {
    all.benchmark += " and " + group.benchmark;
    all.metric += " and " + group.metric;
    if (all.unit != group.unit) all.unit.clear();
    if (all.better != group.better) all.better.clear();
    all.blocks = std::min(all.blocks, group.blocks);
    bool const both = all.smallest_effect && group.smallest_effect;
    all.smallest_effect =
        both ? std::optional(std::max(*all.smallest_effect, *group.smallest_effect)) : std::nullopt;
}

}  // namespace

void add_result(ExperimentResult const& result, Subject const& subject, Report& report) {
    for (auto const& trial : result.trials) {
        report.findings.push_back(finding_of(result, trial, subject));
        if (trial.differences.empty()) continue;
        report.measurements.push_back(arm_of(
            trial.baseline, "baseline of " + name_of(trial.candidate), subject, result.unit));
        report.measurements.push_back(
            arm_of(trial.with, name_of(trial.candidate), subject, result.unit));
    }
    auto& summary = report.verify ? *report.verify : report.verify.emplace();
    auto group = summary_of(result, subject, summary.margin);
    if (summary.benchmark.empty()) take_first(std::move(group), summary);
    else add_group(group, summary);
    report.exit_code = graver(report.exit_code, exit_of(result, subject));
}

}  // namespace rocmtune::verify
