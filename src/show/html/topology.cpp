// SPDX-License-Identifier: MIT
#include "show/html/topology.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"
#include "show/host_cells.hpp"
#include "show/html/hives.hpp"
#include "show/html/page.hpp"
#include "show/html/panels.hpp"
#include "show/layout.hpp"

namespace rocmtune {
namespace {

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
TextTable link_table(Host const& host) {
    constexpr std::size_t most = 16;
    TextTable table;
    if (host.gpus.size() < 2 || host.gpus.size() > most) return table;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> cells;
    for (auto const& link : host.links)
        if (link.from_row && link.to_row)
            cells.emplace(std::pair(*link.from_row, *link.to_row), link_cell(link));
    if (cells.empty()) return table;
    table.headings.emplace_back("from");
    for (auto const& gpu : host.gpus) table.headings.push_back("GPU " + number_or_dash(gpu.row));
    for (auto const& from : host.gpus) {
        table.rows.push_back({"GPU " + number_or_dash(from.row)});
        for (auto const& to : host.gpus) {
            auto const found = cells.find({from.row.value_or(0), to.row.value_or(0)});
            table.rows.back().push_back(found == cells.end() ? "\u2013" : found->second);
        }
    }
    return table;
}

}  // namespace

Html topology_html(Host const& host) {
    Html html;
    if (host.gpus.empty()) return html;
    auto const panels = panels_of(host);
    auto const alternative = alternative_of(host, panels);
    html.open("figure", {{"class", "scroll"},
                         {"tabindex", "0"},
                         {"role", "region"},
                         {"aria-label", "drawing of the GPUs and their links"}});
    html.part(Drawing(host, panels).take(alternative)).close();
    auto const table = link_table(host);
    if (table.rows.empty()) return html;
    html.open("details").element("summary", "Links between the GPUs as a table");
    html.part(table_html("Kind of each link and the kernel's figure of its distance", table, {}));
    html.close();
    return html;
}

}  // namespace rocmtune
