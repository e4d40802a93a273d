// SPDX-License-Identifier: MIT
// Lines that a backslash at their end joins with the next.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

/// One line after joining; every byte remembers where it came from.
struct LogicalLine {
    struct Origin {
        std::size_t offset;  ///< of the first byte of this piece in `text`
        std::size_t line;
        std::size_t column;  ///< of that byte, from 1
    };
    std::string text = {};
    std::vector<Origin> origins = {};

    /// Line and column of a byte of the text.
    Origin place(std::size_t offset) const;
};

/// The joined lines of a text. A line that begins with '#' within a continuation is left out, as
/// Docker and systemd do.
std::vector<LogicalLine> logical_lines(std::string_view text, std::size_t first_line);

/// One word of NAME=VALUE lists, without its quotes.
struct ListWord {
    std::string text = {};
    std::size_t offset = 0;  ///< of its first byte in the line
    bool is_open = false;    ///< something in it has to be expanded: its text is not known
};

/// Words between blanks from `offset` on; '...' and "..." hold blanks, \ takes the next byte as it
/// is. `expands` says whether $ and ` stand for something.
std::vector<ListWord> list_words(std::string_view line, std::size_t offset, bool expands);

}  // namespace rocmtune
