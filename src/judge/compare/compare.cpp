// SPDX-License-Identifier: MIT
#include "judge/compare/compare.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "knowledge/findings.hpp"

namespace rocmtune {
namespace {

ComparedReport summary_of(ReadReport const& report) {
    ComparedReport summary{.file = report.name,
                           .command = report.command,
                           .tool_version = report.tool_version,
                           .schema_version = report.schema_version,
                           .gpus = report.gpus.size(),
                           .measurements = report.measurements.size()};
    if (auto const name = report.host.text("hostname"); !name.empty()) summary.hostname = name;
    return summary;
}

std::optional<std::uint64_t> row_of(ReadFacts const& gpu) {
    auto const& row = gpu.at("row");
    auto const* number = std::get_if<std::uint64_t>(&row);
    return number != nullptr ? std::optional(*number) : std::nullopt;
}

GpuPair described(MatchedGpus const& match, ReadReport const& a, ReadReport const& b) {
    GpuPair pair{.matched_by = match.by};
    if (match.a) pair.a = subject_of(a.gpus[*match.a]), pair.row_a = row_of(a.gpus[*match.a]);
    if (match.b) pair.b = subject_of(b.gpus[*match.b]), pair.row_b = row_of(b.gpus[*match.b]);
    return pair;
}

// ---- findings -----------------------------------------------------------------------------------

/// From the mildest to the worst, for the several findings that one subject may have of one id.
constexpr std::string_view severity[] = {"",        "pass",    "skip", "info",
                                         "unknown", "timeout", "warn", "fail"};

std::ptrdiff_t rank_of(std::string_view verdict) {
    return std::ranges::find(severity, verdict) - std::begin(severity);
}

/// Nothing to tell about: not looked at, or in order.
bool is_quiet(std::string_view verdict) {
    return rank_of(verdict) <= rank_of("skip");
}

struct Judged {
    std::string verdict = {};
    std::string message = {};
};

using Key = std::pair<std::string, std::string>;  ///< id and subject

/// `names` translates the subjects.
std::map<Key, Judged> judged_of(ReadReport const& report,
                                std::map<std::string, std::string> const& names, bool all) {
    std::map<Key, Judged> result;
    for (auto const& finding : report.findings) {
        if (!all && !finding.id.starts_with("RT1")) continue;
        auto const name = names.find(finding.subject);
        auto& judged = result[{finding.id, name != names.end() ? name->second : finding.subject}];
        if (rank_of(finding.verdict) > rank_of(judged.verdict))
            judged = {finding.verdict, finding.message};
    }
    return result;
}

std::optional<std::string> unless_empty(std::string const& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

void compare_judged(std::map<Key, Judged> const& a, std::map<Key, Judged> const& b,
                    ReportComparison& comparison) {
    auto keys = a;
    keys.insert(b.begin(), b.end());
    static Judged const none;
    for (auto const& [key, unused] : keys) {
        auto const in_a = a.find(key);
        auto const in_b = b.find(key);
        auto const& x = in_a == a.end() ? none : in_a->second;
        auto const& y = in_b == b.end() ? none : in_b->second;
        if (x.verdict == y.verdict || (is_quiet(x.verdict) && is_quiet(y.verdict))) continue;
        comparison.findings.push_back({.id = key.first,
                                       .subject = key.second,
                                       .verdict_a = unless_empty(x.verdict),
                                       .verdict_b = unless_empty(y.verdict),
                                       .message = y.message.empty() ? x.message : y.message});
    }
}

/// Different commands look at different things: only what every command judges can be compared.
void compare_findings(ReadReport const& a, ReadReport const& b, ReportComparison& comparison) {
    bool const all = a.command == b.command;
    std::map<std::string, std::string> names;
    for (auto const& pair : comparison.gpus)
        if (pair.a && pair.b) names[*pair.b] = *pair.a;
    compare_judged(judged_of(a, {}, all), judged_of(b, names, all), comparison);
    if (!all && !(a.findings.empty() && b.findings.empty()))
        comparison.notes.push_back(
            fmt::format("A is a report of {}, B of {}: of the findings only RT1xxx are compared",
                        a.command.empty() ? "no command" : a.command,
                        b.command.empty() ? "no command" : b.command));
}

// ---- what asks for a step -----------------------------------------------------------------------

void judge_gpus(ReportComparison const& it, std::vector<Finding>& findings) {
    for (auto const& pair : it.gpus) {
        if (pair.a && pair.b) continue;
        bool const gone = pair.a.has_value();
        auto const verdict = gone && it.same_host ? Verdict::fail : Verdict::info;
        auto finding = make_finding("RT7001", verdict, gone ? *pair.a : *pair.b,
                                    gone ? "the GPU is in A only" : "the GPU is in B only");
        finding.evidence = {{"A", fmt::format("{} GPUs in {}", it.a.gpus, it.a.file)},
                            {"B", fmt::format("{} GPUs in {}", it.b.gpus, it.b.file)}};
        findings.push_back(std::move(finding));
    }
}

void judge_findings(ReportComparison const& it, std::vector<Finding>& findings) {
    for (auto const& change : it.findings) {
        auto const before = change.verdict_a.value_or("");
        auto const now = change.verdict_b.value_or("");
        if (rank_of(now) <= rank_of(before) || rank_of(now) < rank_of("warn")) continue;
        auto finding =
            make_finding("RT7002", now == "fail" ? Verdict::fail : Verdict::warn, change.subject,
                         fmt::format("{} {} in B, {} in A: {}", change.id, now,
                                     before.empty() ? "nothing" : before, change.message));
        finding.next_step = fmt::format("rocmtune explain {}", change.id);
        findings.push_back(std::move(finding));
    }
}

std::string figure(std::optional<double> const& value, std::string const& unit) {
    return value ? fmt::format("{:.4g} {}", *value, unit) : "no figure";
}

/// Figures of other sizes are figures of something else: worth a look, no regression.
bool same_sizes(ComparedMeasurement const& one) {
    return std::ranges::none_of(one.differs, [](std::string const& what) {
        return what.starts_with("bytes:") || what.starts_with("size:") ||
               what.starts_with("ticks:");
    });
}

void judge_measurements(ReportComparison const& it, std::vector<Finding>& findings) {
    for (auto const& one : it.measurements) {
        bool const slower = one.change == MeasuredChange::slower;
        if (!slower && one.change != MeasuredChange::broken) continue;
        auto const what = fmt::format("{} {}", one.benchmark, one.metric);
        auto const message =
            slower ? fmt::format("{} is slower: {} (95 % interval {} to {}, margin {:.3g} %)", what,
                                 signed_percent(*one.effect), signed_percent(*one.low),
                                 signed_percent(*one.high), 100 * it.margin)
                   : fmt::format("{} gave a figure in A and failed in B", what);
        auto finding =
            make_finding(slower ? "RT7003" : "RT7004",
                         same_sizes(one) ? Verdict::fail : Verdict::warn, one.device, message);
        finding.evidence = {{"A", figure(one.a, one.unit)}, {"B", figure(one.b, one.unit)}};
        for (auto const& differs : one.differs) finding.evidence.push_back({"differs", differs});
        for (auto const& label : one.labels) finding.evidence.push_back({"label", label});
        findings.push_back(std::move(finding));
    }
}

}  // namespace

ReportComparison compare_reports(ReadReport const& a, ReadReport const& b, double margin) {
    ReportComparison it{.a = summary_of(a), .b = summary_of(b), .margin = margin};
    auto const pairs = match_gpus(a.gpus, b.gpus);
    it.same_host = share_a_gpu(pairs) || (it.a.hostname && it.a.hostname == it.b.hostname);
    for (auto const& pair : pairs) it.gpus.push_back(described(pair, a, b));
    compare_facts(a, b, pairs, it);
    compare_findings(a, b, it);
    compare_measurements(a, b, pairs, it);
    return it;
}

std::vector<Finding> judge_comparison(ReportComparison const& comparison) {
    std::vector<Finding> findings;
    judge_gpus(comparison, findings);
    judge_findings(comparison, findings);
    judge_measurements(comparison, findings);
    return findings;
}

}  // namespace rocmtune
