// SPDX-License-Identifier: MIT
// rocmtune report: what the other commands say of a host, in one document.
#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>

#include "base/exit_order.hpp"
#include "base/text.hpp"
#include "commands/advice.hpp"
#include "commands/bench_run.hpp"
#include "commands/commands.hpp"
#include "commands/fail_on.hpp"
#include "commands/host_lint.hpp"
#include "commands/only_document.hpp"
#include "commands/report_output.hpp"
#include "commands/signal_note.hpp"
#include "judge/checks/checks.hpp"
#include "machine/held_signals.hpp"
#include "measure/data_files.hpp"
#include "measure/host_check.hpp"
#include "measure/host_input.hpp"
#include "measure/selected_rows.hpp"
#include "reports/whole_report.hpp"
#include "show/documents.hpp"

namespace rocmtune {
namespace {

using Clock = std::chrono::steady_clock;

/// The order is that of the document.
constexpr std::array<std::string_view, 5> part_words{"probe", "env", "lint", "check", "bench"};

std::string_view part_of(std::string_view word) {
    auto const found = std::ranges::find(part_words, word);
    if (found != part_words.end()) return *found;
    auto const near = meant(word, part_words);
    throw Error(fmt::format("--parts knows no part '{}'", printable(word)),
                near ? fmt::format("did you mean '{}'?", *near)
                     : fmt::format("choose some of {}", fmt::join(part_words, ",")));
}

/// The facts of the host are always there: all else rests on them.
std::vector<std::string> parts_of(Arguments const& arguments) {
    auto const wanted = arguments.value("--parts").value_or("probe,env,lint,check");
    std::vector<std::string_view> asked{"probe"};
    for (auto const word : split(wanted, ',')) asked.push_back(part_of(trim(word)));
    std::vector<std::string> parts;
    for (auto const word : part_words)
        if (std::ranges::find(asked, word) != asked.end()) parts.emplace_back(word);
    return parts;
}

/// Options of a part that is not asked for would be passed over in silence.
void refuse_options_of_bench(Report const& report, Arguments const& arguments) {
    for (auto const* option : {"--time", "--quick"})
        if (arguments.has(option) && !has_part(report, "bench"))
            throw Error(fmt::format("{} belongs to the part bench", option),
                        "add --parts env,lint,check,bench");
}

// ---- looking at a host --------------------------------------------------------------------------

void refuse_measuring_recordings(Report const& report, Arguments const& arguments) {
    if (!has_part(report, "bench") || is_live(arguments)) return;
    throw Error("a recorded host cannot be measured",
                "rocmtune bench --json -o bench.json on that host, then rocmtune report host.json "
                "bench.json");
}

void add_check(Arguments const& arguments, ChipSet const& chips, Clock::time_point start,
               Report& report) {
    CheckSelection selection;
    selection.rows = selected_rows(arguments, *report.host);
    report.findings = check_host(arguments, *report.host, chips, start, selection);
    report.check = summary_of(*report.host, report.findings, selection.rows);
    report.check->level = check_level_words[static_cast<std::size_t>(selection.level)];
    report.check->fail_on = fail_on(arguments);
    auto const code = exit_of(*report.check, report.check->fail_on);
    // A host without GPU is no fault of the host.
    if (code != Exit::no_device) report.exit_code = graver(report.exit_code, code);
}

/// An environment that a recording does not have leaves the part out; its fact says why. The host
/// is not in doubt for that, and neither is the exit code.
void add_lint(Arguments const& arguments, Report& report) {
    if (report.host->environment) lint_environment(arguments, report);
}

/// What bench takes of these arguments: one device a --gpu.
Arguments arguments_of_bench(Arguments const& arguments, Host const& host) {
    Arguments bench;
    bench.command = "bench";
    for (auto const* option : {"--time", "--timeout", "--profiles"})
        if (auto const value = arguments.value(option)) bench.add(option, *value);
    for (auto const* option : {"--quick", "--quiet"})
        if (arguments.has(option)) bench.add(option, "");
    for (auto const row : selected_rows(arguments, host)) bench.add("--gpu", std::to_string(row));
    return bench;
}

/// A signal that waits ends this program when the scope of its HeldSignals does: before that, what
/// is known is printed.
void write_if_ended(std::string_view meaning, Arguments const& arguments, Report& report) {
    if (HeldSignals::waiting() && note_end_by_signal(meaning, report))
        write_report(report, arguments);
}

/// What looking and judging found, before anything is measured.
void look(Arguments const& arguments, Report& report) {
    auto const start = Clock::now();
    auto const catalogue = catalogue_for(arguments);
    auto const chips = chips_for(arguments, catalogue);
    // From here a signal ends the workers at once; what is known is printed.
    HeldSignals const signals;
    bool const checks = has_part(report, "check");
    report.host =
        read_host(arguments, nullptr,
                  checks ? reading_time_of_check(arguments, CheckLevel::quick) : std::nullopt,
                  KernelLog::ring_and_journal);
    if (checks) add_check(arguments, chips, start, report);
    else report.findings = judge_device_map(*report.host);
    if (has_part(report, "env")) fill_advice(arguments, catalogue, chips, false, report);
    if (has_part(report, "lint")) add_lint(arguments, report);
    if (fails(report.findings, arguments))
        report.exit_code = graver(report.exit_code, Exit::findings);
    write_if_ended("what was not tried is unknown", arguments, report);
}

void measure(Arguments const& arguments, Report& report) {
    HeldSignals const signals;
    auto const bench = arguments_of_bench(arguments, *report.host);
    report.measurements = run_benchmarks(bench, *report.host);
    report.exit_code = graver(report.exit_code, exit_of(report.measurements));
    write_if_ended("what was not measured has no figure", arguments, report);
}

Report report_of_host(Arguments const& arguments) {
    Report report;
    report.command = "report";
    report.parts = parts_of(arguments);
    refuse_options_of_bench(report, arguments);
    refuse_measuring_recordings(report, arguments);
    look(arguments, report);
    if (has_part(report, "bench")) measure(arguments, report);
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

/// What chooses a host or judges it has no place where both were done before.
void refuse_choices(Arguments const& arguments) {
    for (auto const* option :
         {"--root", "--replay", "--parts", "--gpu", "--level", "--workload", "--framework",
          "--time", "--quick", "--wake", "--timeout", "--sources"})
        if (arguments.has(option))
            throw Error(fmt::format("{} and report files exclude each other", option),
                        "files are shown as they are; without them this host is looked at");
    if (std::ranges::count(arguments.positionals, "-") > 1)
        throw Error("standard input can be one of the reports only",
                    "write the others to files with --json -o FILE");
}

Report report_of_files(Arguments const& arguments) {
    refuse_choices(arguments);
    std::vector<Report> reports;
    auto code = Exit::ok;
    for (auto const& path : arguments.positionals) {
        reports.push_back(read_whole(path));
        // What could not be determined then is not known now; the rest is judged below.
        if (reports.back().exit_code == Exit::undetermined) code = graver(code, Exit::undetermined);
    }
    auto report = joined(std::move(reports));
    if (!report.measurements.empty()) code = graver(code, exit_of(report.measurements));
    if (fails(report.findings, arguments)) code = graver(code, Exit::findings);
    report.exit_code = code;
    return report;
}

}  // namespace

Exit run_report(Arguments const& arguments) {
    auto report =
        arguments.positionals.empty() ? report_of_host(arguments) : report_of_files(arguments);
    report.command = "report";
    write_report(report, arguments);
    return report.exit_code;
}

}  // namespace rocmtune
