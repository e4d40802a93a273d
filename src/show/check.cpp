// SPDX-License-Identifier: MIT
// The results of a check for people, CI servers and monitoring.
#include <fmt/format.h>

#include "base/text.hpp"
#include "show/documents.hpp"
#include "show/findings.hpp"
#include "show/machine_formats.hpp"

namespace rocmtune {
namespace {

/// Escapes as the runner of GitHub Actions undoes them; a property must not hold its separators
/// either.
std::string escaped(std::string_view text, bool property) {
    auto const out = replaced(text, {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}});
    return property ? replaced(out, {{':', "%3A"}, {',', "%2C"}}) : out;
}

std::string line_of(Finding const& finding) {
    return printable(fmt::format("{} {} {}: {}", word_of(finding.verdict), finding.id,
                                 finding.subject, finding.message));
}

/// In the output of a monitoring plugin the bar starts the performance data.
std::string without_bars(std::string_view text) {
    return replaced(text, {{'|', "/"}});
}

/// Why it is not known whether the host is in order; empty if it is known.
std::string undetermined(Report const& report) {
    return report.exit_code == Exit::undetermined ? printable(report.check->undetermined)
                                                  : std::string();
}

/// At most `limit` bytes, never a part of a character.
std::string cut(std::string text, std::size_t limit) {
    if (text.size() <= limit) return text;
    auto end = limit - 2;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    return text.substr(0, end) + "..";
}

}  // namespace

std::string gpu_counts_text(CheckSummary const& check) {
    auto text = fmt::format("{} of {} judged", check.gpus_judged, counted(check.gpus, "GPU"));
    return check.gpus_exercised ? fmt::format("{}, {} exercised", text, *check.gpus_exercised)
                                : text;
}

std::string counts_text(CheckSummary const& check) {
    std::size_t all = 0;
    for (auto const count : check.counts) all += count;
    return fmt::format("{}: {}; {} (level {})", counted(all, "result"),
                       all == 0 ? "none" : counts_text(check.counts), gpu_counts_text(check),
                       check.level);
}

void show_check(Report const& report, Printer& out) {
    auto const& check = *report.check;
    auto const name = report.host ? report.host->hostname.value_or("") : "";
    auto const lead = check.gpus == 0 ? "No AMD GPU to check" : counted(check.gpus, "AMD GPU");
    out.title(name.empty() ? "rocmtune check" : "rocmtune check of " + name,
              name.empty() ? lead : lead + " on " + name);
    show_findings(report.findings, check.gpus, out);
    out.paragraph(counts_text(check));
}

std::string workflow_line(WorkflowCommand const& command) {
    auto const name = command.verdict == Verdict::fail || command.verdict == Verdict::timeout
                          ? "error"
                      : command.verdict == Verdict::warn ? "warning"
                                                         : "notice";
    auto const where = command.file.empty() ? std::string()
                                            : fmt::format("file={},line={},col={},",
                                                          escaped(printable(command.file), true),
                                                          command.line, command.column);
    auto text = printable(command.text);
    if (!command.step.empty()) text += "\ndo: " + printable(command.step);
    return fmt::format("::{} {}title={}::{}\n", name, where,
                       escaped(printable(command.title), true), escaped(text, false));
}

std::string check_github(Report const& report, TextStyle const&) {
    std::string text;
    auto const add = [&](Finding const& finding) {
        text += workflow_line({.verdict = finding.verdict,
                               .title = finding.id + ' ' + finding.subject,
                               .text = finding.message,
                               .step = finding.next_step});
    };
    for (auto const* finding : complaints_of(report.findings)) add(*finding);
    for (auto const& finding : report.findings)
        if (finding.verdict == Verdict::info) add(finding);
    for (auto const& unknown : unknowns_of(report.findings))
        text += workflow_line({.verdict = Verdict::unknown,
                               .title = joined(unknown.ids) + " unknown",
                               .text = unknown.first->message});
    return text + counts_text(*report.check) + '\n';
}

int nagios_code(Report const& report) {
    switch (report.exit_code) {
        case Exit::findings: return 2;
        case Exit::ok: break;
        case Exit::usage:
        case Exit::undetermined:
        case Exit::no_device:
        case Exit::internal: return 3;
    }
    // A signal ended the run before all was known.
    if (report.exit_code > Exit::internal) return 3;
    // With --fail-on never a fail is no alarm, and a warning then is none either.
    bool const warns = report.check && report.check->count(Verdict::warn) > 0 &&
                       report.check->count(Verdict::fail) == 0;
    return warns ? 1 : 0;
}

/// "STATE - text | performance data", more lines below (Monitoring Plugins Development Guidelines).
std::string check_nagios(Report const& report, TextStyle const&) {
    static constexpr std::string_view states[] = {"OK", "WARNING", "CRITICAL", "UNKNOWN"};
    auto const& check = *report.check;
    auto const found = complaints_of(report.findings);
    auto first = undetermined(report);
    bool const unsure = !first.empty();
    if (!unsure) first = found.empty() ? printable(counts_text(check)) : line_of(*found.front());
    if (!unsure && found.size() > 1) first += fmt::format(" (and {} more)", found.size() - 1);
    auto text = fmt::format(
        "ROCMTUNE {} - {} | fail={} warn={} unknown={} gpus={} gpus_judged={}{}\n",
        states[static_cast<std::size_t>(nagios_code(report))], without_bars(first),
        check.count(Verdict::fail), check.count(Verdict::warn), check.count(Verdict::unknown),
        check.gpus, check.gpus_judged,
        check.gpus_exercised ? fmt::format(" gpus_exercised={}", *check.gpus_exercised) : "");
    for (std::size_t i = unsure ? 0 : 1; i < found.size(); ++i)
        text += without_bars(line_of(*found[i])) + '\n';
    return text;
}

int npd_code(Report const& report) {
    if (report.exit_code == Exit::ok) return 0;
    return report.exit_code == Exit::findings ? 1 : 2;
}

/// The node problem detector cuts messages at 80 bytes unless told otherwise (max_output_length),
/// so the line says the worst finding first.
std::string check_npd(Report const& report, TextStyle const&) {
    constexpr std::size_t limit = 80;
    auto const& check = *report.check;
    auto const found = complaints_of(report.findings);
    auto text = undetermined(report);
    if (text.empty() && (found.empty() || report.exit_code == Exit::ok))
        text = fmt::format("{}, {} warn, {} unknown", gpu_counts_text(check),
                           check.count(Verdict::warn), check.count(Verdict::unknown));
    else if (text.empty())
        text = fmt::format("{} {}: {}", found.front()->id, found.front()->subject,
                           found.front()->message);
    return cut(printable(text), limit) + '\n';
}

}  // namespace rocmtune
