// SPDX-License-Identifier: MIT
// The page of a fleet: groups, the odd hosts, facts without majority, figures.
#include <algorithm>

#include <fmt/format.h>

#include "base/counted.hpp"
#include "base/text.hpp"
#include "show/fleet.hpp"
#include "show/host_cells.hpp"
#include "show/html/page.hpp"

namespace rocmtune {
namespace {

/// Rows of a table beyond these are counted only: a page of ten thousand hosts must open.
constexpr std::size_t most_rows = 500;

using enum CellKind;

std::string number_text(double value) {
    return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

/// Says what is not there.
void add_cut(std::size_t all, std::string_view what, Html& html) {
    if (all > most_rows)
        html.element("p",
                     fmt::format("{} {} more are in the JSON document.", all - most_rows, what),
                     {{"class", "note"}});
}

Html overview(Report const& report) {
    auto const& it = *report.fleet;
    auto const count = [](std::uint64_t value) { return fmt::format("{}", value); };
    std::vector<Tile> tiles{
        {count(it.hosts), "hosts", ""},
        {count(it.gpus), "GPUs", ""},
        {count(it.groups.size()), "groups", ""},
        {count(it.odd_hosts.size()), "odd hosts", it.odd_hosts.empty() ? "pass" : "warn"}};
    for (auto const verdict : {Verdict::fail, Verdict::warn, Verdict::info})
        if (auto const found = std::ranges::count(report.findings, verdict, &Finding::verdict);
            found > 0)
            tiles.push_back({fmt::format("{}", found),
                             fmt::format("findings: {}", word_of(verdict)),
                             std::string(word_of(verdict))});
    if (it.skipped > 0) tiles.push_back({count(it.skipped), "reports not read", "fail"});
    if (it.duplicates > 0) tiles.push_back({count(it.duplicates), "reports twice", "warn"});
    auto html = tiles_html(tiles);
    for (auto const& note : it.notes) html.element("p", note, {{"class", "note"}});
    return html;
}

Html groups(FleetView const& it) {
    TextTable table{.headings = {"group", "hosts", "GPUs", "usual GPUs a host", "equal facts"}};
    for (auto const& group : it.groups)
        table.rows.push_back(
            {group.name, fmt::format("{}", group.hosts), fmt::format("{}", group.gpus),
             group.usual_gpus ? fmt::format("{}", *group.usual_gpus) : "no majority",
             fmt::format("{} of {}", group.uniform, group.facts)});
    return table_html("Hosts of one product with one model of GPU", table,
                      {wide, number, number, number, number});
}

std::string text_of(PlainValue const& value) {
    auto const convert = []<class T>(T const& plain) {
        if constexpr (std::is_same_v<T, std::monostate>) return std::string("lacks it");
        else if constexpr (std::is_same_v<T, bool>) return std::string(plain ? "yes" : "no");
        else if constexpr (std::is_same_v<T, std::string>) return plain;
        else return fmt::format("{}", plain);
    };
    return std::visit(convert, value);
}

std::string units_text(FleetOutlier const& outlier) {
    constexpr std::size_t shown = 6;
    std::vector<std::string> names;
    for (auto const& unit : outlier.units)
        if (names.size() < shown)
            names.push_back(unit.gpu ? fmt::format("{} {}", unit.host, *unit.gpu) : unit.host);
    auto const more = outlier.more + outlier.units.size() - names.size();
    auto text = joined(names);
    return more > 0 ? fmt::format("{} and {} more", text, more) : text;
}

Html outliers(FleetView const& it) {
    bool const grouped = it.groups.size() > 1;
    TextTable table{.headings = {"kind", "fact", "value", "usual", "where", "have it"}};
    if (grouped) table.headings.emplace_back("group");
    for (auto const& one : it.outliers) {
        if (table.rows.size() == most_rows) break;
        table.rows.push_back({one.kind, one.fact, text_of(one.value), text_of(one.usual),
                              units_text(one), fmt::format("{} of {}", one.count, one.total)});
        if (grouped) table.rows.back().push_back(one.group);
    }
    auto html = table_html("What few have where most of their group have something else", table,
                           {text, code, text, text, wide, number, wide});
    if (table.rows.empty())
        html.element("p", "No host differs from the others.", {{"class", "good"}});
    add_cut(it.outliers.size(), "values", html);
    return html;
}

Html odd_hosts(FleetView const& it) {
    TextTable table{.headings = {"verdict", "host", "findings"}};
    for (auto const verdict : {Verdict::fail, Verdict::warn, Verdict::info})
        for (auto const& host : it.odd_hosts)
            if (host.verdict == verdict && table.rows.size() < most_rows)
                table.rows.push_back({std::string(word_of(verdict)), host.host, joined(host.ids)});
    auto html =
        table_html("Hosts with a finding, the worst first", table, {CellKind::verdict, code, wide});
    add_cut(it.odd_hosts.size(), "hosts", html);
    return html;
}

Html splits(FleetView const& it) {
    TextTable table{.headings = {"fact", "most frequent values", "known by", "group"}};
    for (auto const& one : it.splits)
        if (table.rows.size() < most_rows)
            table.rows.push_back(
                {one.fact, joined(one.values), fmt::format("{}", one.total), one.group});
    auto html =
        table_html("Facts of which no value has a majority", table, {code, wide, number, text});
    add_cut(it.splits.size(), "facts", html);
    return html;
}

/// Least to most as a line, the median with its deviation on it.
Html range_html(FleetFigure const& figure) {
    constexpr double left = 4, right = 188;
    auto const x = [&](double value) {
        auto const share = figure.most > figure.least
                               ? (value - figure.least) / (figure.most - figure.least)
                               : 0.5;
        return fmt::format("{:.1f}", left + std::clamp(share, 0.0, 1.0) * (right - left));
    };
    auto const line = [](Html& svg, std::string const& from, std::string const& to,
                         char const* role, char const* top, char const* bottom) {
        svg.open("line", {{"x1", from}, {"x2", to}, {"y1", top}, {"y2", bottom}, {"class", role}})
            .close();
    };
    Html svg;
    svg.open("svg",
             {{"viewBox", "0 0 192 20"},
              {"class", "range"},
              {"role", "img"},
              {"aria-label", fmt::format("least {}, median {}, most {}", number_text(figure.least),
                                         number_text(figure.median), number_text(figure.most))}});
    line(svg, x(figure.least), x(figure.most), "span", "10", "10");
    line(svg, x(figure.median - figure.deviation), x(figure.median + figure.deviation), "middle",
         "10", "10");
    line(svg, x(figure.median), x(figure.median), "median", "2", "18");
    svg.close();
    return svg;
}

void add_figure(FleetFigure const& figure, Html& html) {
    html.open("tr").element("td", figure.measured, {{"class", "wide"}});
    html.element("td", fmt::format("{}", figure.count), {{"class", "number"}});
    for (auto const value : {figure.least, figure.median, figure.most})
        html.element("td", number_text(value), {{"class", "number"}});
    html.element("td", figure.unit).open("td").part(range_html(figure)).close();
    html.element("td", figure.group, {{"class", "wide"}}).close();
}

Html figures(FleetView const& it) {
    Html html;
    if (it.figures.empty()) return html;
    constexpr std::string_view caption =
        "Measurements over all GPUs of a group; the line goes from the least to the most figure, "
        "its dark part is the median with the median absolute deviation";
    html.open("div", {{"class", "scroll"},
                      {"tabindex", "0"},
                      {"role", "region"},
                      {"aria-label", "Measurements over all GPUs of a group"}});
    html.open("table", {{"class", "sortable"}}).element("caption", caption);
    html.open("thead").open("tr");
    for (auto const* heading :
         {"measured", "GPUs", "least", "median", "most", "unit", "distribution", "group"})
        html.element("th", heading, {{"scope", "col"}});
    html.close().close().open("tbody");
    for (std::size_t i = 0; i < std::min(it.figures.size(), most_rows); ++i)
        add_figure(it.figures[i], html);
    html.close().close().close();
    add_cut(it.figures.size(), "figures", html);
    return html;
}

}  // namespace

std::string fleet_html(Report const& report, TextStyle const&) {
    auto const& it = *report.fleet;
    Page page{.title = "rocmtune: fleet",
              .subtitle = fmt::format("{} with {} in {}", counted(it.hosts, "host"),
                                      counted(it.gpus, "GPU"), counted(it.reports, "report"))};
    page.sections.push_back({"overview", "Overview", overview(report)});
    page.sections.push_back({"groups", "Groups", groups(it)});
    page.sections.push_back({"odd", "Odd hosts", odd_hosts(it)});
    page.sections.push_back({"outliers", "What differs", outliers(it)});
    page.sections.push_back({"figures", "Measurements", figures(it)});
    page.sections.push_back({"splits", "Without majority", splits(it)});
    page.footer = origin_text(report);
    return page_html(std::move(page));
}

}  // namespace rocmtune
