// SPDX-License-Identifier: MIT
#include "show/fleet.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/counted.hpp"
#include "base/hostlist.hpp"
#include "show/layout.hpp"
#include "show/markdown.hpp"
#include "show/news.hpp"
#include "show/prom.hpp"

namespace rocmtune {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string counts_of(FleetView const& it) {
    auto text = fmt::format("{} with {} in {}", counted(it.hosts, "host"), counted(it.gpus, "GPU"),
                            counted(it.reports, "report"));
    if (it.skipped > 0) text += fmt::format("; {} could not be read", it.skipped);
    if (it.duplicates > 0) text += fmt::format("; {} of hosts that come twice", it.duplicates);
    return text;
}

Rows group_rows(FleetView const& it) {
    Rows rows;
    for (auto const& group : it.groups)
        rows.push_back({group.name, fmt::format("{}", group.hosts), fmt::format("{}", group.gpus),
                        fmt::format("{} of {}", group.uniform, group.facts)});
    return rows;
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
    auto text = fmt::format("{}", fmt::join(names, ", "));
    return more > 0 ? fmt::format("{} and {} more", text, more) : text;
}

Rows finding_rows(Report const& report) {
    Rows rows;
    for (auto const* finding : worst_first(report.findings))
        rows.push_back({std::string(word_of(finding->verdict)), finding->id, finding->message,
                        who(*finding, 4)});
    return rows;
}

Rows split_rows(FleetView const& it) {
    Rows rows;
    for (auto const& split : it.splits)
        rows.push_back({split.fact, fmt::format("{}", fmt::join(split.values, ", ")), split.group});
    return rows;
}

std::string number(double value) {
    return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

Rows figure_rows(FleetView const& it) {
    Rows rows;
    for (auto const& figure : it.figures)
        rows.push_back({figure.measured, fmt::format("{}", figure.count), number(figure.median),
                        number(figure.deviation), number(figure.least), number(figure.most),
                        figure.unit, figure.group});
    return rows;
}

std::string paragraphs(Report const& report, std::size_t most, TextStyle const& style) {
    std::string text;
    std::size_t shown = 0;
    for (auto const* finding : worst_first(report.findings)) {
        if (shown++ == most) break;
        auto const emphasis =
            finding->verdict == Verdict::fail ? Emphasis::notable : Emphasis::none;
        LabelledText lines(style, 11);
        lines.add(fmt::format("{} {}", word_of(finding->verdict), finding->id), finding->message,
                  emphasis);
        lines.add("", who(*finding, style.verbosity > 0 ? 16 : 4), Emphasis::quiet);
        text += lines.take();
    }
    if (report.findings.size() > most)
        text += fmt::format(" and {} more findings (-v)\n", report.findings.size() - most);
    return text;
}

std::vector<std::string> excluded(FleetView const& it) {
    std::vector<std::string> names;
    for (auto const& host : it.odd_hosts)
        if (is_excluded(it, host) && is_node_name(host.host))
            names.push_back(host.host.substr(0, host.host.find('.')));
    return names;
}

}  // namespace

std::string fleet_text(Report const& report, TextStyle const& style) {
    auto const& it = *report.fleet;
    bool const all = style.verbosity > 0;
    auto text = emphasised(counts_of(it), Emphasis::heading, style) + "\n\n";
    text += table_text({{"group", false, false, true},
                        {"hosts", true},
                        {"GPUs", true},
                        {"facts that are equal", true}},
                       group_rows(it), style);
    constexpr std::size_t most = 40;
    if (!report.findings.empty())
        text += '\n' + paragraphs(report, all ? report.findings.size() : most, style);
    if (auto rows = split_rows(it); !rows.empty() && all)
        text += '\n' + table_text({{"no majority", false, false, true},
                                   {"values", false, false, true},
                                   {"group", false, true}},
                                  std::move(rows), style);
    if (auto rows = figure_rows(it); !rows.empty() && all)
        text += '\n' + table_text({{"measured", false, false, true},
                                   {"GPUs", true},
                                   {"median", true},
                                   {"deviation", true},
                                   {"least", true},
                                   {"most", true},
                                   {"unit", false, false, true},
                                   {"group", false, true}},
                                  std::move(rows), style);
    LabelledText foot(style, 11);
    if (!it.splits.empty() && !all)
        foot.add("open", fmt::format("{} facts have no majority (-v)", it.splits.size()));
    foot.add("odd hosts", fmt::format("{} of {}", it.odd_hosts.size(), it.hosts));
    if (auto const names = excluded(it); !names.empty())
        foot.add("exclude", shorten(hostlist(names), 400));
    for (auto const& note : it.notes) foot.add("note", note);
    return text + '\n' + foot.take();
}

std::string fleet_markdown(Report const& report, TextStyle const&) {
    auto const& it = *report.fleet;
    auto text = fmt::format("## rocmtune fleet\n\n{}\n\n", counts_of(it));
    text += markdown_table({"group", "hosts", "GPUs", "facts that are equal"}, group_rows(it));
    text += markdown_table({"verdict", "id", "finding", "where"}, finding_rows(report));
    text += markdown_table({"no majority", "values", "group"}, split_rows(it));
    text += markdown_table(
        {"measured", "GPUs", "median", "deviation", "least", "most", "unit", "group"},
        figure_rows(it));
    for (auto const& note : it.notes) text += "- " + markdown_cell(note) + '\n';
    return text;
}

std::string fleet_prom(Report const& report, TextStyle const&) {
    auto const& it = *report.fleet;
    PromMetric reports("rocmtune_fleet_reports", "gauge", "Reports by what became of them.");
    reports.add(prom_label("state", "read"), static_cast<double>(it.reports));
    reports.add(prom_label("state", "skipped"), static_cast<double>(it.skipped));
    reports.add(prom_label("state", "duplicate"), static_cast<double>(it.duplicates));
    PromMetric hosts("rocmtune_fleet_hosts", "gauge", "Hosts of a group.");
    PromMetric gpus("rocmtune_fleet_gpus", "gauge", "GPUs of a group.");
    for (auto const& group : it.groups) {
        hosts.add(prom_label("group", group.name), static_cast<double>(group.hosts));
        gpus.add(prom_label("group", group.name), static_cast<double>(group.gpus));
    }
    PromMetric odd("rocmtune_fleet_odd_host", "gauge",
                   "A host that differs from most of its group; the id says in what.");
    for (auto const& host : it.odd_hosts)
        for (auto const& id : host.ids)
            odd.add(prom_label("host", host.host) + ',' + prom_label("id", id), 1);
    PromMetric median("rocmtune_fleet_median", "gauge", "Median of a figure over a group.");
    for (auto const& figure : it.figures)
        median.add(prom_label("group", figure.group) + ',' +
                       prom_label("measured", figure.measured) + ',' +
                       prom_label("unit", figure.unit),
                   figure.median);
    return reports.text() + hosts.text() + gpus.text() + odd.text() + median.text();
}

std::string fleet_slurm(Report const& report, TextStyle const&) {
    return hostlist(excluded(*report.fleet)) + '\n';
}

}  // namespace rocmtune
