// SPDX-License-Identifier: MIT
// What a command tells people: built once from its report, printed as text, Markdown or a page.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "rocmtune/records.hpp"
#include "show/html/html.hpp"
#include "show/layout.hpp"

namespace rocmtune {

using Rows = std::vector<std::vector<std::string>>;

/// Columns of the labels beside a screen's lines.
inline constexpr std::size_t usual_label_width = 11;

/// A table; without rows nothing of it is printed.
struct Table {
    std::vector<Column> columns = {};
    Rows rows = {};
    std::string caption = {};  ///< of a page
    std::string noun = {};  ///< what the rows are: a page shows the first 500 and counts the rest
};

/// A labelled value. Without a label it belongs to the line before; without text it is left out.
struct Line {
    std::string label;
    std::string text;
    Emphasis emphasis = Emphasis::none;
};

/// One judgement or piece of advice: a few lines of text, a row of Markdown, a card of a page.
struct Notice {
    std::string badge = {};  ///< a verdict, or a kind of advice
    std::vector<std::string> codes = {};
    std::string about = {};
    std::string message = {};
    std::string step = {};
    std::vector<Line> reasons = {};   ///< that a page always shows
    std::vector<Line> evidence = {};  ///< folded away on a page
    std::vector<Reference> sources = {};
};

struct Notices {
    /// Of Markdown: badge, codes, about, message, step, and reasons and sources where asked for.
    std::vector<std::string> headings = {};
    std::string step_label = {};  ///< of a page: "Next step"
    std::vector<Notice> all = {};
};

/// A figure in a tile at the top of a page: "3", "fail", in the colour of `kind` (a verdict, or
/// empty).
struct Tile {
    std::string value;
    std::string label;
    std::string kind = {};
};

/// Prints what it is told, part after part. Parts are apart from each other; a section without
/// content is not printed.
class Printer {
  public:
    enum class Form { text, markdown, page };

    Printer(Form form, TextStyle const& style) : form_(form), style_(style) {}
    Printer(Printer const&) = delete;
    Printer& operator=(Printer const&) = delete;
    virtual ~Printer() = default;

    bool is_text() const { return form_ == Form::text; }
    bool is_page() const { return form_ == Form::page; }
    /// Whether the reader asked for more than the summary.
    bool is_verbose() const { return style_.verbosity > 0; }
    TextStyle const& style() const { return style_; }

    /// The name of the document, which a screen does not need, and one sentence of what it is
    /// about.
    virtual void title(std::string const& name, std::string const& lead) = 0;
    virtual void section(Literal anchor, std::string const& title) = 0;
    /// Of what follows at once.
    virtual void heading(std::string const& text) = 0;
    virtual void paragraph(std::string const& text, Emphasis emphasis = Emphasis::none) = 0;
    /// A remark on what stands before it.
    virtual void note(std::string const& text, Emphasis emphasis = Emphasis::none) = 0;
    /// What follows on a screen stands apart from what stands before.
    virtual void apart() {}
    /// @param label_width   columns of the longest label on a screen
    /// @param right_margin  columns of a screen that stay free at the right
    virtual void lines(std::vector<Line> const& lines, std::size_t label_width,
                       std::size_t right_margin = 0) = 0;
    virtual void table(Table table) = 0;
    virtual void notices(Notices const& notices) = 0;
    virtual void tiles(std::vector<Tile> const& tiles) = 0;
    /// Text for a screen as it is.
    virtual void verbatim(std::string const&) {}
    /// Lines to be pasted, as they are.
    virtual void code(std::string const&) {}
    /// Markup of a page, such as a drawing; the others have nothing like it.
    virtual void markup(Html&&) {}
    /// What a page hides until somebody asks, up to the end.
    virtual void fold(std::string const&) {}
    virtual void end_fold() {}
    /// What a page draws; `alternative` says in words what it shows.
    virtual void chart(nlohmann::ordered_json const&, std::string const&) {}
    /// Who made it. Returns the document; the printer is empty afterwards.
    virtual std::string take(std::string const& origin = {}) = 0;

  private:
    Form form_;
    TextStyle style_;
};

std::unique_ptr<Printer> text_printer(TextStyle const& style);
std::unique_ptr<Printer> markdown_printer(TextStyle const& style);
std::unique_ptr<Printer> page_printer(TextStyle const& style);

/// Text of a cell of Markdown: nothing in it may end the cell, start a tag, a link or emphasis.
std::string markdown_cell(std::string_view text);

/// "title, version".
std::string source_text(Reference const& reference);

}  // namespace rocmtune
