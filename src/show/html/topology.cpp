// SPDX-License-Identifier: MIT
// Where the GPUs of a host sit, as a drawing.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "show/host_cells.hpp"
#include "show/html/parts.hpp"

namespace rocmtune {
namespace {

// ---- which GPUs XGMI joins ----------------------------------------------------------------------

/// Hives: GPUs with a path of XGMI links between them, numbered from 0 by their first row.
class Hives {
  public:
    explicit Hives(Host const& host);

    /// The hive of a GPU; absent if no XGMI link ends at it.
    std::optional<std::size_t> of(Gpu const& gpu) const;
    std::size_t count() const { return count_; }
    /// "XGMI, 8 GPUs, each joined to each" of one hive; of several their number.
    std::string text() const;

  private:
    std::uint64_t root_of(std::uint64_t row);

    std::set<std::pair<std::uint64_t, std::uint64_t>> pairs_;  ///< the lower row first
    std::map<std::uint64_t, std::uint64_t> parents_;           ///< a forest: the root is its own
    std::map<std::uint64_t, std::size_t> numbers_;             ///< of the hive, by row
    std::size_t count_ = 0;
};

Hives::Hives(Host const& host) {
    for (auto const& link : host.links)
        if (link.kind == "xgmi" && link.from_row && link.to_row && link.from_row != link.to_row)
            pairs_.emplace(std::minmax(*link.from_row, *link.to_row));
    for (auto const& [a, b] : pairs_) {
        parents_.emplace(a, a);
        parents_.emplace(b, b);
        parents_[root_of(b)] = root_of(a);
    }
    std::map<std::uint64_t, std::size_t> order;
    for (auto const& [row, parent] : parents_)
        numbers_[row] = order.emplace(root_of(row), order.size()).first->second;
    count_ = order.size();
}

/// Shortens the path that it walks: the next one is quick.
std::uint64_t Hives::root_of(std::uint64_t row) {
    while (parents_[row] != row) row = parents_[row] = parents_[parents_[row]];
    return row;
}

std::optional<std::size_t> Hives::of(Gpu const& gpu) const {
    auto const found = numbers_.find(gpu.row.value_or(0));
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

std::string Hives::text() const {
    if (count_ > 1) return fmt::format("{} XGMI hives", count_);
    auto const members = numbers_.size();
    if (pairs_.size() == members * (members - 1) / 2)
        return fmt::format("XGMI \u00b7 {} GPUs, each joined to each", members);
    return fmt::format("XGMI \u00b7 {} GPUs, {} direct pairs, not each to each", members,
                       pairs_.size());
}

// ---- what stands in the boxes -------------------------------------------------------------------

/// GPUs that stand beside each other. They live as long as the host.
using Boxes = std::vector<Gpu const*>;

/// GPUs of one NUMA node, in rows of at most eight.
struct Panel {
    std::string title;
    std::vector<Boxes> rows = {};
};

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

/// In the order of the first GPU of each NUMA node.
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

/// "Instinct MI300X" of "AMD Instinct MI300X".
std::string short_name(Gpu const& gpu) {
    std::string_view name = gpu.marketing_name ? std::string_view(*gpu.marketing_name)
                                               : std::string_view("GPU without name");
    if (name.starts_with("AMD ")) name.remove_prefix(4);
    return shorten(name, 20);
}

/// Whether the link has fewer lanes than it could have.
bool is_narrow(Gpu const& gpu) {
    auto const below = [](auto const& now, auto const& best) {
        return now && best && *now < *best;
    };
    return below(gpu.link_current_width, gpu.link_max_width);
}

/// A few columns for the link: "PCIe x16 32 GT/s", or "PCIe x8 of x16".
std::string link_label(Gpu const& gpu) {
    if (!gpu.link_current_width) return "link not known";
    if (is_narrow(gpu))
        return fmt::format("PCIe x{} of x{}", *gpu.link_current_width, *gpu.link_max_width);
    if (!gpu.link_current_gt_per_s) return fmt::format("PCIe x{}", *gpu.link_current_width);
    return fmt::format("PCIe x{} {} GT/s", *gpu.link_current_width, *gpu.link_current_gt_per_s);
}

// ---- the drawing --------------------------------------------------------------------------------

// Sizes in units of the drawing.
constexpr int box_width = 136, box_height = 74, gap = 12, margin = 14, title_height = 26;
constexpr int rail_height = 30, trunk_width = 34;

class Drawing {
  public:
    Drawing(Host const& host, std::vector<Panel> const& panels) : hives_(host) {
        std::size_t most = 1;
        for (auto const& panel : panels)
            for (auto const& row : panel.rows) most = std::max(most, row.size());
        width_ =
            std::max(2 * margin + static_cast<int>(most) * (box_width + gap) + trunk_width, 440);
        for (auto const& panel : panels) add(panel);
        trunk();
    }

    Html take(std::string const& alternative) {
        Html svg;
        svg.open("svg", {{"viewBox", fmt::format("0 0 {} {}", width_, y_ + 4)},
                         {"width", number(width_)},
                         {"height", number(y_ + 4)},
                         {"class", width_ > 700 ? "topology large" : "topology"},
                         {"role", "img"},
                         {"aria-label", alternative}});
        svg.element("title", alternative);
        svg.part(std::move(out_)).close();
        return svg;
    }

  private:
    static std::string number(int value) { return std::to_string(value); }

    void text(int x, int y, std::string const& content, char const* role) {
        out_.element("text", content, {{"x", number(x)}, {"y", number(y)}, {"class", role}});
    }

    void line(int x1, int y1, int x2, int y2) {
        out_.open("line", {{"x1", number(x1)},
                           {"y1", number(y1)},
                           {"x2", number(x2)},
                           {"y2", number(y2)},
                           {"class", "xgmi"}})
            .close();
    }

    void rectangle(int x, int y, int width, int height, char const* role) {
        out_.open("rect", {{"x", number(x)},
                           {"y", number(y)},
                           {"width", number(width)},
                           {"height", number(height)},
                           {"rx", "8"},
                           {"class", role}})
            .close();
    }

    bool has_rail(Boxes const& row) const {
        return std::ranges::any_of(row,
                                   [&](Gpu const* gpu) { return hives_.of(*gpu).has_value(); });
    }

    int height_of(Panel const& panel) const {
        int height = title_height + margin;
        for (auto const& row : panel.rows)
            height += box_height + gap + (has_rail(row) ? rail_height : 0);
        return height;
    }

    void add(Panel const& panel) {
        rectangle(1, y_ + 1, width_ - 2, height_of(panel) - 2, "panel");
        text(margin, y_ + 19, panel.title, "panel-title");
        auto const below = y_ + height_of(panel) + gap;
        y_ += title_height + 8;
        for (auto const& row : panel.rows) {
            int x = margin;
            for (auto const* gpu : row) {
                box(x, *gpu);
                x += box_width + gap;
            }
            y_ += box_height;
            if (has_rail(row)) rails(row);
            y_ += gap;
        }
        y_ = below;
    }

    void box(int x, Gpu const& gpu) {
        out_.open("g");
        out_.element("title",
                     fmt::format("GPU {} {} {}, {}, {}", number_or_dash(gpu.row), address_text(gpu),
                                 name_text(gpu), memory_text(gpu), link_text(gpu)));
        rectangle(x, y_, box_width, box_height, is_narrow(gpu) ? "gpu narrow" : "gpu");
        text(x + 9, y_ + 19, fmt::format("GPU {}", number_or_dash(gpu.row)), "gpu-name");
        text(x + 9, y_ + 35, short_name(gpu), "gpu-line");
        text(x + 9, y_ + 50, shorten(address_text(gpu), 18), "gpu-line mono");
        text(x + 9, y_ + 65, link_label(gpu), is_narrow(gpu) ? "gpu-line warn" : "gpu-line");
        out_.close();
    }

    /// Below the GPUs of a row a rail for each hive, to which each of them has a stub.
    void rails(Boxes const& row) {
        std::map<std::size_t, std::pair<int, int>> ends;
        int x = margin + box_width / 2;
        for (auto const* gpu : row) {
            if (auto const hive = hives_.of(*gpu)) {
                line(x, y_, x, y_ + 16);
                auto const [end, is_new] = ends.emplace(*hive, std::pair(x, x));
                end->second.second = x;
            }
            x += box_width + gap;
        }
        for (auto const& [hive, end] : ends) rail(hive, end.first, end.second);
        y_ += rail_height;
    }

    void rail(std::size_t hive, int from, int to) {
        auto& ys = rails_[hive];
        line(from, y_ + 16, to, y_ + 16);
        // Of several hives each rail has the name: lines between them would cross.
        if (hives_.count() > 1)
            text(from + 8, y_ + 29, fmt::format("XGMI hive {}", hive + 1), "rail-title");
        else if (ys.empty()) text(from + 8, y_ + 29, hives_.text(), "rail-title");
        ys.emplace_back(to, y_ + 16);
    }

    /// One hive in several rows is joined at the right.
    void trunk() {
        if (rails_.size() != 1) return;
        auto const& ends = rails_.begin()->second;
        int const x = width_ - margin - 4;
        if (ends.size() < 2) return;
        for (auto const& [from, y] : ends) line(from, y, x, y);
        line(x, ends.front().second, x, ends.back().second);
    }

    Hives hives_;
    std::map<std::size_t, std::vector<std::pair<int, int>>> rails_ = {};
    int width_ = 0;
    int y_ = 0;
    Html out_ = {};
};

std::string alternative_of(Host const& host, std::vector<Panel> const& panels) {
    std::vector<std::string> parts;
    for (auto const& panel : panels) {
        std::vector<std::string> rows;
        for (auto const& row : panel.rows)
            for (auto const* gpu : row) rows.push_back(number_or_dash(gpu->row));
        parts.push_back(fmt::format("{}: GPU {}", panel.title, joined(rows)));
    }
    if (Hives const hives(host); hives.count() > 0) parts.push_back(hives.text());
    return joined(parts, "; ");
}

/// "XGMI 15", "PCIe 40": kind and the kernel's distance figure.
std::string link_cell(Link const& link) {
    auto text = link.kind == "xgmi" ? "XGMI" : link.kind == "pcie" ? "PCIe" : link.kind;
    if (link.weight) text += fmt::format(" {}", *link.weight);
    return text;
}

/// Who is joined to whom and how; too wide for many.
Table link_table(Host const& host) {
    constexpr std::size_t most = 16;
    Table table{.caption = "Kind of each link and the kernel's figure of its distance"};
    if (host.gpus.size() < 2 || host.gpus.size() > most) return table;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> cells;
    for (auto const& link : host.links)
        if (link.from_row && link.to_row)
            cells.emplace(std::pair(*link.from_row, *link.to_row), link_cell(link));
    if (cells.empty()) return table;
    table.columns.push_back({"from"});
    for (auto const& from : host.gpus) {
        auto const name = "GPU " + number_or_dash(from.row);
        table.columns.push_back({name});
        table.rows.push_back({name});
        for (auto const& to : host.gpus) {
            auto const found = cells.find({from.row.value_or(0), to.row.value_or(0)});
            table.rows.back().push_back(found == cells.end() ? "\u2013" : found->second);
        }
    }
    return table;
}

}  // namespace

void show_topology(Host const& host, Printer& out) {
    if (host.gpus.empty() || !out.is_page()) return;
    auto const panels = panels_of(host);
    Html figure;
    figure.open("figure", {{"class", "scroll"},
                           {"tabindex", "0"},
                           {"role", "region"},
                           {"aria-label", "drawing of the GPUs and their links"}});
    figure.part(Drawing(host, panels).take(alternative_of(host, panels))).close();
    out.markup(std::move(figure));
    auto table = link_table(host);
    if (table.rows.empty()) return;
    out.fold("Links between the GPUs as a table");
    out.table(std::move(table));
    out.end_fold();
}

}  // namespace rocmtune
