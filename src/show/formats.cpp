// SPDX-License-Identifier: MIT
#include "show/formats.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/data_date.hpp"
#include "build_info.hpp"
#include "codec/json.hpp"
#include "show/documents.hpp"
#include "show/lint.hpp"
#include "show/machine_formats.hpp"

namespace rocmtune {
namespace {

void show(Report const& report, Printer& out) {
    if (!report.parts.empty()) show_report(report, out);
    else if (report.check) show_check(report, out);
    else if (report.lint) out.verbatim(lint_text(report, out.style()));
    else if (report.comparison) show_comparison(report, out);
    else if (report.fleet) show_fleet(report, out);
    else if (report.plan || !report.plans.empty()) show_plan(report, out);
    else if (report.diagnosis) show_diagnosis(report, out);
    else if (!report.explanations.empty()) show_explanations(report, out);
    else if (report.builds) show_builds(report, out);
    else if (report.verify) show_verification(report, out);
    else if (report.tuning) show_tuning(report, out);
    else if (report.cache) show_cache(report, out);
    else if (out.is_verbose()) show_details(report, out);
    else if (report.command == "bench") show_measurements(report, out);
    else show_summary(report, out);
}

/// Which program and data made the report, and out of what.
std::string origin_text(Report const& report) {
    auto text = fmt::format("rocmtune {}, data of {}", tool_version, data_date());
    for (auto const& input : report.inputs)
        text += fmt::format("; {} by {} of rocmtune {}, data of {}", input.name, input.command,
                            input.tool_version, input.data_date);
    return text;
}

/// The order is that of help and man page.
constexpr Format formats[] = {
    {"text", "for people", as_text},
    {"json", "one indented document",
     [](Report const& report, TextStyle const&) { return json_text(to_json(report), true); }},
    {"ndjson", "rows for databases, one a line", report_ndjson, "report"},
    {"ndjson", "one document on one line",
     [](Report const& report, TextStyle const&) { return json_text(to_json(report), false); }},
    {"junit", "test cases for CI servers", check_junit, "check"},
    {"prom", "a file for node_exporter", check_prom, "check"},
    {"markdown", "a table for issues and wikis", as_markdown, "check"},
    {"markdown", "tables for issues and wikis", as_markdown, "compare"},
    {"markdown", "tables for issues and wikis", as_markdown, "fleet"},
    {"markdown", "tables for issues and wikis", as_markdown, "plan"},
    {"markdown", "text for issues and wikis", as_markdown, "diagnose"},
    {"markdown", "lists for issues and wikis", as_markdown, "builds"},
    {"markdown", "tables for issues and wikis", as_markdown, "report"},
    {"markdown", "tables for issues and wikis", as_markdown, "tune"},
    {"html", "a page of its own", as_page, "tune"},
    {"html", "a page of its own", as_page, "report"},
    {"prom", "a file for node_exporter", report_prom, "report"},
    {"html", "a page of its own", as_page, "fleet"},
    {"prom", "a file for node_exporter", fleet_prom, "fleet"},
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

std::string print(Report const& report, std::unique_ptr<Printer> printer) {
    show(report, *printer);
    // A page stands alone; on a screen and in Markdown others say where they come from.
    bool const says = printer->is_page() || !report.parts.empty();
    return printer->take(says ? origin_text(report) : "");
}

}  // namespace

std::string as_text(Report const& report, TextStyle const& style) {
    return print(report, text_printer(style));
}

std::string as_markdown(Report const& report, TextStyle const& style) {
    return print(report, markdown_printer(style));
}

std::string as_page(Report const& report, TextStyle const& style) {
    return print(report, page_printer(style));
}

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
