// SPDX-License-Identifier: MIT
// The page of a report.
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "show/host_cells.hpp"
#include "show/html/facts.hpp"
#include "show/html/findings.hpp"
#include "show/html/measured.hpp"
#include "show/html/page.hpp"
#include "show/html/topology.hpp"
#include "show/json.hpp"
#include "show/measurements.hpp"
#include "show/report.hpp"

namespace rocmtune {
namespace {

std::string title_of(Report const& report) {
    if (!report.host) return "Measurements";
    return report.host->hostname.value_or("Host without name");
}

std::string subtitle_of(Report const& report) {
    if (!report.host) return {};
    auto text = host_title(*report.host, report.gpus_left_out);
    for (auto const& [label, line] : host_lines(*report.host, report.gpus_left_out))
        if (label == "host" && !line.empty()) text += " \u00b7 " + line;
    if (report.host->recorded) text += " \u00b7 " + *report.host->recorded;
    return text;
}

std::string count_of(std::vector<Finding> const& findings, Verdict verdict) {
    return fmt::format("{}", std::ranges::count(findings, verdict, &Finding::verdict));
}

/// What a reader wants to know before anything else.
Html overview(Report const& report) {
    std::vector<Tile> tiles;
    if (report.host)
        tiles.push_back({fmt::format("{}", report.host->gpus.size()),
                         report.host->gpus.size() == 1 ? "GPU" : "GPUs", ""});
    if (report.check)
        tiles.push_back({fmt::format("{} of {}", report.check->gpus_judged, report.check->gpus),
                         "GPUs judged", ""});
    for (auto const verdict : {Verdict::fail, Verdict::timeout, Verdict::warn, Verdict::unknown,
                               Verdict::info, Verdict::pass}) {
        auto const count = count_of(report.findings, verdict);
        bool const always = verdict == Verdict::fail || verdict == Verdict::warn;
        if (report.host && (always || count != "0"))
            tiles.push_back({count, std::string(word_of(verdict)),
                             count == "0" ? "" : std::string(word_of(verdict))});
    }
    if (report.advice)
        tiles.push_back(
            {fmt::format("{}", report.advice->recommendations.size()), "settings advised", ""});
    if (!report.measurements.empty())
        tiles.push_back({fmt::format("{}", report.measurements.size()), "figures", ""});
    auto html = tiles_html(tiles);
    for (auto const& error : report.errors) html.element("p", error.message, {{"class", "note"}});
    return html;
}

Html gpus(Report const& report) {
    Html html;
    if (!report.host) return html;
    using enum CellKind;
    html.part(topology_html(*report.host));
    html.part(
        table_html("GPUs as each part of the system names them", gpu_table(*report.host),
                   {number, code, line, code, number, number, line, number, text, number, code}));
    TextTable lines{.headings = {"what", "value"}};
    for (auto const& [label, line] : host_lines(*report.host, report.gpus_left_out))
        if (!line.empty()) lines.rows.push_back({std::string(label), line});
    return std::move(html.part(table_html("The host", lines, {text, wide})));
}

}  // namespace

std::string report_html(Report const& report, TextStyle const&) {
    Charts charts = Charts::array();
    Page page{.title = "rocmtune: " + title_of(report), .subtitle = subtitle_of(report)};
    page.sections.push_back({"overview", "Overview", overview(report)});
    page.sections.push_back(
        {"findings", "Findings",
         findings_html(findings_of(report, false), report.host ? report.host->gpus.size() : 0)});
    page.sections.push_back({"gpus", "GPUs and links", gpus(report)});
    page.sections.push_back({"environment", "Environment", environment_html(report)});
    page.sections.push_back({"settings", "Settings", advice_html(report)});
    page.sections.push_back({"figures", "Measurements", figures_html(report, charts)});
    page.sections.push_back({"peers", "Between GPUs", peers_html(report)});
    page.sections.push_back({"profile", "Volume profile", profiles_html(report, charts)});
    page.sections.push_back({"facts", "All facts", facts_html(report)});
    page.charts = json_text(charts, false);
    page.footer = origin_text(report);
    return page_html(std::move(page));
}

}  // namespace rocmtune
