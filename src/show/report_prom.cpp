// SPDX-License-Identifier: MIT
// A report for node_exporter: the metrics of check and of the GPUs, and what was measured.
#include <map>

#include <fmt/format.h>

#include "host/subject.hpp"
#include "show/check_formats.hpp"
#include "show/prom.hpp"
#include "show/report.hpp"

namespace rocmtune {
namespace {

/// The GPU as every other metric names it, else the device as its backend does.
std::string device_of(Report const& report, Measurement const& one) {
    if (one.gpu && report.host)
        for (auto const& gpu : report.host->gpus)
            if (gpu.row.value() == one.gpu && gpu.pci_address) return subject_of(gpu);
    return fmt::format("{}:{}", one.backend, one.parameters.index.value_or(0));
}

/// What tells figures of one metric apart, and nothing that changes from run to run.
std::string labels_of(Report const& report, Measurement const& one) {
    auto const& it = one.parameters;
    auto text = prom_label("gpu", device_of(report, one)) + ',' +
                prom_label("benchmark", one.benchmark) + ',' + prom_label("metric", one.metric);
    auto const add = [&](std::string_view name, std::optional<std::string> const& value) {
        if (value) text += ',' + prom_label(name, *value);
    };
    auto const count = [](std::optional<std::uint64_t> const& value) {
        return value ? std::optional(fmt::format("{}", *value)) : std::nullopt;
    };
    add("dtype", it.dtype);
    add("mode", it.mode);
    add("kernel", it.kernel);
    add("peer", it.peer);
    add("bytes", count(it.bytes));
    add("size", count(it.size));
    add("devices", count(it.devices));
    return text;
}

struct Unit {
    std::string_view unit;
    std::string_view name;
    std::string_view help;
    double factor;  ///< to the base unit, which Prometheus asks for
};

constexpr Unit units[] = {
    {"GB/s", "rocmtune_bench_bytes_per_second", "Measured throughput, median.", 1e9},
    {"TFLOP/s", "rocmtune_bench_flops_per_second", "Measured operations, median.", 1e12},
    {"ratio", "rocmtune_bench_ratio", "Measured ratio, median.", 1},
};

/// A series must not occur twice: of two equal measurements the first counts.
std::string metric(std::string_view name, std::string_view help,
                   std::map<std::string, double> const& samples) {
    PromMetric metric(name, "gauge", help);
    for (auto const& [labels, value] : samples) metric.add(labels, value);
    return metric.text();
}

std::string measured(Report const& report) {
    std::string text;
    for (auto const& unit : units) {
        std::map<std::string, double> samples;
        for (auto const& one : report.measurements)
            if (one.value && one.unit == unit.unit)
                samples.emplace(labels_of(report, one), *one.value * unit.factor);
        text += metric(unit.name, unit.help, samples);
    }
    std::map<std::string, double> shares;
    for (auto const& one : report.measurements)
        if (one.value && one.efficiency) shares.emplace(labels_of(report, one), *one.efficiency);
    return text + metric("rocmtune_bench_efficiency_ratio",
                         "Measured figure divided by the theoretical peak.", shares);
}

std::string judged(Report const& report) {
    PromMetric findings("rocmtune_report_findings", "gauge",
                        "Findings of all parts of a report by verdict.");
    std::map<Verdict, double> counts;
    for (auto const& finding : report.findings) ++counts[finding.verdict];
    for (std::size_t i = 0; i < verdict_words.size(); ++i)
        findings.add(prom_label("verdict", verdict_words[i]), counts[static_cast<Verdict>(i)]);
    PromMetric advice("rocmtune_report_recommendations", "gauge",
                      "Settings and practices that are advised, by kind.");
    if (report.advice) {
        std::map<std::string, double> kinds;
        for (auto const& one : report.advice->recommendations) ++kinds[one.kind];
        for (auto const& [kind, count] : kinds) advice.add(prom_label("kind", kind), count);
    }
    return findings.text() + advice.text();
}

}  // namespace

std::string report_prom(Report const& report, TextStyle const& style) {
    auto text = report.check  ? check_prom(report, style)
                : report.host ? host_prom(*report.host)
                              : std::string();
    return text + judged(report) + measured(report);
}

}  // namespace rocmtune
