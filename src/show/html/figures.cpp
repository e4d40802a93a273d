// SPDX-License-Identifier: MIT
// Tables and charts of figures.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "show/html/parts.hpp"
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
using Groups = std::vector<std::pair<std::string, Group>>;

/// In the order of their first figure.
Groups groups_of(std::vector<Measurement> const& all) {
    Groups groups;
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

double median(std::vector<double> values) {
    auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    if (values.size() % 2 == 1) return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

std::string interval(Measurement const& one) {
    return one.low && one.high
               ? fmt::format("{} to {}", figure_text(*one.low), figure_text(*one.high))
               : "-";
}

std::string notes(Measurement const& one) {
    std::vector<std::string> parts;
    if (one.status != "ok") parts.push_back(one.status + ": " + one.detail.value_or("no reason"));
    if (one.status == "ok" && !one.verified) parts.emplace_back("not verified");
    for (auto const& label : one.labels) parts.push_back(label);
    return joined(parts);
}

Table single_table(std::vector<Measurement> const& all, std::string const& benchmark) {
    using enum CellKind;
    Table table{.columns = {{"device"},
                            {"metric"},
                            {.heading = "median", .kind = number},
                            {"unit"},
                            {"95 % interval"},
                            {.heading = "of peak", .kind = number},
                            {.heading = "target", .kind = number},
                            {"how"},
                            {"notes"}},
                .caption = fmt::format("Figures of {} on each device", benchmark)};
    for (auto const& one : all) {
        if (one.benchmark != benchmark || is_between_gpus(one)) continue;
        auto const cells = measurement_cells(one);
        table.rows.push_back({short_device(one), cells[1], cells[2], one.unit, interval(one),
                              cells[4], one.target ? figure_text(*one.target) : "-", cells[6],
                              notes(one)});
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
        return one == nullptr
                   ? std::string("-")
                   : fmt::format("{} ({})", figure_text(*one->value), short_device(*one));
    };
    return {cells[1],
            fmt::format("{}", values.size()),
            values.empty() ? "-" : figure_text(median(values)),
            group.front()->unit,
            end(least),
            end(most),
            cells[6],
            notes_of(group)};
}

Table grouped_table(Groups const& groups, std::string const& benchmark) {
    using enum CellKind;
    Table table{.columns = {{"metric"},
                            {.heading = "devices", .kind = number},
                            {.heading = "median", .kind = number},
                            {"unit"},
                            {"least"},
                            {"most"},
                            {"how"},
                            {"notes"}},
                .caption = fmt::format("Figures of {} over all devices", benchmark)};
    for (auto const& [topic, group] : groups)
        if (group.front()->benchmark == benchmark) table.rows.push_back(group_row(group));
    return table;
}

void show_benchmark(std::vector<Measurement> const& all, Groups const& groups, std::size_t devices,
                    std::string const& benchmark, Printer& out) {
    out.heading(benchmark);
    if (devices <= few_devices) return out.table(single_table(all, benchmark));
    out.table(grouped_table(groups, benchmark));
    if (devices > most_devices) return;
    out.fold("Each device");
    out.table(single_table(all, benchmark));
    out.end_fold();
}

void show_tables(std::vector<Measurement> const& all, Groups const& groups, Printer& out) {
    std::vector<std::string> benchmarks;
    for (auto const& one : all)
        if (!is_between_gpus(one) && benchmarks.size() < most_benchmarks &&
            std::ranges::find(benchmarks, one.benchmark) == benchmarks.end())
            benchmarks.push_back(one.benchmark);
    auto const devices = devices_in(all);
    for (auto const& benchmark : benchmarks) show_benchmark(all, groups, devices, benchmark, out);
}

/// Bars of the median of all devices, one for each kind of figure.
Charts efficiency_chart(Groups const& groups) {
    Charts chart{{"kind", "efficiency"},
                 {"labels", Charts::array()},
                 {"measured", Charts::array()},
                 {"target", Charts::array()}};
    for (auto const& [topic, group] : groups) {
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
Charts devices_chart(Groups const& groups) {
    Charts chart{{"kind", "devices"}, {"series", Charts::array()}};
    for (auto const& [topic, group] : groups) {
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

void show_charts(Groups const& groups, Printer& out) {
    if (auto const chart = efficiency_chart(groups); !chart["labels"].empty())
        out.chart(chart,
                  "Share of the theoretical peak that was reached, median of all devices, and the "
                  "target where a source states one. The tables below have the figures.");
    if (auto const chart = devices_chart(groups); !chart["series"].empty())
        out.chart(chart, "The same figure on each device. The tables below have the figures.");
}

}  // namespace

void show_figures(Report const& report, Printer& out) {
    auto const groups = groups_of(report.measurements);
    if (groups.empty()) return;
    out.paragraph(verified_text(report.measurements) +
                  "; a figure is the median of its samples, and is printed only if the result was "
                  "right.");
    show_charts(groups, out);
    if (!has_charts())
        out.paragraph("This program was built without Chart.js: there are tables only.",
                      Emphasis::notable);
    show_tables(report.measurements, groups, out);
}

}  // namespace rocmtune
