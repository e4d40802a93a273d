// SPDX-License-Identifier: MIT
// Documents as pages of their own: without any other file or the network.
#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "codec/json.hpp"
#include "knowledge/embedded.hpp"
#include "show/findings.hpp"
#include "show/html/parts.hpp"

namespace rocmtune {
namespace {

/// Rows of a table beyond these are counted only: a page of ten thousand hosts must open.
constexpr std::size_t most_rows = 500;

/// Nothing is fetched, nothing is sent, and only what bears this word runs: an attribute such as
/// onerror that slipped in would stay text.
constexpr std::string_view policy =
    "default-src 'none'; script-src 'nonce-rocmtune'; style-src 'nonce-rocmtune'; img-src data:; "
    "base-uri 'none'; form-action 'none'";

/// Empty if this program was built without it.
std::string_view asset(std::string_view name) {
    return embedded_file(name).value_or("");
}

std::string class_of(CellKind kind) {
    switch (kind) {
        case CellKind::number: return "number";
        case CellKind::code: return "code";
        case CellKind::wide: return "wide";
        case CellKind::line: return "line";
        case CellKind::verdict:
        case CellKind::markup:
        case CellKind::text: break;
    }
    return {};
}

void open_cell(Literal tag, CellKind kind, Html& html) {
    auto const name = class_of(kind);
    if (tag.view() == "th" && name.empty()) html.open(tag, {{"scope", "col"}});
    else if (tag.view() == "th") html.open(tag, {{"scope", "col"}, {"class", name}});
    else if (name.empty()) html.open(tag);
    else html.open(tag, {{"class", name}});
}

/// In the colour of the verdict, if it is one.
std::string class_of(std::string const& what, std::string const& word) {
    bool const is_verdict = std::ranges::find(verdict_words, word) != verdict_words.end();
    return is_verdict ? what + " verdict-" + word : what;
}

void add_badge(std::string const& word, Html& html) {
    html.element("span", word, {{"class", class_of("badge", word)}});
}

void add_cell(CellKind kind, std::string const& text, Html& html) {
    open_cell("td", kind, html);
    if (kind == CellKind::verdict) add_badge(text, html);
    else if (kind == CellKind::code) html.element("code", text);
    else if (kind == CellKind::markup) html.asset(text);
    else html.text(text);
    html.close();
}

void add_sources(std::vector<Reference> const& sources, Html& html) {
    if (sources.empty()) return;
    html.open("p", {{"class", "sources"}}).text("Sources: ");
    bool is_first = true;
    for (auto const& source : sources) {
        if (!std::exchange(is_first, false)) html.text("; ");
        html.part(link_html(source_text(source), source.url.value_or("")));
    }
    html.close();
}

void add_notice(Notice const& notice, std::string const& step_label, Html& html) {
    html.open("article",
              {{"class", class_of("card", notice.badge)}, {"data-verdict", notice.badge}});
    html.open("h3");
    add_badge(notice.badge, html);
    for (auto const& code : notice.codes) html.text(" ").element("code", code);
    html.text(" ").element("span", notice.about, {{"class", "about"}}).close();
    html.element("p", notice.message);
    if (!notice.step.empty())
        html.open("p", {{"class", "step"}})
            .element("strong", step_label + ": ")
            .text(notice.step)
            .close();
    if (!notice.reasons.empty()) {
        html.open("dl");
        for (auto const& one : notice.reasons)
            html.element("dt", one.label).element("dd", one.text);
        html.close();
    }
    if (!notice.evidence.empty()) {
        html.open("details").element("summary", "What it rests on").open("ul");
        for (auto const& one : notice.evidence)
            html.open("li").element("span", one.label).text(": ").element("code", one.text).close();
        html.close().close();
    }
    add_sources(notice.sources, html);
    html.close();
}

/// Buttons that show the cards of one verdict; the script makes them work.
void add_filter(std::vector<Notice> const& cards, Html& html) {
    constexpr std::size_t few = 4;
    auto const count = [&](Verdict verdict) {
        return std::ranges::count(cards, word_of(verdict), &Notice::badge);
    };
    if (cards.size() < few ||
        std::ranges::all_of(verdict_order, [&](Verdict verdict) { return count(verdict) == 0; }))
        return;
    html.open("div",
              {{"class", "filter js-only"}, {"role", "group"}, {"aria-label", "Show findings"}});
    html.element("button", "all",
                 {{"type", "button"}, {"data-filter", ""}, {"aria-pressed", "true"}});
    for (auto const verdict : verdict_order)
        if (count(verdict) > 0)
            html.element("button", fmt::format("{} ({})", word_of(verdict), count(verdict)),
                         {{"type", "button"},
                          {"data-filter", std::string(word_of(verdict))},
                          {"aria-pressed", "false"}});
    html.close();
}

class PagePrinter final : public Printer {
  public:
    explicit PagePrinter(TextStyle const& style) : Printer(Form::page, style) {}

    void title(std::string const& name, std::string const& lead) override {
        title_ = name;
        lead_ = lead;
    }
    void section(Literal anchor, std::string const& title) override {
        end_section();
        waiting_ = {std::string(anchor.view()), title};
    }
    void heading(std::string const& text) override { content().element("h3", text); }
    void paragraph(std::string const& text, Emphasis emphasis) override {
        if (emphasis == Emphasis::notable) content().element("p", text, {{"class", "note"}});
        else if (emphasis == Emphasis::good) content().element("p", text, {{"class", "good"}});
        else content().element("p", text);
    }
    void note(std::string const& text, Emphasis emphasis) override { paragraph(text, emphasis); }
    void code(std::string const& text) override {
        content().element("pre", text, {{"class", "mono"}});
    }
    void lines(std::vector<Line> const& lines, std::size_t, std::size_t) override {
        Table pairs{.columns = {{"what"}, {.heading = "value", .kind = CellKind::wide}}};
        for (auto const& [label, text, emphasis] : lines) {
            if (text.empty()) continue;
            if (label.empty() && !pairs.rows.empty()) pairs.rows.back()[1] += "; " + text;
            else pairs.rows.push_back({label, text});
        }
        table(std::move(pairs));
    }
    void table(Table it) override {
        if (it.rows.empty()) return;
        auto& html = content();  // which opens the section that the caption may name
        auto const caption = it.caption.empty() ? sections_.back().second : it.caption;
        html.open(
            "div",
            {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", caption}});
        html.open("table", {{"class", it.columns.size() == 2 ? "sortable pairs" : "sortable"}});
        html.element("caption", caption).open("thead").open("tr");
        for (auto const& column : it.columns) {
            open_cell("th", column.kind, html);
            html.text(column.heading).close();
        }
        html.close().close().open("tbody");
        auto const all = it.rows.size();
        if (!it.noun.empty()) it.rows.resize(std::min(all, most_rows));
        for (auto const& row : it.rows) {
            html.open("tr");
            for (std::size_t i = 0; i < row.size(); ++i) add_cell(it.columns[i].kind, row[i], html);
            html.close();
        }
        html.close().close().close();
        if (all > it.rows.size())
            paragraph(fmt::format("{} {} more are in the JSON document.", all - most_rows, it.noun),
                      Emphasis::notable);
    }
    void notices(Notices const& notices) override {
        if (notices.all.empty()) return;
        auto& html = content();
        add_filter(notices.all, html);
        html.open("div", {{"class", "cards"}});
        for (auto const& notice : notices.all) add_notice(notice, notices.step_label, html);
        html.close();
    }
    void tiles(std::vector<Tile> const& tiles) override {
        auto& html = content().open("ul", {{"class", "tiles"}});
        for (auto const& tile : tiles)
            html.open("li", {{"class", class_of("tile", tile.kind)}})
                .element("strong", tile.value)
                .element("span", tile.label)
                .close();
        html.close();
    }
    void markup(Html&& html) override {
        if (!html.empty()) content().part(std::move(html));
    }
    void fold(std::string const& summary) override {
        content().open("details").element("summary", summary);
    }
    void end_fold() override { body_.close(); }
    void chart(Charts const& chart, std::string const& alternative) override {
        if (has_charts())
            content()
                .open("figure", {{"class", "chart js-only"}})
                .open("div", {{"class", "canvas"}})
                .element("canvas", "",
                         {{"data-chart", fmt::format("{}", charts_.size())},
                          {"role", "img"},
                          {"aria-label", alternative}})
                .close()
                .element("figcaption", alternative)
                .close();
        charts_.push_back(chart);
    }
    std::string take(std::string const& origin) override {
        end_section();
        Html html;
        html.asset("<!DOCTYPE html>\n").open("html", {{"lang", "en"}});
        add_head(html);
        html.open("body");
        add_header(html);
        html.open("main", {{"id", "content"}}).part(std::move(body_)).close();
        html.open("footer").element("p", origin).close();
        add_scripts(html);
        return html.take();
    }

  private:
    /// Where content goes: its section begins with the first of it.
    Html& content() {
        if (waiting_.first.empty()) return body_;
        auto const& [id, title] = sections_.emplace_back(std::exchange(waiting_, {}));
        body_.open("section", {{"id", id}, {"aria-labelledby", id + "-title"}});
        body_.element("h2", title, {{"id", id + "-title"}});
        is_open_ = true;
        return body_;
    }

    void end_section() {
        waiting_ = {};
        if (std::exchange(is_open_, false)) body_.close();
    }

    void add_head(Html& html) const {
        html.open("head");
        html.single("meta", {{"charset", "utf-8"}});
        html.single("meta",
                    {{"http-equiv", "Content-Security-Policy"}, {"content", std::string(policy)}});
        html.single("meta",
                    {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
        html.single("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
        html.single("meta", {{"name", "referrer"}, {"content", "no-referrer"}});
        html.single("link", {{"rel", "icon"}, {"href", "data:,"}});
        html.element("title", title_);
        html.open("style", {{"nonce", "rocmtune"}}).asset(asset("html/page.css")).close();
        html.close();
    }

    void add_header(Html& html) const {
        html.element("a", "Skip to the content", {{"class", "skip"}, {"href", "#content"}});
        html.open("header").open("div", {{"class", "bar"}}).open("div").element("h1", title_);
        if (!lead_.empty()) html.element("p", lead_, {{"class", "subtitle"}});
        html.close();
        html.element("button", "Theme: system",
                     {{"type", "button"}, {"id", "theme"}, {"class", "js-only"}});
        html.close().open("nav", {{"aria-label", "Sections"}}).open("ul");
        for (auto const& [id, title] : sections_)
            html.open("li").element("a", title, {{"href", '#' + id}}).close();
        html.close().close().close();
    }

    void add_scripts(Html& html) const {
        html.open("script", {{"type", "application/json"}, {"id", "charts"}})
            .data(json_text(charts_, false))
            .close();
        if (!charts_.empty() && has_charts())
            html.open("script", {{"nonce", "rocmtune"}}).asset(asset("html/chart.js")).close();
        html.open("script", {{"nonce", "rocmtune"}}).asset(asset("html/page.js")).close();
    }

    std::string title_, lead_;
    Html body_;
    std::pair<std::string, std::string> waiting_;  ///< a section without content so far
    std::vector<std::pair<std::string, std::string>> sections_;
    bool is_open_ = false;
    Charts charts_ = Charts::array();
};

}  // namespace

bool has_charts() {
    return !asset("html/chart.js").empty();
}

std::unique_ptr<Printer> page_printer(TextStyle const& style) {
    return std::make_unique<PagePrinter>(style);
}

}  // namespace rocmtune
