// SPDX-License-Identifier: MIT
// Prometheus text format 0.0.4. Labels are bounded: ids of checks, addresses of GPUs and names of
// sensors and blocks, never a message.
#include <fmt/format.h>

#include "host/subject.hpp"
#include "show/check_formats.hpp"
#include "show/prom.hpp"

namespace rocmtune {
namespace {

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

template <class T, std::size_t count>
std::string gpu_metrics(Host const& host, Row<T> const (&rows)[count]) {
    std::string text;
    for (auto const& row : rows) {
        PromMetric metric(row.name, row.type, row.help);
        for (auto const& gpu : host.gpus)
            if (auto const& fact = gpu.*row.fact)
                metric.add(prom_label("gpu", subject_of(gpu)), static_cast<double>(*fact));
        text += metric.text();
    }
    return text;
}

std::string sensors(Host const& host) {
    PromMetric metric("rocmtune_gpu_temperature_celsius", "gauge", "Temperature.");
    for (auto const& gpu : host.gpus) {
        if (!gpu.temperatures) continue;
        for (auto const& sensor : *gpu.temperatures)
            if (sensor.celsius)
                metric.add(
                    prom_label("gpu", subject_of(gpu)) + ',' + prom_label("sensor", sensor.name),
                    *sensor.celsius);
    }
    return metric.text();
}

std::string errors(Host const& host) {
    PromMetric metric("rocmtune_gpu_ras_errors_total", "counter",
                      "Hardware errors counted since the driver was loaded.");
    for (auto const& gpu : host.gpus) {
        if (!gpu.ras_blocks) continue;
        for (auto const& block : *gpu.ras_blocks)
            for (auto const& [kind, count] : {std::pair{"uncorrectable", block.uncorrectable},
                                              std::pair{"correctable", block.correctable},
                                              std::pair{"deferred", block.deferred}})
                if (count)
                    metric.add(prom_label("gpu", subject_of(gpu)) + ',' +
                                   prom_label("block", block.name) + ',' + prom_label("kind", kind),
                               static_cast<double>(*count));
    }
    return metric.text();
}

std::string results(Report const& report) {
    auto const& check = *report.check;
    PromMetric counts("rocmtune_check_results", "gauge", "Results of rocmtune check by verdict.");
    for (std::size_t i = 0; i < check.counts.size(); ++i)
        counts.add(prom_label("verdict", verdict_words[i]), static_cast<double>(check.counts[i]));
    PromMetric gpus("rocmtune_check_gpus", "gauge", "GPUs that were to be checked.");
    gpus.add("", static_cast<double>(check.gpus));
    PromMetric judged("rocmtune_check_gpus_judged", "gauge",
                      "GPUs for which an essential check gave an answer.");
    judged.add("", static_cast<double>(check.gpus_judged));
    PromMetric exercised("rocmtune_check_gpus_exercised", "gauge",
                         "GPUs that copied or computed with the right result.");
    if (check.gpus_exercised) exercised.add("", static_cast<double>(*check.gpus_exercised));
    PromMetric code("rocmtune_check_exit_code", "gauge", "Exit code that the results stand for.");
    code.add("", static_cast<double>(report.exit_code));
    PromMetric found("rocmtune_check_finding", "gauge", "Number of results that ask for a step.");
    std::map<std::string, double> samples;  // a series must not occur twice
    for (auto const* finding : complaints_of(report))
        ++samples[prom_label("id", finding->id) + ',' +
                  prom_label("verdict", word_of(finding->verdict)) + ',' +
                  prom_label("subject", finding->subject)];
    for (auto const& [labels, count] : samples) found.add(labels, count);
    return counts.text() + gpus.text() + judged.text() + exercised.text() + code.text() +
           found.text();
}

}  // namespace

std::string host_prom(Host const& host) {
    return gpu_metrics(host, numbers) + gpu_metrics(host, reals) + sensors(host) + errors(host);
}

std::string check_prom(Report const& report, TextStyle const&) {
    return results(report) + (report.host ? host_prom(*report.host) : "");
}

}  // namespace rocmtune
