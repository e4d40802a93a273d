// SPDX-License-Identifier: MIT
// What many reports say together.
#include <algorithm>

#include <fmt/format.h>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "show/documents.hpp"
#include "show/findings.hpp"
#include "show/machine_formats.hpp"

namespace rocmtune {
namespace {

using enum CellKind;

std::string count_text(std::uint64_t value) {
    return fmt::format("{}", value);
}

std::string counts_of(FleetView const& it) {
    auto text = fmt::format("{} with {} in {}", counted(it.hosts, "host"), counted(it.gpus, "GPU"),
                            counted(it.reports, "report"));
    if (it.skipped > 0) text += fmt::format("; {} could not be read", it.skipped);
    if (it.duplicates > 0) text += fmt::format("; {} of hosts that come twice", it.duplicates);
    return text;
}

/// The hosts or GPUs that the evidence names, without the group before them.
std::string who(Finding const& finding, std::size_t most) {
    std::vector<std::string> names;
    std::size_t more = 0;
    for (auto const& one : finding.evidence) {
        if (one.source == "group") continue;
        if (one.source == "more" || names.size() == most) {
            more += one.source == "more" ? to_unsigned(one.value, 10).value_or(0) : 1;
            continue;
        }
        names.push_back(one.source);
    }
    auto text = joined(names);
    return more > 0 ? fmt::format("{} and {} more", text, more) : text;
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

/// A drawing: least to most as a line, the median with its deviation on it.
std::string range_markup(FleetFigure const& figure) {
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
              {"aria-label", fmt::format("least {}, median {}, most {}", figure_text(figure.least),
                                         figure_text(figure.median), figure_text(figure.most))}});
    line(svg, x(figure.least), x(figure.most), "span", "10", "10");
    line(svg, x(figure.median - figure.deviation), x(figure.median + figure.deviation), "middle",
         "10", "10");
    line(svg, x(figure.median), x(figure.median), "median", "2", "18");
    return svg.take();
}

void show_counts(Report const& report, Printer& out) {
    auto const& it = *report.fleet;
    std::vector<Tile> tiles{
        {count_text(it.hosts), "hosts"},
        {count_text(it.gpus), "GPUs"},
        {count_text(it.groups.size()), "groups"},
        {count_text(it.odd_hosts.size()), "odd hosts", it.odd_hosts.empty() ? "pass" : "warn"}};
    for (auto const verdict : {Verdict::fail, Verdict::warn, Verdict::info})
        if (auto const found = std::ranges::count(report.findings, verdict, &Finding::verdict))
            tiles.push_back({fmt::format("{}", found),
                             fmt::format("findings: {}", word_of(verdict)),
                             std::string(word_of(verdict))});
    if (it.skipped > 0) tiles.push_back({count_text(it.skipped), "reports not read", "fail"});
    if (it.duplicates > 0) tiles.push_back({count_text(it.duplicates), "reports twice", "warn"});
    out.section("overview", "Overview");
    out.tiles(tiles);
    for (auto const& note : it.notes) out.paragraph(note, Emphasis::notable);
}

void show_groups(FleetView const& it, Printer& out) {
    Table table{.columns = {{"group", false, false, true, wide},
                            {"hosts", true, false, false, number},
                            {"GPUs", true, false, false, number},
                            {"facts that are equal", true, false, false, number}},
                .caption = "Hosts of one product with one model of GPU"};
    if (!out.is_text()) table.columns.push_back({.heading = "usual GPUs a host", .kind = number});
    for (auto const& group : it.groups) {
        table.rows.push_back({group.name, count_text(group.hosts), count_text(group.gpus),
                              fmt::format("{} of {}", group.uniform, group.facts)});
        if (!out.is_text())
            table.rows.back().push_back(group.usual_gpus ? count_text(*group.usual_gpus)
                                                         : "no majority");
    }
    if (!out.is_text()) out.section("groups", "Groups");
    out.table(std::move(table));
}

/// On a screen the worst, with a few of the hosts.
void show_findings(Report const& report, Printer& out) {
    constexpr std::size_t most = 40, most_hosts = 16, few_hosts = 4;
    auto const hosts = out.is_text() && out.is_verbose() ? most_hosts : few_hosts;
    Table table{.columns = {{.heading = "verdict", .kind = verdict},
                            {.heading = "id", .kind = code},
                            {.heading = "finding", .kind = wide},
                            {.heading = "where", .kind = wide}},
                .caption = "What was found, the worst first",
                .noun = "findings"};
    std::vector<Line> lines;
    for (auto const* finding : worst_first(report.findings)) {
        std::string const verdict(word_of(finding->verdict));
        auto const where = who(*finding, hosts);
        table.rows.push_back({verdict, finding->id, finding->message, where});
        if (table.rows.size() > most && !out.is_verbose()) continue;
        lines.push_back({verdict + ' ' + finding->id, finding->message,
                         finding->verdict == Verdict::fail ? Emphasis::notable : Emphasis::none});
        lines.push_back({"", where, Emphasis::quiet});
    }
    if (!out.is_text()) {
        out.section("findings", "Findings");
        return out.table(std::move(table));
    }
    out.lines(lines, usual_label_width);
    if (auto const shown = lines.size() / 2; shown < table.rows.size())
        out.note(fmt::format("and {} more findings (-v)", table.rows.size() - shown));
}

void show_odd_hosts(FleetView const& it, Printer& out) {
    Table table{.columns = {{.heading = "verdict", .kind = verdict},
                            {.heading = "host", .kind = code},
                            {.heading = "findings", .kind = wide}},
                .caption = "Hosts with a finding, the worst first",
                .noun = "hosts"};
    for (auto const verdict : {Verdict::fail, Verdict::warn, Verdict::info})
        for (auto const& host : it.odd_hosts)
            if (host.verdict == verdict)
                table.rows.push_back({std::string(word_of(verdict)), host.host, joined(host.ids)});
    out.section("odd", "Odd hosts");
    out.table(std::move(table));
}

void show_outliers(FleetView const& it, Printer& out) {
    Table table{.columns = {{"kind"},
                            {.heading = "fact", .kind = code},
                            {"value"},
                            {"usual"},
                            {.heading = "where", .kind = wide},
                            {.heading = "have it", .kind = number}},
                .caption = "What few have where most of their group have something else",
                .noun = "values"};
    bool const grouped = it.groups.size() > 1;
    if (grouped) table.columns.push_back({.heading = "group", .kind = wide});
    for (auto const& one : it.outliers) {
        table.rows.push_back({one.kind, one.fact, text_of(one.value), text_of(one.usual),
                              units_text(one), fmt::format("{} of {}", one.count, one.total)});
        if (grouped) table.rows.back().push_back(one.group);
    }
    out.section("outliers", "What differs");
    if (table.rows.empty()) out.paragraph("No host differs from the others.", Emphasis::good);
    out.table(std::move(table));
}

void show_splits(FleetView const& it, Printer& out) {
    Table table{.columns = {{out.is_page() ? "fact" : "no majority", false, false, true, code},
                            {"values", false, false, true, wide},
                            {"group", false, true}},
                .caption = "Facts of which no value has a majority, with the most frequent values",
                .noun = "facts"};
    if (!out.is_text()) table.columns.push_back({.heading = "known by", .kind = number});
    for (auto const& one : it.splits) {
        table.rows.push_back({one.fact, joined(one.values), one.group});
        if (!out.is_text()) table.rows.back().push_back(count_text(one.total));
    }
    if (!out.is_text()) out.section("splits", "Without majority");
    out.table(std::move(table));
}

void show_figures(FleetView const& it, Printer& out) {
    Table table{.columns = {{"measured", false, false, true, wide},
                            {"GPUs", true, false, false, number},
                            {"median", true, false, false, number},
                            {"deviation", true, false, false, number},
                            {"least", true, false, false, number},
                            {"most", true, false, false, number},
                            {"unit", false, false, true},
                            {"group", false, true, false, wide}},
                .caption =
                    "Measurements over all GPUs of a group; the line goes from the least to "
                    "the most figure, its dark part is the median with the median absolute "
                    "deviation",
                .noun = "figures"};
    if (out.is_page()) table.columns.push_back({.heading = "distribution", .kind = markup});
    for (auto const& figure : it.figures) {
        table.rows.push_back({figure.measured, count_text(figure.count), figure_text(figure.median),
                              figure_text(figure.deviation), figure_text(figure.least),
                              figure_text(figure.most), figure.unit, figure.group});
        if (out.is_page()) table.rows.back().push_back(range_markup(figure));
    }
    if (!out.is_text()) out.section("figures", "Measurements");
    out.table(std::move(table));
}

std::vector<std::string> excluded(FleetView const& it) {
    std::vector<std::string> names;
    for (auto const& host : it.odd_hosts)
        if (is_excluded(it, host) && is_node_name(host.host))
            names.push_back(host.host.substr(0, host.host.find('.')));
    return names;
}

}  // namespace

void show_fleet(Report const& report, Printer& out) {
    auto const& it = *report.fleet;
    out.title("rocmtune fleet", counts_of(it));
    if (!out.is_text()) show_counts(report, out);
    show_groups(it, out);
    show_findings(report, out);
    if (out.is_page()) {
        show_odd_hosts(it, out);
        show_outliers(it, out);
    }
    bool const all = out.is_verbose() || !out.is_text();
    if (all) show_splits(it, out);
    if (all) show_figures(it, out);
    if (!out.is_text()) return;
    std::vector<Line> foot;
    if (!all && !it.splits.empty())
        foot.push_back({"open", fmt::format("{} facts have no majority (-v)", it.splits.size())});
    foot.push_back({"odd hosts", fmt::format("{} of {}", it.odd_hosts.size(), it.hosts)});
    if (auto const names = excluded(it); !names.empty())
        foot.push_back({"exclude", shorten(hostlist(names), 400)});
    for (auto const& note : it.notes) foot.push_back({"note", note});
    out.lines(foot, usual_label_width);
}

std::string fleet_slurm(Report const& report, TextStyle const&) {
    return hostlist(excluded(*report.fleet)) + '\n';
}

}  // namespace rocmtune
