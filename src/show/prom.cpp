// SPDX-License-Identifier: MIT
// Prometheus text format 0.0.4. Labels are bounded: ids of checks, addresses of GPUs and names of
// sensors and blocks, never a message.
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/host.hpp"
#include "base/text.hpp"
#include "show/findings.hpp"
#include "show/machine_formats.hpp"

namespace rocmtune {
namespace {

/// name="value" with what the format needs escaped; control characters are shown as text.
std::string label(std::string_view name, std::string_view value) {
    return fmt::format("{}=\"{}\"", name,
                       replaced(printable(value), {{'\\', "\\\\"}, {'"', "\\\""}}));
}

/// One metric; without a sample nothing of it is printed. A series must not occur twice: of equal
/// ones the first counts.
class Metric {
  public:
    Metric(std::string_view name, std::string_view help, std::string_view type = "gauge")
        : name_(name), text_(fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help)) {}

    template <class Number>
    Metric& add(std::vector<std::string> const& labels, Number number) {
        auto const value = static_cast<double>(number);
        auto const all = joined(labels, ",");
        if (!std::isfinite(value) || !series_.insert(all).second) return *this;
        text_ += all.empty() ? fmt::format("{} {}\n", name_, value)
                             : fmt::format("{}{{{}}} {}\n", name_, all, value);
        return *this;
    }
    std::string text() const { return series_.empty() ? std::string() : text_; }

  private:
    std::string_view name_;
    std::string text_;
    std::set<std::string> series_;
};

template <class Number>
std::string single(std::string_view name, std::string_view help, Number value) {
    return Metric(name, help).add({}, value).text();
}

std::string by_verdict(std::string_view name, std::string_view help, VerdictCounts const& counts) {
    Metric metric(name, help);
    for (std::size_t i = 0; i < counts.size(); ++i)
        metric.add({label("verdict", verdict_words[i])}, counts[i]);
    return metric.text();
}

// ---- GPUs ---------------------------------------------------------------------------------------

template <class T>
struct Row {
    Fact<T> Gpu::*fact;
    std::string_view name;
    std::string_view type;
    std::string_view help;
};

constexpr Row<std::uint64_t> numbers[] = {
    {&Gpu::vram_bytes, "rocmtune_gpu_memory_bytes", "gauge", "Device memory."},
    {&Gpu::vram_used_bytes, "rocmtune_gpu_memory_used_bytes", "gauge", "Device memory in use."},
    {&Gpu::busy_percent, "rocmtune_gpu_busy_percent", "gauge", "Share of time it was busy."},
    {&Gpu::link_current_width, "rocmtune_gpu_link_lanes", "gauge", "PCIe lanes in use."},
    {&Gpu::link_max_width, "rocmtune_gpu_link_max_lanes", "gauge", "PCIe lanes possible."},
    {&Gpu::pcie_replay_count, "rocmtune_gpu_pcie_replays_total", "counter",
     "PCIe packets sent again since the driver was loaded."},
    {&Gpu::bad_pages_retired, "rocmtune_gpu_bad_pages_retired", "gauge",
     "Memory pages taken out of use."},
    {&Gpu::bad_pages_pending, "rocmtune_gpu_bad_pages_pending", "gauge",
     "Memory pages to be retired at the next reset."},
};

constexpr Row<double> reals[] = {
    {&Gpu::power_watts, "rocmtune_gpu_power_watts", "gauge", "Power drawn."},
    {&Gpu::power_cap_watts, "rocmtune_gpu_power_limit_watts", "gauge", "Power limit."},
    {&Gpu::link_current_gt_per_s, "rocmtune_gpu_link_gt_per_second", "gauge",
     "PCIe transfer rate per lane."},
};

std::string gpu_label(Gpu const& gpu) {
    return label("gpu", subject_of(gpu));
}

template <class T, std::size_t count>
std::string gpu_metrics(Host const& host, Row<T> const (&rows)[count]) {
    std::string text;
    for (auto const& row : rows) {
        Metric metric(row.name, row.help, row.type);
        for (auto const& gpu : host.gpus)
            if (auto const& fact = gpu.*row.fact) metric.add({gpu_label(gpu)}, *fact);
        text += metric.text();
    }
    return text;
}

std::string host_metrics(Host const& host) {
    Metric celsius("rocmtune_gpu_temperature_celsius", "Temperature.");
    Metric errors("rocmtune_gpu_ras_errors_total",
                  "Hardware errors counted since the driver was loaded.", "counter");
    for (auto const& gpu : host.gpus) {
        if (gpu.temperatures)
            for (auto const& sensor : *gpu.temperatures)
                if (sensor.celsius)
                    celsius.add({gpu_label(gpu), label("sensor", sensor.name)}, *sensor.celsius);
        if (!gpu.ras_blocks) continue;
        for (auto const& block : *gpu.ras_blocks)
            for (auto const& [kind, count] : {std::pair{"uncorrectable", block.uncorrectable},
                                              std::pair{"correctable", block.correctable},
                                              std::pair{"deferred", block.deferred}})
                if (count)
                    errors.add({gpu_label(gpu), label("block", block.name), label("kind", kind)},
                               *count);
    }
    return gpu_metrics(host, numbers) + gpu_metrics(host, reals) + celsius.text() + errors.text();
}

// ---- measurements -------------------------------------------------------------------------------

/// The GPU as every other metric names it, else the device as its backend does.
std::string device_of(Report const& report, Measurement const& one) {
    if (one.gpu && report.host)
        for (auto const& gpu : report.host->gpus)
            if (gpu.row.value() == one.gpu && gpu.pci_address) return subject_of(gpu);
    return fmt::format("{}:{}", one.backend, one.parameters.index.value_or(0));
}

/// What tells figures of one metric apart, and nothing that changes from run to run.
std::vector<std::string> labels_of(Report const& report, Measurement const& one) {
    auto const& it = one.parameters;
    std::vector<std::string> labels{label("gpu", device_of(report, one)),
                                    label("benchmark", one.benchmark), label("metric", one.metric)};
    auto const add = [&](std::string_view name, auto const& value) {
        if (value) labels.push_back(label(name, fmt::format("{}", *value)));
    };
    add("dtype", it.dtype);
    add("mode", it.mode);
    add("kernel", it.kernel);
    add("peer", it.peer);
    add("bytes", it.bytes);
    add("size", it.size);
    add("devices", it.devices);
    return labels;
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

/// The series in the order of their labels.
template <class ValueOf>
std::string measured(Report const& report, std::string_view name, std::string_view help,
                     ValueOf value_of) {
    std::map<std::string, double> samples;
    for (auto const& one : report.measurements)
        if (one.value)
            if (std::optional<double> const value = value_of(one))
                samples.emplace(joined(labels_of(report, one), ","), *value);
    Metric metric(name, help);
    for (auto const& [labels, value] : samples) metric.add({labels}, value);
    return metric.text();
}

std::string measured(Report const& report) {
    std::string text;
    for (auto const& unit : units)
        text += measured(report, unit.name, unit.help, [&](Measurement const& one) {
            return one.unit == unit.unit ? std::optional(*one.value * unit.factor) : std::nullopt;
        });
    return text + measured(report, "rocmtune_bench_efficiency_ratio",
                           "Measured figure divided by the theoretical peak.",
                           [](Measurement const& one) { return one.efficiency; });
}

// ---- answers ------------------------------------------------------------------------------------

std::string diagnosed(Diagnosis const& it) {
    Metric cause("rocmtune_diagnosis_cause",
                 "A cause that diagnose looked for; the verdict says whether it is so here.");
    for (auto const& one : it.causes)
        cause.add({label("id", one.id), label("verdict", word_of(one.verdict)),
                   label("subject", one.subject)},
                  1);
    return Metric("rocmtune_diagnosis", "What diagnose came to.")
               .add({label("answer", word_of(it.answer))}, 1)
               .text() +
           cause.text();
}

/// Whether one of them runs here: 1, 0, or no sample where that is not known.
std::string offered(BuildsView const& it) {
    std::map<std::string, bool> runs;
    for (auto const& build : it.builds)
        if (build.runs_here) runs[build.framework] |= *build.runs_here && build.command;
    Metric metric("rocmtune_builds_run_here", "Whether a published build runs on this host.");
    for (auto const& [framework, answer] : runs)
        metric.add({label("framework", framework)}, answer);
    return metric.text();
}

}  // namespace

std::string check_prom(Report const& report, TextStyle const&) {
    auto const& check = *report.check;
    std::map<std::vector<std::string>, int> complaints;
    for (auto const* finding : complaints_of(report.findings))
        ++complaints[{label("id", finding->id), label("verdict", word_of(finding->verdict)),
                      label("subject", finding->subject)}];
    Metric advisory("rocmtune_check_advisory", "A known defect of the versions that are here.");
    for (auto const& finding : report.findings)
        if (finding.id.starts_with("RT9") && finding.verdict != Verdict::pass &&
            finding.verdict <= Verdict::fail)
            advisory.add({label("id", finding.id), label("subject", finding.subject)}, 1);
    Metric found("rocmtune_check_finding", "Number of results that ask for a step.");
    for (auto const& [labels, count] : complaints) found.add(labels, count);
    return by_verdict("rocmtune_check_results", "Results of rocmtune check by verdict.",
                      check.counts) +
           single("rocmtune_check_gpus", "GPUs that were to be checked.", check.gpus) +
           single("rocmtune_check_gpus_judged", "GPUs for which an essential check gave an answer.",
                  check.gpus_judged) +
           (check.gpus_exercised ? single("rocmtune_check_gpus_exercised",
                                          "GPUs that copied or computed with the right result.",
                                          *check.gpus_exercised)
                                 : "") +
           single("rocmtune_check_exit_code", "Exit code that the results stand for.",
                  report.exit_code) +
           found.text() + advisory.text() + (report.host ? host_metrics(*report.host) : "");
}

std::string report_prom(Report const& report, TextStyle const& style) {
    std::map<std::string, int> kinds;
    if (report.advice)
        for (auto const& one : report.advice->recommendations) ++kinds[one.kind];
    Metric advice("rocmtune_report_recommendations",
                  "Settings and practices that are advised, by kind.");
    for (auto const& [kind, count] : kinds) advice.add({label("kind", kind)}, count);
    return (report.check  ? check_prom(report, style)
            : report.host ? host_metrics(*report.host)
                          : std::string()) +
           by_verdict("rocmtune_report_findings", "Findings of all parts of a report by verdict.",
                      counts_of(report.findings)) +
           advice.text() + measured(report) +
           (report.diagnosis ? diagnosed(*report.diagnosis) : std::string()) +
           (report.builds ? offered(*report.builds) : std::string());
}

std::string fleet_prom(Report const& report, TextStyle const&) {
    auto const& it = *report.fleet;
    Metric reports("rocmtune_fleet_reports", "Reports by what became of them.");
    reports.add({label("state", "read")}, it.reports)
        .add({label("state", "skipped")}, it.skipped)
        .add({label("state", "duplicate")}, it.duplicates);
    Metric hosts("rocmtune_fleet_hosts", "Hosts of a group.");
    Metric gpus("rocmtune_fleet_gpus", "GPUs of a group.");
    for (auto const& group : it.groups) {
        hosts.add({label("group", group.name)}, group.hosts);
        gpus.add({label("group", group.name)}, group.gpus);
    }
    Metric odd("rocmtune_fleet_odd_host",
               "A host that differs from most of its group; the id says in what.");
    for (auto const& host : it.odd_hosts)
        for (auto const& id : host.ids) odd.add({label("host", host.host), label("id", id)}, 1);
    Metric median("rocmtune_fleet_median", "Median of a figure over a group.");
    for (auto const& figure : it.figures)
        median.add({label("group", figure.group), label("measured", figure.measured),
                    label("unit", figure.unit)},
                   figure.median);
    return reports.text() + hosts.text() + gpus.text() + odd.text() + median.text();
}

}  // namespace rocmtune
