// SPDX-License-Identifier: MIT
// The screen that text is for: its width, colour, columns and wrapping.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rocmtune {

/// What the reader's screen can show.
struct TextStyle {
    std::size_t width = 100;  ///< columns; at least 40
    bool color = false;       ///< ANSI escapes
    bool utf8 = true;         ///< otherwise bytes above 0x7F are shown as '?'
    int verbosity = 0;        ///< 0 summary, 1 every fact, 2 with sources
};

/// Columns that a text takes on a screen: two for East Asian characters and pictures, none for
/// combining marks, one for all else.
std::size_t display_width(std::string_view text);

/// At most `width` columns; a cut text ends in "..".
std::string shorten(std::string_view text, std::size_t width);

/// Filters text for the screen: no control characters, no bytes it cannot show.
std::string for_screen(std::string_view text, TextStyle const& style);

enum class Emphasis { none, heading, quiet, notable, good };

/// The text in the colour of its role, or as it is where the screen has none.
std::string emphasised(std::string_view text, Emphasis emphasis, TextStyle const& style);

/// Breaks text at blanks into lines of at most `width` columns; a longer word is cut in pieces.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// The text with each of these characters written as something else.
std::string replaced(std::string_view text,
                     std::initializer_list<std::pair<char, std::string_view>> replacements);

/// Names below the reason that they share, in the order of the first of each.
using NamesByReason = std::vector<std::pair<std::string, std::vector<std::string>>>;
void add_name(NamesByReason& all, std::string const& reason, std::string name);

/// "a, b, c".
std::string joined(std::vector<std::string> const& parts, std::string_view separator = ", ");

/// Four significant digits, without decimals from 1000 on.
std::string figure_text(double value);

/// How the cells of a column are shown on a page.
enum class CellKind { text, number, code, verdict, wide, line, markup };

/// A column of a table. Of the columns that may go, the last one goes first when space is short.
struct Column {
    std::string heading;
    bool right = false;  ///< numbers
    bool may_go = false;
    bool may_shrink = false;  ///< cut to what is left
    CellKind kind = CellKind::text;
    std::size_t most = 0;  ///< columns of the screen that a cell may take; 0: any number
};

/// A table with a heading line, every line indented by one blank.
std::string table_text(std::vector<Column> columns, std::vector<std::vector<std::string>> rows,
                       TextStyle const& style);

}  // namespace rocmtune
