// SPDX-License-Identifier: MIT
// rocmtune compare.
#include "judge/compare/compare.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "commands/commands.hpp"
#include "measure/input_files.hpp"
#include "measure/output.hpp"

namespace rocmtune {
namespace {

ReadReport only_report_of(std::string const& path) {
    static OnlyDocumentHints const hints{
        .directory = "compare takes two files; rocmtune fleet takes directories",
        .empty = "write one with rocmtune probe --json -o FILE",
        .several = "compare takes one of each; rocmtune fleet takes many"};
    ReadReport report;
    read_only_document(path, hints,
                       [&](std::string const& text) { report = read_report(text, path); });
    if (!report.has_host && report.measurements.empty())
        throw Error(printable(path) + ": it has neither a host nor measurements",
                    "write one with rocmtune probe --json or rocmtune bench --json");
    if (report.is_partial)
        throw Error(printable(path) + std::string(why_partial),
                    "write one without: rocmtune probe --json -o FILE");
    return report;
}

/// A gate that could not judge anything has not passed.
bool judged_nothing(ReportComparison const& comparison) {
    return std::ranges::none_of(comparison.measurements, [](ComparedMeasurement const& one) {
        return one.change != MeasuredChange::not_comparable;
    });
}

}  // namespace

Exit run_compare(CompareCommand const& options) {
    give_up_rights(options.output, options.reports);
    auto const a = only_report_of(options.reports[0]);
    auto const b = only_report_of(options.reports[1]);
    Report report;
    report.command = "compare";
    report.comparison = compare_reports(a, b, options.margin);
    report.findings = judge_comparison(*report.comparison);
    if (options.is_gate && judged_nothing(*report.comparison)) {
        report.errors.push_back(
            {"--regression: no measurement could be compared",
             "both reports need figures of the same benchmark: rocmtune bench --json -o FILE",
             Exit::undetermined});
        report.exit_code = Exit::undetermined;
        tell(report.errors[0].message, report.errors[0].hint);
    }
    if (fails(report.findings, options.fail_on)) report.exit_code = Exit::findings;
    write_report(report, options.output);
    return report.exit_code;
}

}  // namespace rocmtune
