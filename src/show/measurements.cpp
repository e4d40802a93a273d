// SPDX-License-Identifier: MIT
#include "show/measurements.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "show/documents.hpp"

namespace rocmtune {
namespace {

/// Four significant digits; a figure of a benchmark has no more.
std::string number(double value) {
    return value >= 1e-3 || value == 0 ? figure_text(value) : fmt::format("{:.2e}", value);
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
    return joined(parts, " ");
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
    return joined(one.labels, " ");
}

std::vector<Column> columns() {
    return {{"benchmark"},        {"metric"},
            {"median", true},     {"unit"},
            {"of peak", true},    {"p10, p90", true, true},
            {"how", false, true}, {"notes", false, false, true}};
}

using Figures = std::vector<Measurement const*>;

/// What is wrong with the figures that are none, and what was said of the device and cannot be,
/// once each.
void show_remarks(Figures const& all, Printer& out) {
    std::map<std::string, std::vector<std::string>> by_reason;
    for (auto const* const one : all)
        if (one->status != "ok" && one->detail)
            by_reason[one->status + ": " + *one->detail].push_back(one->metric);
    for (auto const& [reason, metrics] : by_reason)
        out.note(joined(metrics) + ": " + reason, Emphasis::notable);
    std::set<std::string> seen;
    for (auto const* const one : all)
        for (auto const& note : one->notes)
            if (seen.insert(note).second) out.note(note, Emphasis::notable);
}

void show_device(std::string const& name, Figures const& all, Printer& out) {
    Table table{.columns = columns()};
    for (auto const* const one : all) table.rows.push_back(measurement_cells(*one));
    out.heading(name);
    out.table(std::move(table));
    for (auto const* const one : all)
        if (one->profile) out.note(profile_text(*one->profile));
    show_remarks(all, out);
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

void show_measurements(Report const& report, Printer& out) {
    std::vector<std::pair<std::string, Figures>> devices;
    for (auto const& one : report.measurements) {
        auto const name = device_text(one);
        auto const found =
            std::ranges::find(devices, name, [](auto const& it) { return it.first; });
        if (found == devices.end()) devices.push_back({name, {&one}});
        else found->second.push_back(&one);
    }
    for (auto const& [name, all] : devices) show_device(name, all, out);
    out.paragraph(verified_text(report.measurements) +
                  "; rocmtune-bench(1) says how figures are counted");
}

void show_cache(Report const& report, Printer& out) {
    auto const& cache = *report.cache;
    auto const line = [&](std::string_view label, std::string const& text) {
        return fmt::format("{:<9}  {}\n", label, for_screen(text, out.style()));
    };
    out.verbatim(
        line("directory", cache.directory.value_or("-")) +
        line("entries", cache.entries ? std::to_string(*cache.entries) : "-") +
        line("size", fmt::format("{} of at most {}", cache.bytes ? human_bytes(*cache.bytes) : "-",
                                 human_bytes(cache.most_bytes))) +
        (cache.problem ? line("problem", *cache.problem + "; kernels are compiled at every run")
                       : ""));
}

}  // namespace rocmtune
