// SPDX-License-Identifier: MIT
// rocmtune bench.
#include <chrono>

#include <fmt/format.h>

#include "base/text.hpp"
#include "commands/commands.hpp"
#include "machine/held_signals.hpp"
#include "measure/output.hpp"

namespace rocmtune {
namespace {

/// An exit code without a figure would be a riddle.
void note_unmeasured(bench::Options const& options, Report& report) {
    if (!report.measurements.empty()) return;
    auto const what = fmt::format("{}", fmt::join(options.benchmarks, ", "));
    auto const message =
        options.dtype.empty()
            ? "nothing was measured: " + what + " has nothing for what was asked"
            : fmt::format("nothing was measured: {} has nothing of the type {} here", what,
                          printable(options.dtype));
    constexpr auto hint = "without --dtype a benchmark measures every type that it has here";
    report.errors.push_back({message, hint, report.exit_code});
    tell(message, hint);
}

}  // namespace

Exit run_bench(BenchCommand const& options) {
    // A signal ends the workers at once and this program when the rest is printed.
    HeldSignals const signals;
    auto const start = std::chrono::steady_clock::now();
    auto const& choice = options.benchmarks;
    auto const what = worker_options(choice);
    Report report;
    report.command = "bench";
    report.host = host_for_bench(choice.devices, choice.data.directory);
    report.measurements = run_benchmarks(choice, what, *report.host, start);
    report.exit_code = exit_of(report.measurements);
    if (!note_end_by_signal("what was not measured has no figure", report))
        note_unmeasured(what, report);
    write_report(report, options.output);
    return report.exit_code;
}

}  // namespace rocmtune
