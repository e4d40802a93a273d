// SPDX-License-Identifier: MIT
// Documents as text for a screen and as GitHub's Markdown.
#include "show/printer.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "show/findings.hpp"

namespace rocmtune {
namespace {

/// Joins parts; a title waits until something stands below it.
class Parts {
  public:
    void title(std::string text) { title_ = std::move(text); }
    void subtitle(std::string const& text) { title_ += text; }
    bool has_title() const { return !title_.empty(); }
    void add(std::string const& text, std::string_view between) {
        if (text.empty()) return;
        if (!out_.empty()) out_ += between;
        out_ += std::exchange(title_, {}) + text;
    }
    std::string take() { return std::exchange(out_, {}); }

  private:
    std::string out_, title_;
};

class TextPrinter final : public Printer {
  public:
    explicit TextPrinter(TextStyle const& style) : Printer(Form::text, style) {}

    void title(std::string const&, std::string const& lead) override {
        if (!lead.empty()) paragraph(lead, Emphasis::heading);
    }
    void section(Literal, std::string const& title) override { parts_.title(heading_line(title)); }
    void heading(std::string const& text) override { parts_.subtitle(heading_line(text)); }
    void paragraph(std::string const& text, Emphasis emphasis) override {
        add(indented(text, "", emphasis));
    }
    void note(std::string const& text, Emphasis emphasis) override {
        parts_.add(indented(text, " ", emphasis),
                   std::exchange(is_apart_, false) || parts_.has_title() ? "\n" : "");
    }
    void apart() override { is_apart_ = true; }
    void lines(std::vector<Line> const& lines, std::size_t label_width,
               std::size_t right_margin) override {
        std::string out;
        for (auto const& [label, text, emphasis] : lines) {
            if (trim(text).empty()) continue;
            auto first = fmt::format(" {:<{}}", for_screen(label, style()), label_width);
            auto const width = style().width - label_width - 2 - right_margin;
            for (auto const& line : wrapped(for_screen(text, style()), width)) {
                out += emphasised(first, Emphasis::heading, style()) + ' ' +
                       emphasised(line, emphasis, style()) + '\n';
                first.assign(label_width + 1, ' ');
            }
        }
        add(out);
    }
    void table(Table table) override {
        std::erase_if(table.columns,
                      [](Column const& column) { return column.kind == CellKind::markup; });
        if (!table.rows.empty())
            add(table_text(std::move(table.columns), std::move(table.rows), style()));
    }
    void notices(Notices const& notices) override {
        std::string out;
        for (auto const& notice : notices.all) out += notice_text(notice);
        add(out);
    }
    void tiles(std::vector<Tile> const&) override {}
    void verbatim(std::string const& text) override { add(text); }
    void code(std::string const& text) override {
        std::string out;
        for (auto const line : rocmtune::lines(text))
            out += fmt::format("{}{}\n", line.empty() ? "" : "    ", for_screen(line, style()));
        parts_.add(out, "");
    }
    std::string take(std::string const& origin) override {
        parts_.title({});  // a section without content is not printed
        if (!origin.empty()) paragraph(origin, Emphasis::quiet);
        return parts_.take();
    }

  private:
    void add(std::string const& text) { parts_.add(text, "\n"); }

    std::string heading_line(std::string const& text) const {
        return emphasised(for_screen(text, style()), Emphasis::heading, style()) + '\n';
    }

    std::string indented(std::string const& text, std::string const& indent,
                         Emphasis emphasis) const {
        std::string out;
        for (auto const& line : wrapped(for_screen(text, style()), style().width - indent.size()))
            out += indent + emphasised(line, emphasis, style()) + '\n';
        return out;
    }

    /// Text below a label of a fixed width.
    std::string block(std::string const& label, std::string const& text, Emphasis emphasis) const {
        constexpr std::size_t indent = 16;
        std::string out;
        auto head = fmt::format(" {:<{}}", for_screen(label, style()), indent - 1);
        for (auto const& line : wrapped(for_screen(text, style()), style().width - indent)) {
            out += emphasised(head, emphasis, style()) + line + '\n';
            head.assign(indent, ' ');
        }
        return out;
    }

    std::string notice_text(Notice const& notice) const {
        bool const bad = is_bad(notice.badge);
        auto const label =
            notice.codes.empty() ? notice.badge : notice.badge + ' ' + notice.codes.front();
        auto text = block(
            label, notice.about.empty() ? notice.message : notice.about + ": " + notice.message,
            bad ? Emphasis::notable : Emphasis::none);
        if (is_verbose())
            for (auto const& one : notice.evidence)
                text += block("", one.label + " = " + one.text, Emphasis::quiet);
        if (!notice.step.empty() && (bad || is_verbose()))
            text += block("", "do: " + notice.step, Emphasis::quiet);
        return text;
    }

    Parts parts_;
    bool is_apart_ = false;
};

class MarkdownPrinter final : public Printer {
  public:
    explicit MarkdownPrinter(TextStyle const& style) : Printer(Form::markdown, style) {}

    void title(std::string const& name, std::string const& lead) override {
        add("## " + markdown_cell(name) + '\n');
        if (!lead.empty()) paragraph(lead, Emphasis::none);
    }
    void section(Literal, std::string const& title) override {
        parts_.title("### " + markdown_cell(title) + "\n\n");
    }
    void heading(std::string const& text) override {
        parts_.subtitle("#### " + markdown_cell(text) + "\n\n");
    }
    void paragraph(std::string const& text, Emphasis emphasis) override {
        auto const* const mark = emphasis == Emphasis::notable ? "**" : "";
        add(fmt::format("{0}{1}{0}\n", mark, markdown_cell(text)));
    }
    void note(std::string const& text, Emphasis emphasis) override { paragraph(text, emphasis); }
    void lines(std::vector<Line> const& lines, std::size_t, std::size_t) override {
        std::string out;
        for (auto const& [label, text, emphasis] : lines)
            if (!trim(text).empty())
                out += label.empty()
                           ? fmt::format("  - {}\n", markdown_cell(text))
                           : fmt::format("- {}: {}\n", markdown_cell(label), markdown_cell(text));
        add(out);
    }
    void table(Table table) override {
        if (table.rows.empty()) return;
        for (auto i = table.columns.size(); i-- > 0;) {
            auto const at = static_cast<std::ptrdiff_t>(i);
            bool const is_shown =
                table.columns[i].kind != CellKind::markup &&
                std::ranges::any_of(table.rows, [&](auto const& row) { return !row[i].empty(); });
            if (is_shown) continue;
            table.columns.erase(table.columns.begin() + at);
            for (auto& row : table.rows) row.erase(row.begin() + at);
        }
        std::string head = "|", rule = "|", body;
        for (auto const& column : table.columns) {
            head += ' ' + markdown_cell(column.heading) + " |";
            rule += " --- |";
        }
        for (auto const& row : table.rows) {
            body += '|';
            for (auto const& cell : row) body += ' ' + markdown_cell(cell) + " |";
            body += '\n';
        }
        add(head + '\n' + rule + '\n' + body);
    }
    void notices(Notices const& notices) override {
        Table all;
        for (auto const& heading : notices.headings) all.columns.push_back({heading});
        for (auto const& notice : notices.all) {
            std::vector<std::string> reasons, sources;
            for (auto const& one : notice.reasons) reasons.push_back(one.label + ": " + one.text);
            for (auto const& one : notice.sources) sources.push_back(source_text(one));
            all.rows.push_back({notice.badge, joined(notice.codes), notice.about, notice.message,
                                notice.step, joined(reasons, "; "), joined(sources, "; ")});
            all.rows.back().resize(all.columns.size());
        }
        table(std::move(all));
    }
    void code(std::string const& text) override { add(fmt::format("```\n{}\n```\n", text)); }
    void tiles(std::vector<Tile> const& tiles) override {
        std::vector<std::string> texts;
        for (auto const& tile : tiles) texts.push_back(tile.value + ' ' + tile.label);
        paragraph(joined(texts), Emphasis::none);
    }
    std::string take(std::string const& origin) override {
        parts_.title({});  // a section without content is not printed
        if (!origin.empty()) paragraph(origin, Emphasis::none);
        return parts_.take();
    }

  private:
    void add(std::string const& text) { parts_.add(text, "\n"); }

    Parts parts_;
};

}  // namespace

std::unique_ptr<Printer> text_printer(TextStyle const& style) {
    return std::make_unique<TextPrinter>(style);
}

std::unique_ptr<Printer> markdown_printer(TextStyle const& style) {
    return std::make_unique<MarkdownPrinter>(style);
}

std::string markdown_cell(std::string_view text) {
    std::string out;
    for (auto const c : printable(text)) {
        if (std::string_view("\\`*_{}[]#!|~").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return replaced(out, {{'<', "&lt;"}, {'&', "&amp;"}});
}

std::string source_text(Reference const& reference) {
    return reference.version ? fmt::format("{}, {}", reference.title, *reference.version)
                             : reference.title;
}

}  // namespace rocmtune
