// SPDX-License-Identifier: MIT
#include "show/formats.hpp"

#include <nlohmann/json.hpp>

#include "show/check.hpp"
#include "show/check_formats.hpp"
#include "show/compare.hpp"
#include "show/explain.hpp"
#include "show/fleet.hpp"
#include "show/json.hpp"
#include "show/lint.hpp"
#include "show/plan.hpp"
#include "show/report.hpp"
#include "show/verify.hpp"

namespace rocmtune {
namespace {

std::string text(Report const& report, TextStyle const& style) {
    if (!report.parts.empty()) return report_text(report, style);
    if (report.check) return check_text(report, style);
    if (report.lint) return lint_text(report, style);
    if (report.comparison) return compare_text(report, style);
    if (report.fleet) return fleet_text(report, style);
    if (report.plan) return plan_text(report, style);
    if (report.verify) return verify_text(report, style);
    if (!report.explanations.empty()) return explain_text(report, style);
    return style.verbosity > 0 ? details_text(report, style) : summary_text(report, style);
}

constexpr Format formats[] = {
    {"text", "for people", text},
    {"json", "one indented document",
     [](Report const& report, TextStyle const&) { return json_text(to_json(report), true); }},
    {"ndjson", "rows for databases, one a line", report_ndjson, "report"},
    {"ndjson", "one document on one line",
     [](Report const& report, TextStyle const&) { return json_text(to_json(report), false); }},
    {"junit", "test cases for CI servers", check_junit, "check"},
    {"prom", "a file for node_exporter", check_prom, "check"},
    {"markdown", "a table for issues and wikis", check_markdown, "check"},
    {"markdown", "tables for issues and wikis", compare_markdown, "compare"},
    {"markdown", "tables for issues and wikis", fleet_markdown, "fleet"},
    {"markdown", "tables for issues and wikis", plan_markdown, "plan"},
    {"prom", "a file for node_exporter", fleet_prom, "fleet"},
    {"prom", "a file for node_exporter", report_prom, "report"},
    {"markdown", "tables for issues and wikis", report_markdown, "report"},
    {"html", "a page of its own", report_html, "report"},
    {"html", "a page of its own", fleet_html, "fleet"},
    {"slurm", "the odd hosts as a list for --exclude", fleet_slurm, "fleet"},
    {"github", "annotations of GitHub Actions", check_github, "check"},
    {"github", "annotations of GitHub Actions", lint_github, "lint"},
    {"sarif", "SARIF 2.1.0 for code scanning", lint_sarif, "lint"},
    {"nagios", "a monitoring plugin, with its exit codes", check_nagios, "check", nagios_code},
    {"npd", "a plugin of the node problem detector, with its exit codes", check_npd, "check",
     npd_code},
};

/// A format that a command has of its own stands before the general one of that name.
bool has(Format const& format, std::string_view command) {
    return format.commands == "*" || format.commands == command;
}

}  // namespace

Format const* find_format(std::string_view name, std::string_view command) {
    for (auto const& format : formats)
        if (format.name == name && has(format, command)) return &format;
    return nullptr;
}

std::vector<Format const*> formats_of(std::string_view command) {
    std::vector<Format const*> result;
    for (auto const& format : formats)
        if (find_format(format.name, command) == &format) result.push_back(&format);
    return result;
}

}  // namespace rocmtune
