// SPDX-License-Identifier: MIT
#include "show/html/page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "knowledge/embedded.hpp"

namespace rocmtune {
namespace {

/// Nothing is fetched, nothing is sent, and only what bears this word runs: an attribute such as
/// onerror that slipped in would stay text.
constexpr std::string_view policy =
    "default-src 'none'; script-src 'nonce-rocmtune'; style-src 'nonce-rocmtune'; img-src data:; "
    "base-uri 'none'; form-action 'none'";

/// Empty if this program was built without it.
std::string_view asset(std::string_view name) {
    return embedded_file(name).value_or("");
}

void add_head(Page const& page, Html& html) {
    html.open("head");
    html.single("meta", {{"charset", "utf-8"}});
    html.single("meta",
                {{"http-equiv", "Content-Security-Policy"}, {"content", std::string(policy)}});
    html.single("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
    html.single("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
    html.single("meta", {{"name", "referrer"}, {"content", "no-referrer"}});
    html.single("link", {{"rel", "icon"}, {"href", "data:,"}});
    html.element("title", page.title);
    html.open("style", {{"nonce", "rocmtune"}}).asset(asset("html/page.css")).close();
    html.close();
}

void add_header(Page const& page, Html& html) {
    html.element("a", "Skip to the content", {{"class", "skip"}, {"href", "#content"}});
    html.open("header").open("div", {{"class", "bar"}});
    html.open("div").element("h1", page.title);
    if (!page.subtitle.empty()) html.element("p", page.subtitle, {{"class", "subtitle"}});
    html.close();
    html.element("button", "Theme: system",
                 {{"type", "button"}, {"id", "theme"}, {"class", "js-only"}});
    html.close();
    html.open("nav", {{"aria-label", "Sections"}}).open("ul");
    for (auto const& section : page.sections)
        html.open("li")
            .element("a", section.title, {{"href", '#' + std::string(section.id.view())}})
            .close();
    html.close().close().close();
}

void add_scripts(Page const& page, Html& html) {
    html.open("script", {{"type", "application/json"}, {"id", "charts"}}).data(page.charts).close();
    if (page.charts != "[]" && has_charts())
        html.open("script", {{"nonce", "rocmtune"}}).asset(asset("html/chart.js")).close();
    html.open("script", {{"nonce", "rocmtune"}}).asset(asset("html/page.js")).close();
}

std::string class_of(CellKind kind) {
    switch (kind) {
        case CellKind::number: return "number";
        case CellKind::code: return "code";
        case CellKind::wide: return "wide";
        case CellKind::line: return "line";
        case CellKind::verdict:
        case CellKind::text: break;
    }
    return {};
}

void add_cell(CellKind kind, std::string const& text, Html& html) {
    auto const name = class_of(kind);
    if (name.empty()) html.open("td");
    else html.open("td", {{"class", name}});
    if (kind == CellKind::verdict) html.part(badge_html(text));
    else if (kind == CellKind::code) html.element("code", text);
    else html.text(text);
    html.close();
}

}  // namespace

bool has_charts() {
    return !asset("html/chart.js").empty();
}

std::string page_html(Page page) {
    std::erase_if(page.sections, [](Section const& section) { return section.content.empty(); });
    Html html;
    html.asset("<!DOCTYPE html>\n").open("html", {{"lang", "en"}});
    add_head(page, html);
    html.open("body");
    add_header(page, html);
    html.open("main", {{"id", "content"}});
    for (auto& section : page.sections) {
        std::string const id(section.id.view());
        html.open("section", {{"id", id}, {"aria-labelledby", id + "-title"}});
        html.element("h2", section.title, {{"id", id + "-title"}});
        html.part(std::move(section.content)).close();
    }
    html.close();
    html.open("footer").element("p", page.footer).close();
    add_scripts(page, html);
    return html.take();
}

Html tiles_html(std::vector<Tile> const& tiles) {
    Html html;
    html.open("ul", {{"class", "tiles"}});
    for (auto const& tile : tiles)
        html.open("li", {{"class", tile.kind.empty() ? "tile" : "tile verdict-" + tile.kind}})
            .element("strong", tile.value)
            .element("span", tile.label)
            .close();
    html.close();
    return html;
}

Html badge_html(std::string_view word) {
    Html html;
    html.element("span", word, {{"class", fmt::format("badge verdict-{}", word)}});
    return html;
}

Html link_html(std::string const& text, std::string const& url) {
    Html html;
    bool const is_safe = url.starts_with("https://");
    if (is_safe) html.element("a", text, {{"href", url}, {"rel", "noreferrer noopener"}});
    else html.text(text);
    return html;
}

Html table_html(std::string const& caption, TextTable const& table,
                std::vector<CellKind> const& kinds) {
    Html html;
    if (table.rows.empty()) return html;
    auto const kind_of = [&](std::size_t i) {
        return i < kinds.size() ? kinds[i] : CellKind::text;
    };
    html.open(
        "div",
        {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", caption}});
    html.open("table", {{"class", table.headings.size() == 2 ? "sortable pairs" : "sortable"}})
        .element("caption", caption);
    html.open("thead").open("tr");
    for (std::size_t i = 0; i < table.headings.size(); ++i) {
        auto const name = class_of(kind_of(i));
        if (name.empty()) html.element("th", table.headings[i], {{"scope", "col"}});
        else html.element("th", table.headings[i], {{"scope", "col"}, {"class", name}});
    }
    html.close().close().open("tbody");
    for (auto const& row : table.rows) {
        html.open("tr");
        for (std::size_t i = 0; i < row.size(); ++i) add_cell(kind_of(i), row[i], html);
        html.close();
    }
    html.close().close().close();
    return html;
}

Html chart_html(std::size_t number, std::string const& alternative) {
    Html html;
    if (!has_charts()) return html;
    html.open("figure", {{"class", "chart js-only"}});
    html.open("div", {{"class", "canvas"}})
        .open("canvas", {{"data-chart", fmt::format("{}", number)},
                         {"role", "img"},
                         {"aria-label", alternative}})
        .close()
        .close();
    html.element("figcaption", alternative).close();
    return html;
}

}  // namespace rocmtune
