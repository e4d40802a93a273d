// SPDX-License-Identifier: MIT
// rocmtune compare.
#include "judge/compare/compare.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "commands/commands.hpp"
#include "commands/fail_on.hpp"
#include "commands/only_document.hpp"
#include "commands/report_output.hpp"
#include "measure/output.hpp"

namespace rocmtune {
namespace {

constexpr double usual_margin_percent = 3;

/// "3%" or "3": a ratio.
double margin_of(Arguments const& arguments) {
    auto const text = arguments.value("--regression");
    if (!text) return usual_margin_percent / 100;
    auto digits = std::string_view(*text);
    if (digits.ends_with('%')) digits.remove_suffix(1);
    auto const percent = to_real(trim(digits));
    if (!percent || *percent < 0 || *percent >= 100)
        throw Error(fmt::format("--regression needs a percentage of 0 to below 100, not '{}'",
                                printable(*text)),
                    "for example --regression 3%");
    return *percent / 100;
}

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

void check_positionals(Arguments const& arguments) {
    auto const& paths = arguments.positionals;
    if (paths.size() != 2)
        throw Error(fmt::format("compare needs two reports, not {}", paths.size()),
                    "rocmtune compare before.json after.json");
    if (paths[0] == "-" && paths[1] == "-")
        throw Error("standard input can be one of the two reports only",
                    "write the other to a file: rocmtune bench --json -o FILE");
}

/// A gate that could not judge anything has not passed.
bool judged_nothing(ReportComparison const& comparison) {
    return std::ranges::none_of(comparison.measurements, [](ComparedMeasurement const& one) {
        return one.change != MeasuredChange::not_comparable;
    });
}

}  // namespace

Exit run_compare(Arguments const& arguments) {
    check_positionals(arguments);
    auto const margin = margin_of(arguments);
    auto const a = only_report_of(arguments.positionals[0]);
    auto const b = only_report_of(arguments.positionals[1]);
    Report report;
    report.command = "compare";
    report.comparison = compare_reports(a, b, margin);
    report.findings = judge_comparison(*report.comparison);
    if (arguments.has("--regression") && judged_nothing(*report.comparison)) {
        report.errors.push_back({"--regression: no measurement could be compared",
                                 "both reports need figures of the same benchmark: rocmtune bench "
                                 "--json -o FILE",
                                 Exit::undetermined});
        report.exit_code = Exit::undetermined;
        tell(report.errors[0].message, report.errors[0].hint);
    }
    if (fails(report.findings, arguments)) report.exit_code = Exit::findings;
    write_report(report, arguments);
    return report.exit_code;
}

}  // namespace rocmtune
