// SPDX-License-Identifier: MIT
// Columns, wrapping and colour for text output.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "show/text.hpp"

namespace rocmtune {

/// Columns that a text takes on a screen: two for East Asian characters and pictures, none for
/// combining marks, one for all else.
std::size_t display_width(std::string_view text);

/// At most `width` columns; a cut text ends in "..".
std::string shorten(std::string_view text, std::size_t width);

/// Filters text for the screen: no control characters, no bytes it cannot show.
std::string for_screen(std::string_view text, TextStyle const& style);

enum class Emphasis { none, heading, quiet, notable };

/// The text in the colour of its role, or as it is where the screen has none.
std::string emphasised(std::string_view text, Emphasis emphasis, TextStyle const& style);

/// Breaks text at blanks into lines of at most `width` columns; a longer word is cut in pieces.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// Labelled paragraphs below each other, wrapped to the screen; one without text is left out.
class LabelledText {
  public:
    /// @param label_width   columns of the longest label; a blank stands on both its sides
    /// @param right_margin  columns that stay free at the right
    LabelledText(TextStyle const& style, std::size_t label_width, std::size_t right_margin = 0)
        : style_(style), label_width_(label_width), right_margin_(right_margin) {}

    void add(std::string_view label, std::string_view text, Emphasis emphasis = Emphasis::none);
    std::string take() { return std::move(out_); }

  private:
    TextStyle const& style_;
    std::size_t label_width_;
    std::size_t right_margin_;
    std::string out_;
};

/// A column of a table. Of the columns that may go, the last one goes first when space is short.
struct Column {
    std::string heading;
    bool right = false;  ///< numbers
    bool may_go = false;
    bool may_shrink = false;  ///< cut to what is left
};

/// A table with a heading line, every line indented by one blank.
std::string table_text(std::vector<Column> columns, std::vector<std::vector<std::string>> rows,
                       TextStyle const& style);

}  // namespace rocmtune
