// SPDX-License-Identifier: MIT
#include "render/layout.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

constexpr std::size_t gap = 2;           ///< blanks between columns
constexpr std::size_t least_column = 8;  ///< no column is cut below this

bool starts_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80;
}

std::string padded(std::string const& text, std::size_t width, bool right) {
    auto const have = display_width(text);
    auto const fill = std::string(width > have ? width - have : 0, ' ');
    return right ? fill + text : text + fill;
}

/// Widths of the columns, made to fit: first columns that may go are dropped, then the one that
/// may shrink is cut.
class Fit {
  public:
    Fit(std::vector<Column>& columns, std::vector<std::vector<std::string>>& rows, std::size_t width)
        : columns_(columns), rows_(rows), width_(width) {
        measure();
        while (total() > width_ && drop_one()) measure();
        shrink();
    }
    std::vector<std::size_t> widths;

  private:
    void measure() {
        widths.clear();
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            auto widest = display_width(columns_[i].heading);
            for (auto const& row : rows_) widest = std::max(widest, display_width(row[i]));
            widths.push_back(widest);
        }
    }

    std::size_t total() const {
        std::size_t sum = 1;
        for (auto const width : widths) sum += width + gap;
        return sum - gap;
    }

    bool drop_one() {
        auto const last = std::find_if(columns_.rbegin(), columns_.rend(), [](Column const& c) { return c.may_go; });
        if (last == columns_.rend()) return false;
        auto const index = std::distance(columns_.begin(), last.base()) - 1;
        columns_.erase(columns_.begin() + index);
        for (auto& row : rows_) row.erase(row.begin() + index);
        return true;
    }

    void shrink() {
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            auto const over = total() > width_ ? total() - width_ : 0;
            if (!columns_[i].may_shrink || over == 0) continue;
            widths[i] = std::max(least_column, widths[i] > over ? widths[i] - over : 0);
        }
    }

    std::vector<Column>& columns_;
    std::vector<std::vector<std::string>>& rows_;
    std::size_t width_;
};

}  // namespace

std::size_t display_width(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

std::string shorten(std::string_view text, std::size_t width) {
    if (display_width(text) <= width) return std::string(text);
    std::string result;
    std::size_t used = 0;
    for (auto const c : text) {
        if (starts_character(c) && used++ + 2 >= width) break;
        result += c;
    }
    return std::string(trim(result)) + "..";
}

std::string for_screen(std::string_view text, TextStyle const& style) {
    auto clean = printable(text);
    if (style.utf8) return clean;
    std::string ascii;
    for (auto const c : clean)
        if (starts_character(c)) ascii += static_cast<unsigned char>(c) < 0x80 ? c : '?';
    return ascii;
}

std::string emphasised(std::string_view text, Emphasis emphasis, TextStyle const& style) {
    if (!style.color || emphasis == Emphasis::none) return std::string(text);
    auto const* code = emphasis == Emphasis::heading ? "1" : emphasis == Emphasis::quiet ? "2" : "33";
    return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
    std::vector<std::string> result(1);
    for (auto const word : words(text)) {
        auto& line = result.back();
        auto const needed = display_width(line) + (line.empty() ? 0 : 1) + display_width(word);
        if (!line.empty() && needed > width) result.emplace_back(word);
        else line += (line.empty() ? "" : " ") + std::string(word);
    }
    return result;
}

std::string table_text(std::vector<Column> columns, std::vector<std::vector<std::string>> rows,
                       TextStyle const& style) {
    for (auto& row : rows)
        for (auto& cell : row) cell = for_screen(cell, style);
    Fit const fit(columns, rows, style.width);
    std::string heading = " ";
    for (std::size_t i = 0; i < columns.size(); ++i)
        heading += padded(columns[i].heading, fit.widths[i], columns[i].right) + std::string(gap, ' ');
    auto const without_end = [](std::string const& line) { return line.substr(0, line.find_last_not_of(' ') + 1); };
    auto text = emphasised(without_end(heading), Emphasis::heading, style) + '\n';
    for (auto const& row : rows) {
        std::string line = " ";
        for (std::size_t i = 0; i < columns.size(); ++i)
            line += padded(shorten(row[i], fit.widths[i]), fit.widths[i], columns[i].right) + std::string(gap, ' ');
        text += without_end(line) + '\n';
    }
    return text;
}

}  // namespace rocmtune
