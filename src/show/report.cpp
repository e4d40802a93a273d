// SPDX-License-Identifier: MIT
// A report with several parts as text and as Markdown.
#include "show/report.hpp"

#include <fmt/format.h>

#include "judge/rules/advise.hpp"
#include "show/check.hpp"
#include "show/host_cells.hpp"
#include "show/layout.hpp"
#include "show/lint.hpp"
#include "show/markdown.hpp"
#include "show/measurements.hpp"
#include "show/report_tables.hpp"

namespace rocmtune {
namespace {

std::string heading(std::string_view text, TextStyle const& style) {
    return '\n' + emphasised(for_screen(text, style), Emphasis::heading, style) + '\n';
}

/// Facts alone: the other parts have sections of their own.
std::string facts_text(Report const& report, TextStyle const& style) {
    Report facts;
    facts.command = report.command;
    facts.parts = report.parts;
    facts.host = report.host;
    facts.gpus_left_out = report.gpus_left_out;
    // Every dispute is a finding below.
    facts.findings = {};
    return summary_text(facts, style);
}

/// What a recommendation rests on.
void add_reasons(Recommendation const& one, LabelledText& lines) {
    for (auto const& because : one.because)
        lines.add("",
                  fmt::format("{} {}: {}", because.subject, because.field,
                              because.value.value_or("not known")),
                  Emphasis::quiet);
    for (auto const& source : one.sources)
        lines.add("",
                  fmt::format("{}{}{}", source_text(source), source.url ? " " : "",
                              source.url.value_or("")),
                  Emphasis::quiet);
}

std::string advice_text(Report const& report, TextStyle const& style) {
    auto const what = report.settings
                          ? fmt::format("Settings ({})", selection_text(*report.settings))
                          : std::string("Settings");
    auto text = heading(what, style);
    bool const all = style.verbosity > 0;
    LabelledText lines(style, 11);
    for (auto const& one : report.advice->recommendations) {
        lines.add(one.kind, fmt::format("{}={}", one.name, one.value));
        lines.add("", one.why, Emphasis::quiet);
        if (all) add_reasons(one, lines);
    }
    if (report.advice->recommendations.empty())
        lines.add("none", is_decided(*report.advice)
                              ? "nothing has to be set here beside the defaults"
                              : "nothing is to be set, but some could not be decided");
    for (auto const& open : report.advice->undecided)
        if (all) lines.add("open", fmt::format("{}: {}, {}", open.name, open.reason, open.detail));
    if (auto const open = report.advice->undecided.size(); open > 0 && !all)
        lines.add("open", fmt::format("{} could not be decided or were held back (-v)", open));
    return text + lines.take();
}

std::string findings_text(Report const& report, TextStyle const& style) {
    auto const findings = findings_of(report, false);
    auto text = heading(report.check ? "Checks" : "Device map", style);
    text += results_text(findings, report.host ? report.host->gpus.size() : 0, style);
    auto const counts =
        findings.empty() ? std::string("no source disagrees") : verdict_counts(findings);
    for (auto const& line : wrapped(counts, style.width - 1)) text += ' ' + line + '\n';
    return text;
}

std::string lint_part(Report const& report, TextStyle const& style) {
    Report part;
    part.lint = report.lint;
    part.findings = findings_of(report, true);
    return heading("Environment", style) + lint_text(part, style);
}

std::string title_of(Report const& report) {
    return report.host ? host_title(*report.host, report.gpus_left_out) : "measurements";
}

std::string section(std::string_view title, TextTable const& table) {
    auto const text = markdown_table(table.headings, table.rows);
    return text.empty() ? text : fmt::format("### {}\n\n{}", title, text);
}

std::string host_markdown(Host const& host, std::uint64_t left_out) {
    std::string text;
    for (auto const& [label, line] : host_lines(host, left_out))
        if (!line.empty()) text += fmt::format("- {}: {}\n", label, markdown_cell(line));
    if (host.recorded) text += fmt::format("- recorded: {}\n", markdown_cell(*host.recorded));
    return text + '\n';
}

}  // namespace

std::string report_text(Report const& report, TextStyle const& style) {
    bool const all = style.verbosity > 0;
    std::string text;
    if (report.host) text = all ? details_text(report, style) : facts_text(report, style);
    if (report.advice) text += advice_text(report, style);
    if (report.host && !all) text += findings_text(report, style);
    if (report.lint) text += lint_part(report, style);
    if (auto const why = why_not_linted(report); !why.empty())
        text += heading("Environment", style) + ' ' + why + '\n';
    if (!report.measurements.empty())
        text += heading("Measurements", style) + measurements_text(report, style);
    for (auto const& error : report.errors)
        for (auto const& line :
             wrapped(for_screen("not known: " + error.message, style), style.width))
            text += '\n' + emphasised(line, Emphasis::notable, style) + '\n';
    text += '\n';
    for (auto const& line : wrapped(for_screen(origin_text(report), style), style.width))
        text += emphasised(line, Emphasis::quiet, style) + '\n';
    return text;
}

std::string report_markdown(Report const& report, TextStyle const&) {
    auto text = fmt::format("## rocmtune report: {}\n\n", markdown_cell(title_of(report)));
    if (report.host) {
        text += fmt::format("{}\n\n", verdict_counts(report.findings));
        text += section("GPUs", gpu_table(*report.host)) +
                host_markdown(*report.host, report.gpus_left_out);
    }
    for (auto const& error : report.errors)
        text += fmt::format("**Not known:** {}\n\n", markdown_cell(error.message));
    if (auto const why = why_not_linted(report); !why.empty())
        text += fmt::format("**Not known:** {}\n\n", why);
    text += section("Findings", findings_table(report.findings, false));
    text += section("Environment", findings_table(report.findings, true));
    if (report.advice) text += section("Settings", advice_table(*report.advice));
    text += section("Measurements", measurements_table(report.measurements));
    return text + markdown_cell(origin_text(report)) + '\n';
}

}  // namespace rocmtune
