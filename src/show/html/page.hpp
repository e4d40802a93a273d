// SPDX-License-Identifier: MIT
// The frame that all pages share: head, navigation, theme, footer, and what the scripts need.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "show/html/html.hpp"
#include "show/report_tables.hpp"

namespace rocmtune {

/// One section; `id` is its anchor.
struct Section {
    Literal id;
    std::string title;
    Html content;
};

struct Page {
    std::string title;     ///< of the window and of the page
    std::string subtitle;  ///< one line below it; may be empty
    std::vector<Section> sections = {};
    std::string charts = "[]";  ///< JSON: what assets/page.js draws
    std::string footer = {};
};

/// The whole document. Sections without content are left out.
std::string page_html(Page page);

/// Whether Debian's Chart.js was there when this program was built; without it the tables carry
/// what the charts would show.
bool has_charts();

/// A figure in a tile at the top: "3", "fail", in the colour of `kind` (a verdict, or empty).
struct Tile {
    std::string value;
    std::string label;
    std::string kind;
};
Html tiles_html(std::vector<Tile> const& tiles);

/// How a column is shown.
enum class CellKind { text, number, code, verdict, wide, line };

/// A table with a caption that scripts can sort; nothing without rows.
Html table_html(std::string const& caption, TextTable const& table,
                std::vector<CellKind> const& kinds);

/// A badge for a word of Verdict.
Html badge_html(std::string_view word);

/// "https://..." as a link, anything else as text.
Html link_html(std::string const& text, std::string const& url);

/// A frame that the script fills with the chart of this number; `alternative` says in words what it
/// shows.
Html chart_html(std::size_t number, std::string const& alternative);

}  // namespace rocmtune
