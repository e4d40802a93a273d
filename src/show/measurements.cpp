// SPDX-License-Identifier: MIT
#include "show/measurements.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "show/layout.hpp"

namespace rocmtune {
namespace {

/// Four significant digits; a figure of a benchmark has no more.
std::string number(double value) {
    if (value >= 1000) return fmt::format("{:.0f}", value);
    return value >= 1e-3 || value == 0 ? fmt::format("{:.4g}", value)
                                       : fmt::format("{:.2e}", value);
}

std::string spread(Measurement const& one) {
    if (!one.p10 || !one.p90 || !one.value || *one.value <= 0) return "-";
    return fmt::format("-{:.1f} +{:.1f} %", 100 * (1 - *one.p10 / *one.value),
                       100 * (*one.p90 / *one.value - 1));
}

std::string method(Measurement const& one) {
    std::vector<std::string> parts;
    auto const& it = one.parameters;
    if (it.dtype && one.benchmark != "gemm") parts.push_back(*it.dtype);
    if (it.mode) parts.push_back(*it.mode);
    if (it.kernel) parts.push_back(*it.kernel);
    if (it.link) parts.push_back("by " + *it.link);
    if (it.bytes) parts.push_back(human_bytes(*it.bytes));
    if (it.size) parts.push_back(fmt::format("n {}", *it.size));
    if (it.ticks) parts.push_back(fmt::format("{:.3g} ticks", static_cast<double>(*it.ticks)));
    return fmt::format("{}", fmt::join(parts, " "));
}

/// The metric with what tells rows of the same name apart even where there is no room for `how`.
std::string metric_of(Measurement const& one) {
    auto const& it = one.parameters;
    if (it.peer) return fmt::format("{} {}", one.metric, *it.peer);
    if (it.devices && it.bytes)
        return fmt::format("{} {} GPUs {}", one.metric, *it.devices, human_bytes(*it.bytes));
    if (it.devices) return fmt::format("{} {} GPUs", one.metric, *it.devices);
    return one.metric;
}

std::string notes(Measurement const& one) {
    if (one.status != "ok") return one.status;
    return fmt::format("{}", fmt::join(one.labels, " "));
}

std::vector<Column> columns() {
    return {{"benchmark"},        {"metric"},
            {"median", true},     {"unit"},
            {"of peak", true},    {"p10, p90", true, true},
            {"how", false, true}, {"notes", false, false, true}};
}

std::string remark(std::string const& line, TextStyle const& style) {
    std::string text;
    for (auto const& part : wrapped(for_screen(line, style), style.width - 1))
        text += ' ' + emphasised(part, Emphasis::notable, style) + '\n';
    return text;
}

/// What is wrong with the figures that are none, once each.
std::string problems(std::vector<Measurement const*> const& all, TextStyle const& style) {
    std::map<std::string, std::vector<std::string>> by_reason;
    for (auto const* const one : all)
        if (one->status != "ok" && one->detail)
            by_reason[one->status + ": " + *one->detail].push_back(one->metric);
    std::string text;
    for (auto const& [reason, metrics] : by_reason)
        text += remark(fmt::format("{}: {}", fmt::join(metrics, ", "), reason), style);
    return text;
}

/// What was said of the device and cannot be, once each.
std::string doubts(std::vector<Measurement const*> const& all, TextStyle const& style) {
    std::set<std::string> seen;
    std::string text;
    for (auto const* const one : all)
        for (auto const& note : one->notes)
            if (seen.insert(note).second) text += remark(note, style);
    return text;
}

std::string table_of(std::vector<Measurement const*> const& all, TextStyle const& style) {
    std::vector<std::vector<std::string>> rows;
    for (auto const* const one : all) rows.push_back(measurement_cells(*one));
    auto text = table_text(columns(), std::move(rows), style);
    for (auto const* const one : all)
        if (one->profile) text += ' ' + profile_text(*one->profile) + '\n';
    return text + problems(all, style) + doubts(all, style);
}

}  // namespace

std::string device_text(Measurement const& one) {
    auto const& it = one.parameters;
    std::vector<std::string> details;
    if (one.gpu) details.push_back(fmt::format("GPU {}", *one.gpu));
    if (it.pci_address) details.push_back(*it.pci_address);
    if (it.target) details.push_back(*it.target);
    return fmt::format("{}:{} {}{}", one.backend, it.index.value_or(0),
                       it.device.value_or("could not be opened"),
                       details.empty() ? "" : fmt::format(" ({})", fmt::join(details, ", ")));
}

std::vector<std::string> measurement_cells(Measurement const& one) {
    return {one.benchmark,
            metric_of(one),
            one.value ? number(*one.value) : "-",
            one.unit,
            one.efficiency ? fmt::format("{:.1f} %", 100 * *one.efficiency) : "-",
            spread(one),
            method(one),
            notes(one)};
}

std::string profile_text(VolumeProfile const& it) {
    return fmt::format(
        "point of control {:.10g}, value area {:.10g} to {:.10g}, volume {:.10g}, row height "
        "{:.10g}",
        it.point_of_control, it.value_area_low, it.value_area_high, it.total_volume, it.row_height);
}

std::string verified_text(std::vector<Measurement> const& all) {
    auto const verified = std::ranges::count(all, true, &Measurement::verified);
    return fmt::format("{} of {} results verified", verified, all.size());
}

std::vector<std::string> measurement_headings() {
    std::vector<std::string> headings;
    for (auto const& column : columns()) headings.push_back(column.heading);
    return headings;
}

std::string measurements_text(Report const& report, TextStyle const& style) {
    std::vector<std::pair<std::string, std::vector<Measurement const*>>> devices;
    for (auto const& one : report.measurements) {
        auto const name = device_text(one);
        auto const found = std::find_if(devices.begin(), devices.end(),
                                        [&](auto const& device) { return device.first == name; });
        if (found == devices.end()) devices.push_back({name, {&one}});
        else found->second.push_back(&one);
    }
    std::string text;
    for (auto const& [name, all] : devices) {
        if (!text.empty()) text += '\n';
        text += emphasised(for_screen(name, style), Emphasis::heading, style) + '\n' +
                table_of(all, style);
    }
    return text + fmt::format("\n{}; rocmtune-bench(1) says how figures are counted\n",
                              verified_text(report.measurements));
}

std::string cache_text(Report const& report, TextStyle const& style) {
    auto const& cache = *report.cache;
    auto text =
        fmt::format("directory  {}\nentries    {}\nsize       {} of at most {}\n",
                    for_screen(cache.directory.value_or("-"), style),
                    cache.entries ? std::to_string(*cache.entries) : "-",
                    cache.bytes ? human_bytes(*cache.bytes) : "-", human_bytes(cache.most_bytes));
    if (cache.problem)
        text += fmt::format("problem    {}; kernels are compiled at every run\n",
                            for_screen(*cache.problem, style));
    return text;
}

}  // namespace rocmtune
