// SPDX-License-Identifier: MIT
// A report with several parts.
#include <algorithm>

#include <fmt/format.h>

#include "build_info.hpp"
#include "judge/rules/advise.hpp"
#include "judge/rules/settings.hpp"
#include "show/documents.hpp"
#include "show/findings.hpp"
#include "show/host_cells.hpp"
#include "show/html/parts.hpp"
#include "show/lint.hpp"

namespace rocmtune {
namespace {

/// What a reader wants to know before anything else.
void show_overview(Report const& report, Printer& out) {
    std::vector<Tile> tiles;
    auto const count = [](std::size_t value) { return fmt::format("{}", value); };
    if (report.host) {
        auto const gpus = report.host->gpus.size();
        tiles.push_back({count(gpus), gpus == 1 ? "GPU" : "GPUs"});
    }
    if (report.check)
        tiles.push_back({fmt::format("{} of {}", report.check->gpus_judged, report.check->gpus),
                         "GPUs judged"});
    auto const counts = counts_of(report.findings);
    for (auto const verdict : verdict_order) {
        auto const found = counts[static_cast<std::size_t>(verdict)];
        bool const always = verdict == Verdict::fail || verdict == Verdict::warn;
        std::string const word(word_of(verdict));
        if (report.host && (always || found > 0))
            tiles.push_back({count(found), word, found == 0 ? "" : word});
    }
    if (report.advice)
        tiles.push_back({count(report.advice->recommendations.size()), "settings advised"});
    if (!report.measurements.empty())
        tiles.push_back({count(report.measurements.size()), "figures"});
    out.section("overview", "Overview");
    out.tiles(tiles);
}

void show_errors(Report const& report, Printer& out) {
    for (auto const& error : report.errors)
        out.paragraph("not known: " + error.message, Emphasis::notable);
}

void show_host(Report const& report, Printer& out) {
    if (!report.host) return;
    auto const& host = *report.host;
    out.section("gpus", "GPUs and links");
    show_topology(host, out);
    out.table(gpu_table(host, out));
    std::vector<Line> lines;
    for (auto const& [label, line] : host_lines(host, report.gpus_left_out))
        lines.push_back({std::string(label), line});
    lines.push_back({"recorded", host.recorded.value_or("")});
    out.lines(lines, 0);
}

// ---- settings -----------------------------------------------------------------------------------

/// What the settings were chosen for: "balanced, workload none, framework auto".
std::string selection_text(Settings const& settings) {
    auto text = fmt::format("{}, workload {}, framework {}", settings.level, settings.workload,
                            settings.framework);
    if (!settings.rows.empty()) text += fmt::format(", GPUs {}", fmt::join(settings.rows, ", "));
    return text;
}

std::string nothing_advised(Advice const& advice) {
    return is_decided(advice) ? "nothing has to be set here beside the defaults"
                              : "nothing is to be set, but some could not be decided";
}

/// What a recommendation rests on.
std::vector<Line> reasons_of(Recommendation const& one) {
    std::vector<Line> lines;
    for (auto const& because : one.because)
        lines.push_back({because.subject + ' ' + because.field, because.value.value_or("not known"),
                         Emphasis::quiet});
    return lines;
}

void add_advice(Recommendation const& one, bool all, std::vector<Line>& lines) {
    lines.push_back({one.kind, fmt::format("{}={}", one.name, one.value)});
    lines.push_back({"", one.why, Emphasis::quiet});
    if (!all) return;
    for (auto const& reason : reasons_of(one))
        lines.push_back({"", reason.label + ": " + reason.text, Emphasis::quiet});
    for (auto const& source : one.sources)
        lines.push_back(
            {"", source_text(source) + (source.url ? ' ' + *source.url : ""), Emphasis::quiet});
}

void show_advice_lines(Advice const& advice, Printer& out) {
    std::vector<Line> lines;
    for (auto const& one : advice.recommendations) add_advice(one, out.is_verbose(), lines);
    if (advice.recommendations.empty()) lines.push_back({"none", nothing_advised(advice)});
    auto const open = advice.undecided.size();
    for (auto const& one : advice.undecided)
        if (out.is_verbose())
            lines.push_back({"open", fmt::format("{}: {}, {}", one.name, one.reason, one.detail)});
    if (open > 0 && !out.is_verbose())
        lines.push_back(
            {"open", fmt::format("{} could not be decided or were held back (-v)", open)});
    out.lines(lines, usual_label_width);
}

Notice notice_of(Recommendation const& one, bool is_page) {
    // The value of the others is the advice itself, a sentence.
    bool const is_setting = one.kind != "practice" && one.kind != "api";
    Notice notice{.badge = one.kind,
                  .codes = {is_setting ? fmt::format("{}={}", one.name, one.value) : one.name},
                  .about = is_setting ? "" : one.value,
                  .message = one.why,
                  .reasons = reasons_of(one),
                  .sources = one.sources};
    if (!is_page) return notice;
    notice.reasons.push_back({"validity", validity_text(one.validity)});
    notice.reasons.push_back({"confidence", one.confidence});
    if (one.verify_with && one.kind == "environment")
        notice.step = fmt::format("rocmtune verify --setting {}={} --benchmark {}", one.name,
                                  one.value, *one.verify_with);
    return notice;
}

void show_undecided(Advice const& advice, Printer& out) {
    if (advice.undecided.empty()) return;
    Table table{.columns = {{.heading = "name", .kind = CellKind::code},
                            {"reason"},
                            {.heading = "detail", .kind = CellKind::wide}},
                .caption = "Settings that were near to being advised"};
    for (auto const& one : advice.undecided)
        table.rows.push_back({one.name, one.reason, one.detail});
    out.fold("What was not decided, and why");
    out.table(std::move(table));
    out.end_fold();
}

void show_advice(Report const& report, Printer& out) {
    if (!report.advice) return;
    auto const& advice = *report.advice;
    auto const chosen = report.settings ? selection_text(*report.settings) : std::string();
    out.section("settings", chosen.empty() || out.is_page() ? "Settings"
                                                            : fmt::format("Settings ({})", chosen));
    if (out.is_text()) return show_advice_lines(advice, out);
    if (!chosen.empty() && out.is_page()) out.paragraph("Chosen for: " + chosen + '.');
    if (advice.recommendations.empty()) out.paragraph(nothing_advised(advice), Emphasis::good);
    Notices notices{.headings = {"kind", "name", "value", "why", "proof", "because", "sources"},
                    .step_label = "Proof"};
    for (auto const& one : advice.recommendations)
        notices.all.push_back(notice_of(one, out.is_page()));
    out.notices(notices);
    if (out.is_page()) show_undecided(advice, out);
}

// ---- findings -----------------------------------------------------------------------------------

void show_results(Report const& report, Printer& out) {
    if (!report.host) return;
    auto const findings = findings_about(false, report.findings);
    out.section("findings", !out.is_text() ? "Findings" : report.check ? "Checks" : "Device map");
    show_findings(findings, report.host->gpus.size(), out);
    if (out.is_text())
        out.note(findings.empty() ? "no source disagrees" : counts_text(counts_of(findings)));
    else if (findings.empty() && !out.is_page()) out.note("nothing was judged");
}

/// Why the environment was not judged although it was asked for; empty if it was.
std::string why_not_linted(Report const& report) {
    if (!has_part(report, "lint") || report.lint || !report.host || report.host->environment)
        return {};
    return fmt::format("the environment was not judged: {}",
                       missing_name(report.host->environment.reason()));
}

void show_environment(Report const& report, Printer& out) {
    auto const why = why_not_linted(report);
    if (why.empty() && !report.lint) return;
    out.section("environment", "Environment");
    if (!report.lint) return out.note(why);
    Report part;
    part.lint = report.lint;
    part.findings = findings_about(true, report.findings);
    if (out.is_text()) return out.verbatim(lint_text(part, out.style()));
    out.paragraph(lint_counts(part));
    show_settings(part.findings, out);
}

// ---- the whole ----------------------------------------------------------------------------------

/// Facts alone: the other parts have sections of their own, and every dispute is a finding.
void show_facts_alone(Report const& report, Printer& out) {
    Report facts;
    facts.command = report.command;
    facts.parts = report.parts;
    facts.host = report.host;
    facts.gpus_left_out = report.gpus_left_out;
    show_summary(facts, out);
}

/// What other commands answered, of documents that were put together.
void show_answers(Report const& report, Printer& out) {
    if (report.diagnosis) {
        out.section("diagnosis", "Diagnosis");
        out.paragraph(report.diagnosis->summary);
        show_diagnosis_parts(*report.diagnosis, out);
    }
    if (report.builds) show_builds_parts(*report.builds, out);
    if (report.tuning) show_tuning_parts(*report.tuning, out);
}

void show_screen(Report const& report, Printer& out) {
    if (out.is_verbose()) show_details(report, out);
    else show_facts_alone(report, out);
    show_advice(report, out);
    if (!out.is_verbose()) show_results(report, out);
    show_environment(report, out);
    if (!report.measurements.empty()) {
        out.section("figures", "Measurements");
        show_measurements(report, out);
    }
    show_answers(report, out);
    show_errors(report, out);
}

void show_pages(Report const& report, Printer& out) {
    show_overview(report, out);
    show_errors(report, out);
    show_results(report, out);
    show_host(report, out);
    show_environment(report, out);
    show_advice(report, out);
    show_answers(report, out);
    out.section("figures", "Measurements");
    if (!out.is_page() && !report.measurements.empty()) show_measurements(report, out);
    if (!out.is_page()) return;
    show_figures(report, out);
    out.section("peers", "Between GPUs");
    show_peers(report, out);
    out.section("profile", "Volume profile");
    show_profiles(report, out);
    out.section("facts", "All facts");
    show_facts(report, out);
}

}  // namespace

bool has_part(Report const& report, std::string_view part) {
    return std::ranges::find(report.parts, part) != report.parts.end();
}

void show_report(Report const& report, Printer& out) {
    if (out.is_text()) return show_screen(report, out);
    auto const name = report.host ? report.host->hostname.value_or("host without name")
                                  : std::string("measurements");
    out.title("rocmtune report: " + name,
              report.host ? host_title(*report.host, report.gpus_left_out) : "");
    show_pages(report, out);
}

}  // namespace rocmtune
