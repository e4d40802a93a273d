// SPDX-License-Identifier: MIT
// Tables and charts of figures.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "show/host_cells.hpp"
#include "show/html/measured.hpp"
#include "show/html/page.hpp"
#include "show/measurements.hpp"

namespace rocmtune {
namespace {

/// More devices are shown by median, least and most first: rows of each would hide what they say.
constexpr std::size_t few_devices = 2;
/// A page of 64 GPUs must open, too, and one of a stranger's report.
constexpr std::size_t most_devices = 16;
constexpr std::size_t most_benchmarks = 32;
constexpr std::size_t most_bars = 200;

bool is_between_gpus(Measurement const& one) {
    return one.parameters.peer.has_value();
}

/// "GPU 3", or the device as its backend counts.
std::string short_device(Measurement const& one) {
    if (one.gpu) return fmt::format("GPU {}", *one.gpu);
    return fmt::format("{}:{}", one.backend, one.parameters.index.value_or(0));
}

/// Everything of a figure but the device: equal for figures that can be compared.
std::string topic_of(Measurement const& one) {
    auto const cells = measurement_cells(one);
    return fmt::format("{} {} {}", one.benchmark, cells[1], cells[6]);
}

using Group = std::vector<Measurement const*>;

/// In the order of their first figure.
std::vector<std::pair<std::string, Group>> groups_of(std::vector<Measurement> const& all) {
    std::vector<std::pair<std::string, Group>> groups;
    std::map<std::string, std::size_t> places;
    for (auto const& one : all) {
        if (is_between_gpus(one)) continue;
        auto const topic = topic_of(one);
        auto const [place, is_new] = places.emplace(topic, groups.size());
        if (is_new) groups.push_back({topic, {}});
        groups[place->second].second.push_back(&one);
    }
    return groups;
}

std::size_t devices_in(std::vector<Measurement> const& all) {
    std::set<std::string> names;
    for (auto const& one : all) names.insert(short_device(one));
    return names.size();
}

std::string number(double value) {
    return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

double median(std::vector<double> values) {
    auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    if (values.size() % 2 == 1) return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

std::string percent(std::optional<double> ratio) {
    return ratio ? fmt::format("{:.1f} %", 100 * *ratio) : "-";
}

std::string interval(Measurement const& one) {
    return one.low && one.high ? fmt::format("{} to {}", number(*one.low), number(*one.high)) : "-";
}

std::string notes(Measurement const& one) {
    std::vector<std::string> parts;
    if (one.status != "ok") parts.push_back(one.status + ": " + one.detail.value_or("no reason"));
    if (one.status == "ok" && !one.verified) parts.emplace_back("not verified");
    for (auto const& label : one.labels) parts.push_back(label);
    return joined(parts);
}

TextTable single_table(std::vector<Measurement> const& all, std::string const& benchmark) {
    TextTable table{.headings = {"device", "metric", "median", "unit", "95 % interval", "of peak",
                                 "target", "how", "notes"}};
    for (auto const& one : all) {
        if (one.benchmark != benchmark || is_between_gpus(one)) continue;
        auto const cells = measurement_cells(one);
        table.rows.push_back({short_device(one), cells[1], cells[2], one.unit, interval(one),
                              percent(one.efficiency), one.target ? number(*one.target) : "-",
                              cells[6], notes(one)});
    }
    return table;
}

/// What to keep in mind of several figures, each with the number of those that it is said of.
std::string notes_of(Group const& group) {
    std::map<std::string, std::size_t> counts;
    for (auto const* one : group) {
        if (!one->value) ++counts["without a figure: " + one->status];
        else if (!one->verified) ++counts["not verified"];
        for (auto const& label : one->labels) ++counts[label];
    }
    std::vector<std::string> parts;
    for (auto const& [label, count] : counts)
        parts.push_back(count == group.size() ? label : fmt::format("{} ({})", label, count));
    return joined(parts);
}

/// Median, least and most of many devices; the least is the one to look at.
std::vector<std::string> group_row(Group const& group) {
    std::vector<double> values;
    Measurement const* least = nullptr;
    Measurement const* most = nullptr;
    for (auto const* one : group) {
        if (!one->value) continue;
        values.push_back(*one->value);
        if (least == nullptr || *one->value < *least->value) least = one;
        if (most == nullptr || *one->value > *most->value) most = one;
    }
    auto const cells = measurement_cells(*group.front());
    auto const end = [](Measurement const* one) {
        return one == nullptr ? std::string("-")
                              : fmt::format("{} ({})", number(*one->value), short_device(*one));
    };
    return {cells[1],
            fmt::format("{}", values.size()),
            values.empty() ? "-" : number(median(values)),
            group.front()->unit,
            end(least),
            end(most),
            cells[6],
            notes_of(group)};
}

TextTable grouped_table(std::vector<Measurement> const& all, std::string const& benchmark) {
    TextTable table{
        .headings = {"metric", "devices", "median", "unit", "least", "most", "how", "notes"}};
    for (auto const& [topic, group] : groups_of(all))
        if (group.front()->benchmark == benchmark) table.rows.push_back(group_row(group));
    return table;
}

Html each_device(std::vector<Measurement> const& all, std::string const& benchmark) {
    using enum CellKind;
    return table_html(
        fmt::format("Figures of {} on each device", benchmark), single_table(all, benchmark),
        {text, text, CellKind::number, text, text, CellKind::number, CellKind::number});
}

void add_benchmark(std::vector<Measurement> const& all, std::string const& benchmark, Html& html) {
    using enum CellKind;
    auto const devices = devices_in(all);
    if (devices <= few_devices) return (void)html.part(each_device(all, benchmark));
    html.part(table_html(fmt::format("Figures of {} over all devices", benchmark),
                         grouped_table(all, benchmark),
                         {text, CellKind::number, CellKind::number, text, text, text}));
    if (devices > most_devices) return;
    html.open("details").element("summary", "Each device");
    html.part(each_device(all, benchmark)).close();
}

void add_tables(Report const& report, Html& html) {
    std::vector<std::string> benchmarks;
    for (auto const& one : report.measurements)
        if (!is_between_gpus(one) && benchmarks.size() < most_benchmarks &&
            std::ranges::find(benchmarks, one.benchmark) == benchmarks.end())
            benchmarks.push_back(one.benchmark);
    for (auto const& benchmark : benchmarks) {
        html.element("h3", benchmark);
        add_benchmark(report.measurements, benchmark, html);
    }
}

/// Bars of the median of all devices, one for each kind of figure.
Charts efficiency_chart(std::vector<Measurement> const& all) {
    Charts chart{{"kind", "efficiency"},
                 {"labels", Charts::array()},
                 {"measured", Charts::array()},
                 {"target", Charts::array()}};
    for (auto const& [topic, group] : groups_of(all)) {
        std::vector<double> shares;
        std::optional<double> target;
        for (auto const* one : group) {
            if (!one->efficiency || !one->value || *one->efficiency <= 0) continue;
            shares.push_back(100 * *one->efficiency);
            if (one->target) target = 100 * *one->target * *one->efficiency / *one->value;
        }
        if (shares.empty() || chart["labels"].size() == most_bars) continue;
        chart["labels"].push_back(topic);
        chart["measured"].push_back(median(shares));
        chart["target"].push_back(target ? Charts(*target) : Charts(nullptr));
    }
    return chart;
}

/// Figures of the same kind beside each other, one series for each kind.
Charts devices_chart(std::vector<Measurement> const& all) {
    Charts chart{{"kind", "devices"}, {"series", Charts::array()}};
    for (auto const& [topic, group] : groups_of(all)) {
        Charts series{{"name", topic},
                      {"unit", group.front()->unit},
                      {"labels", Charts::array()},
                      {"values", Charts::array()}};
        for (auto const* one : group) {
            if (!one->value) continue;
            series["labels"].push_back(short_device(*one));
            series["values"].push_back(*one->value);
        }
        if (series["values"].size() > 1 && chart["series"].size() < most_bars)
            chart["series"].push_back(std::move(series));
    }
    return chart;
}

void add_charts(Report const& report, Charts& charts, Html& html) {
    if (auto chart = efficiency_chart(report.measurements); !chart["labels"].empty()) {
        html.part(chart_html(charts.size(),
                             "Share of the theoretical peak that was reached, median of all "
                             "devices, and the target where a source states one. The tables below "
                             "have the figures."));
        charts.push_back(std::move(chart));
    }
    if (auto chart = devices_chart(report.measurements); !chart["series"].empty()) {
        html.part(chart_html(charts.size(),
                             "The same figure on each device. The tables below have the figures."));
        charts.push_back(std::move(chart));
    }
}

}  // namespace

Html figures_html(Report const& report, Charts& charts) {
    Html html;
    if (groups_of(report.measurements).empty()) return html;
    html.element("p", verified_text(report.measurements) +
                          "; a figure is the median of its samples, and is printed only if the "
                          "result was right.");
    add_charts(report, charts, html);
    if (!has_charts())
        html.element("p", "This program was built without Chart.js: there are tables only.",
                     {{"class", "note"}});
    add_tables(report, html);
    return html;
}

}  // namespace rocmtune
