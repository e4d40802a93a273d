// SPDX-License-Identifier: MIT
#include "show/html/panels.hpp"

#include <map>
#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"
#include "show/layout.hpp"

namespace rocmtune {
namespace {

constexpr std::size_t boxes_in_row = 8;

std::string panel_title(Host const& host, std::optional<std::int64_t> node) {
    if (!node) return "NUMA node not known";
    if (*node < 0) return "one NUMA node";
    auto text = fmt::format("NUMA node {}", *node);
    if (!host.numa_nodes) return text;
    for (auto const& numa : *host.numa_nodes) {
        if (static_cast<std::int64_t>(numa.node) != *node) continue;
        if (numa.cpus) text += fmt::format(" \u00b7 CPUs {}", shorten(*numa.cpus, 40));
        if (numa.memory_bytes) text += fmt::format(" \u00b7 {}", human_bytes(*numa.memory_bytes));
    }
    return text;
}

/// A card that is partitioned has rows of its own: its partitions belong together.
bool breaks_row(Boxes const& row, Gpu const& gpu) {
    if (row.empty()) return false;
    auto const& last = *row.back();
    bool const partitioned = gpu.partition_count.value_or(1) > 1;
    return row.size() == boxes_in_row ||
           (partitioned && last.pci_address.value() != gpu.pci_address.value() &&
            gpu.partition_count.value_or(1) > 2);
}

}  // namespace

std::vector<Panel> panels_of(Host const& host) {
    std::vector<Panel> panels;
    std::map<std::optional<std::int64_t>, std::size_t> places;
    for (auto const& gpu : host.gpus) {
        auto const node = gpu.numa_node.value();
        auto const [place, is_new] = places.emplace(node, panels.size());
        if (is_new) panels.push_back({panel_title(host, node), {{}}});
        auto& rows = panels[place->second].rows;
        if (breaks_row(rows.back(), gpu)) rows.emplace_back();
        rows.back().push_back(&gpu);
    }
    return panels;
}

std::string short_name(Gpu const& gpu) {
    std::string_view name = gpu.marketing_name ? std::string_view(*gpu.marketing_name)
                                               : std::string_view("GPU without name");
    if (name.starts_with("AMD ")) name.remove_prefix(4);
    return shorten(name, 20);
}

bool is_narrow(Gpu const& gpu) {
    auto const below = [](auto const& now, auto const& best) {
        return now && best && *now < *best;
    };
    return below(gpu.link_current_width, gpu.link_max_width);
}

std::string link_label(Gpu const& gpu) {
    if (!gpu.link_current_width) return "link not known";
    if (is_narrow(gpu))
        return fmt::format("PCIe x{} of x{}", *gpu.link_current_width, *gpu.link_max_width);
    if (!gpu.link_current_gt_per_s) return fmt::format("PCIe x{}", *gpu.link_current_width);
    return fmt::format("PCIe x{} {} GT/s", *gpu.link_current_width, *gpu.link_current_gt_per_s);
}

}  // namespace rocmtune
