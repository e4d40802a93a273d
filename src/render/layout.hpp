// SPDX-License-Identifier: MIT
// Columns, wrapping and colour for text output.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/text.hpp"

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
