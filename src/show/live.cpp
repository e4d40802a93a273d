// SPDX-License-Identifier: MIT
// The GPUs of a host as they are at this moment: what rocmtune probe --watch shows on a terminal.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "show/documents.hpp"
#include "show/host_cells.hpp"

namespace rocmtune {
namespace {

std::string share_text(Gpu const& gpu) {
    return gpu.busy_percent ? fmt::format("{} %", *gpu.busy_percent) : "-";
}

std::string used_memory_text(Gpu const& gpu) {
    if (!gpu.vram_used_bytes) return "-";
    auto const used = human_bytes(*gpu.vram_used_bytes);
    return gpu.vram_bytes ? fmt::format("{} of {}", used, human_bytes(*gpu.vram_bytes)) : used;
}

std::string power_text(Gpu const& gpu) {
    if (!gpu.power_watts) return "-";
    auto const cap = gpu.power_cap_watts ? fmt::format(" of {:.0f}", *gpu.power_cap_watts) : "";
    return fmt::format("{:.0f}{} W", *gpu.power_watts, cap);
}

/// MHz of a clock domain as it runs now.
std::string clock_text(Gpu const& gpu, std::string_view name) {
    if (!gpu.clocks) return "-";
    auto const domain = std::ranges::find(*gpu.clocks, name, &ClockDomain::name);
    if (domain == gpu.clocks->end() || !domain->current_mhz) return "-";
    return fmt::format("{:.0f}", *domain->current_mhz);
}

/// The sensor that is nearest to its limit, or the hottest where limits are not told.
std::string temperature_text(Gpu const& gpu) {
    if (!gpu.temperatures) return "-";
    Temperature const* hottest = nullptr;
    auto const nearness = [](Temperature const& sensor) {
        return *sensor.celsius / sensor.critical_celsius.value_or(100);
    };
    for (auto const& sensor : *gpu.temperatures)
        if (sensor.celsius && (hottest == nullptr || nearness(sensor) > nearness(*hottest)))
            hottest = &sensor;
    return hottest != nullptr ? fmt::format("{:.0f} C {}", *hottest->celsius, hottest->name) : "-";
}

/// What holds the clocks down; of a GPU that tells nothing, why.
std::string remark_text(Gpu const& gpu) {
    if (gpu.throttle_reasons && !gpu.throttle_reasons->empty())
        return joined(*gpu.throttle_reasons);
    if (gpu.runtime_status && *gpu.runtime_status == "suspended") return "asleep";
    if (gpu.busy_percent || gpu.vram_used_bytes || gpu.power_watts) return {};
    return std::string(missing_name(gpu.busy_percent.reason()));
}

/// Each with the rows of its GPUs.
std::vector<Line> process_lines(Host const& host) {
    if (!host.gpu_processes)
        return {
            {"used by", fmt::format("not known: {}", missing_name(host.gpu_processes.reason()))}};
    std::vector<Line> result;
    for (auto const& process : greediest_first(*host.gpu_processes)) {
        std::vector<std::string> rows;
        for (auto const& gpu : host.gpus)
            if (gpu.row && std::ranges::count(process.gpus, gpu.pci_address.value_or("?")) > 0)
                rows.push_back(std::to_string(*gpu.row));
        if (rows.empty()) continue;
        result.push_back({result.empty() ? "used by" : "",
                          fmt::format("{} on {}", process_text(process), joined(rows))});
    }
    return result;
}

}  // namespace

void show_live(Host const& host, std::uint64_t left_out, std::string const& time, Printer& out) {
    out.paragraph(fmt::format("{}, {}", host_title(host, left_out), time), Emphasis::heading);
    Table table{.columns = {{.heading = "GPU", .right = true},
                            {.heading = "PCI address", .may_go = true},
                            {.heading = "busy", .right = true},
                            {.heading = "memory", .right = true},
                            {.heading = "power", .right = true},
                            {.heading = "sclk", .right = true},
                            {.heading = "mclk", .right = true},
                            {.heading = "hottest", .right = true},
                            {.heading = "limit", .may_shrink = true}}};
    for (auto const& gpu : host.gpus)
        table.rows.push_back({number_or_dash(gpu.row), address_text(gpu), share_text(gpu),
                              used_memory_text(gpu), power_text(gpu), clock_text(gpu, "sclk"),
                              clock_text(gpu, "mclk"), temperature_text(gpu), remark_text(gpu)});
    out.table(std::move(table));
    if (!host.gpus.empty()) out.lines(process_lines(host), usual_label_width);
}

}  // namespace rocmtune
