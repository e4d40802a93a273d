// SPDX-License-Identifier: MIT
// rocmtune report: what the other commands say of a host, in one document.
#include <chrono>

#include "base/text.hpp"
#include "codec/read_report.hpp"
#include "commands/commands.hpp"
#include "judge/checks/checks.hpp"
#include "machine/held_signals.hpp"
#include "measure/check_host.hpp"
#include "measure/input_files.hpp"
#include "rocmtune/error.hpp"
#include "show/documents.hpp"

namespace rocmtune {
namespace {

using Clock = std::chrono::steady_clock;

void add_check(ReportCommand const& options, ChipSet const& chips, Clock::time_point start,
               Report& report) {
    CheckSelection selection;
    selection.rows = options.host.rows_of(*report.host);
    report.findings = check_host(options.host, *report.host, chips, start, selection);
    auto const code = summarise(selection, options.fail_on, report);
    // A host without GPU is no fault of the host.
    if (code != Exit::no_device) report.exit_code = graver(report.exit_code, code);
}

/// An environment that a recording does not have leaves the part out; its fact says why. The host
/// is not in doubt for that, and neither is the exit code.
void add_lint(HostChoice const& choice, Report& report) {
    if (report.host->environment) lint_environment(choice, report);
}

/// A signal that waits ends this program when the scope of its HeldSignals does: before that, what
/// is known is printed.
void write_if_ended(std::string_view meaning, Output const& output, Report& report) {
    if (HeldSignals::waiting() && note_end_by_signal(meaning, report)) write_report(report, output);
}

/// What looking and judging found, before anything is measured.
void look(ReportCommand const& options, Report& report) {
    auto const start = Clock::now();
    auto const catalogue = catalogue_for(options.host.data);
    auto const chips = chips_for(options.host.data, catalogue);
    // From here a signal ends the workers at once; what is known is printed.
    HeldSignals const signals;
    bool const checks = has_part(report, "check");
    report.host = read_host(options.host, checks ? needs_of_check(options.host, CheckLevel::quick)
                                                 : HostNeeds{.log = KernelLog::ring_and_journal});
    if (checks) add_check(options, chips, start, report);
    else report.findings = judge_device_map(*report.host);
    if (has_part(report, "env"))
        fill_advice(options.host, options.advice, {}, catalogue, chips, false, report);
    if (has_part(report, "lint")) add_lint(options.host, report);
    if (fails(report.findings, options.fail_on))
        report.exit_code = graver(report.exit_code, Exit::findings);
    write_if_ended("what was not tried is unknown", options.output, report);
}

/// One device for each chosen GPU.
void measure(ReportCommand const& options, Report& report) {
    HeldSignals const signals;
    auto choice = options.benchmarks;
    for (auto const row : options.host.rows_of(*report.host))
        choice.devices.gpus.push_back(parse_gpu_selector(std::to_string(row)));
    report.measurements =
        run_benchmarks(choice, worker_options(choice), *report.host, Clock::now());
    report.exit_code = graver(report.exit_code, exit_of(report.measurements));
    write_if_ended("what was not measured has no figure", options.output, report);
}

Report report_of_host(ReportCommand const& options) {
    give_up_rights(options.output, options.host);
    Report report;
    report.command = "report";
    report.parts = options.parts;
    look(options, report);
    if (has_part(report, "bench")) measure(options, report);
    return report;
}

// ---- reports that are there ---------------------------------------------------------------------

Report read_whole(std::string const& path) {
    static OnlyDocumentHints const hints{
        .directory = "report takes files of one host; rocmtune fleet takes directories",
        .empty = "write one with rocmtune check --json -o FILE",
        .several = "report takes one of each; rocmtune fleet takes many"};
    Report report;
    read_only_document(path, hints,
                       [&](std::string const& text) { report = read_whole_report(text, path); });
    return report;
}

Report report_of_files(ReportCommand const& options) {
    give_up_rights(options.output, options.files);
    std::vector<Report> reports;
    auto code = Exit::ok;
    for (auto const& path : options.files) {
        reports.push_back(read_whole(path));
        // What could not be determined then is not known now; the rest is judged below.
        if (reports.back().exit_code == Exit::undetermined) code = graver(code, Exit::undetermined);
    }
    auto report = joined(std::move(reports));
    if (!report.measurements.empty()) code = graver(code, exit_of(report.measurements));
    if (fails(report.findings, options.fail_on)) code = graver(code, Exit::findings);
    report.exit_code = code;
    return report;
}

}  // namespace

Exit run_report(ReportCommand const& options) {
    auto report = options.files.empty() ? report_of_host(options) : report_of_files(options);
    report.command = "report";
    write_report(report, options.output);
    return report.exit_code;
}

}  // namespace rocmtune
