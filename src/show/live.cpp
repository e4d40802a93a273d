// SPDX-License-Identifier: MIT
// The GPUs of a host as they are at this moment: what rocmtune probe --watch shows on a terminal.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "show/documents.hpp"
#include "show/host_cells.hpp"

namespace rocmtune {
namespace {

/// The rows of one card: partitions share what sysfs tells of it.
struct Card {
    std::string address = {};
    std::uint64_t first_row = 0, last_row = 0;
    Gpu const* gpu = nullptr;  ///< of the first row
    GpuSample const* now = nullptr;
};

std::vector<Card> cards_of(LiveView const& view) {
    std::vector<Card> cards;
    for (auto const& gpu : view.host.gpus) {
        auto const address = gpu.pci_address.value_or("");
        auto const row = gpu.row.value_or(0);
        if (!cards.empty() && !address.empty() && cards.back().address == address) {
            cards.back().last_row = row;
            continue;
        }
        auto const now = std::ranges::find(view.now, address, &GpuSample::pci_address);
        cards.push_back({address, row, row, &gpu, now == view.now.end() ? nullptr : &*now});
    }
    return cards;
}

std::string rows_text(Card const& card) {
    if (card.first_row == card.last_row) return fmt::format("{}", card.first_row);
    return fmt::format("{}-{}", card.first_row, card.last_row);
}

std::string bytes_text(double bytes) {
    return human_bytes(static_cast<std::uint64_t>(bytes));
}

std::string used_memory_text(GpuSample const& now) {
    if (!now.vram_bytes) return "-";
    auto const used = bytes_text(*now.vram_bytes);
    return now.vram_total_bytes ? fmt::format("{} of {}", used, bytes_text(*now.vram_total_bytes))
                                : used;
}

std::string number_text(std::optional<double> value, std::string_view unit = "") {
    return value ? fmt::format("{:.0f}{}", *value, unit) : "-";
}

std::string of_limit(std::optional<double> value, std::optional<double> limit,
                     std::string_view unit) {
    if (!value || !limit) return number_text(value, unit);
    return fmt::format("{:.0f} of {:.0f}{}", *value, *limit, unit);
}

/// What holds the clocks down; of a GPU that tells nothing, why.
std::string remark_text(Card const& card, LiveView const& view) {
    if (view.silent.contains(card.address)) return "does not answer";
    if (card.now == nullptr) return "amdgpu does not drive it";
    auto const& now = *card.now;
    if (!now.reasons.empty()) return joined({now.reasons.begin(), now.reasons.end()});
    bool const tells = now.busy || now.vram_bytes || now.power_watts || now.temperature_celsius;
    return tells ? std::string() : "asleep";
}

std::vector<std::string> cells_of(Card const& card, LiveView const& view) {
    GpuSample const nothing;
    auto const& now = card.now != nullptr ? *card.now : nothing;
    auto const busy = now.busy ? std::optional(100 * *now.busy) : std::nullopt;
    return {rows_text(card),
            card.address.empty() ? "-" : card.address,
            number_text(busy, " %"),
            used_memory_text(now),
            of_limit(now.power_watts, now.power_cap_watts, " W"),
            number_text(now.clock_mhz),
            number_text(now.memory_clock_mhz),
            of_limit(now.temperature_celsius, now.temperature_limit_celsius, " C"),
            remark_text(card, view)};
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

void show_live(LiveView const& view, Printer& out) {
    out.paragraph(fmt::format("{}, {}", host_title(view.host, view.left_out), view.time),
                  Emphasis::heading);
    Table table{.columns = {{.heading = "GPU", .right = true},
                            {.heading = "PCI address", .may_go = true},
                            {.heading = "busy", .right = true},
                            {.heading = "memory", .right = true},
                            {.heading = "power", .right = true},
                            {.heading = "sclk", .right = true},
                            {.heading = "mclk", .right = true},
                            {.heading = "hottest", .right = true},
                            {.heading = "limit", .may_shrink = true}}};
    for (auto const& card : cards_of(view)) table.rows.push_back(cells_of(card, view));
    out.table(std::move(table));
    if (!view.host.gpus.empty()) out.lines(process_lines(view.host), usual_label_width);
    if (!view.note.empty()) out.note(view.note);
}

}  // namespace rocmtune
