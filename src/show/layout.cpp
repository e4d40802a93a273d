// SPDX-License-Identifier: MIT
#include "show/layout.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

constexpr std::size_t column_gap = 2;    ///< blanks between columns
constexpr std::size_t least_column = 8;  ///< no column is cut below this

/// One code point of a text, or one byte that belongs to none.
struct Character {
    std::string_view text;
    std::uint32_t code = 0;
};

Character first_character(std::string_view text) {
    auto const lead = static_cast<unsigned char>(text[0]);
    if (lead < 0x80) return {text.substr(0, 1), lead};
    std::size_t const size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    if (!is_utf8(text.substr(0, size))) return {text.substr(0, 1), lead};
    std::uint32_t code = lead & (0xFFU >> (size + 1));
    for (auto const c : text.substr(1, size - 1))
        code = code << 6 | (static_cast<unsigned char>(c) & 0x3FU);
    return {text.substr(0, size), code};
}

struct CodeRange {
    std::uint32_t first;
    std::uint32_t last;
};

/// Two columns wide: the blocks that Unicode's EastAsianWidth.txt lists as W or F, in whole blocks.
constexpr CodeRange wide[] = {
    {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},  {0xA960, 0xA97F}, {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},  {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F},
    {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
/// No column of their own: combining marks, joiners, variation selectors.
constexpr CodeRange narrow[] = {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x2060, 0x2064},
                                {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
                                {0xFEFF, 0xFEFF}};

std::size_t columns_of(std::uint32_t code) {
    auto const holds = [code](CodeRange const& range) {
        return range.first <= code && code <= range.last;
    };
    if (code < 0x300) return 1;
    if (std::any_of(std::begin(narrow), std::end(narrow), holds)) return 0;
    return std::any_of(std::begin(wide), std::end(wide), holds) ? 2 : 1;
}

/// The longest front of a text that fits the width; at least one character.
std::string_view front(std::string_view text, std::size_t width) {
    std::size_t bytes = 0;
    for (std::size_t used = 0; bytes < text.size();) {
        auto const next = first_character(text.substr(bytes));
        used += columns_of(next.code);
        if (used > width && bytes > 0) break;
        bytes += next.text.size();
    }
    return text.substr(0, bytes);
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
    Fit(std::vector<Column>& columns, std::vector<std::vector<std::string>>& rows,
        std::size_t width)
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
        for (auto const width : widths) sum += width + column_gap;
        return sum - column_gap;
    }

    bool drop_one() {
        auto const last = std::find_if(columns_.rbegin(), columns_.rend(),
                                       [](Column const& c) { return c.may_go; });
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
    std::size_t columns = 0;
    while (!text.empty()) {
        auto const next = first_character(text);
        columns += columns_of(next.code);
        text.remove_prefix(next.text.size());
    }
    return columns;
}

std::string shorten(std::string_view text, std::size_t width) {
    if (display_width(text) <= width) return std::string(text);
    auto kept = front(text, width > 2 ? width - 2 : 0);
    if (display_width(kept) + 2 > width) kept = {};
    return std::string(trim(kept)) + "..";
}

std::string for_screen(std::string_view text, TextStyle const& style) {
    auto clean = printable(text);
    if (style.utf8) return clean;
    std::string ascii;
    for (std::string_view rest = clean; !rest.empty();) {
        auto const next = first_character(rest);
        ascii += next.code < 0x80 ? next.text[0] : '?';
        rest.remove_prefix(next.text.size());
    }
    return ascii;
}

std::string emphasised(std::string_view text, Emphasis emphasis, TextStyle const& style) {
    if (!style.color || emphasis == Emphasis::none || emphasis == Emphasis::good)
        return std::string(text);
    auto const* code = emphasis == Emphasis::heading ? "1"
                       : emphasis == Emphasis::quiet ? "2"
                                                     : "33";
    return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
    std::vector<std::string> result(1);
    for (auto word : words(text)) {
        auto const have = display_width(result.back());
        if (have > 0 && have + 1 + display_width(word) > width) result.emplace_back();
        for (; display_width(word) > width; result.emplace_back()) {
            auto const piece = front(word, width);
            if (piece.size() == word.size()) break;  // one character wider than the line
            result.back() += piece;
            word.remove_prefix(piece.size());
        }
        result.back() += (result.back().empty() ? "" : " ") + std::string(word);
    }
    return result;
}

std::string replaced(std::string_view text,
                     std::initializer_list<std::pair<char, std::string_view>> replacements) {
    std::string out;
    out.reserve(text.size() + text.size() / 8);
    for (auto const c : text) {
        auto const* const found =
            std::ranges::find(replacements, c, &std::pair<char, std::string_view>::first);
        if (found == replacements.end()) out += c;
        else out += found->second;
    }
    return out;
}

void add_name(NamesByReason& all, std::string const& reason, std::string name) {
    auto same = std::ranges::find(all, reason, &NamesByReason::value_type::first);
    if (same == all.end()) same = all.insert(same, {reason, {}});
    same->second.push_back(std::move(name));
}

std::string joined(std::vector<std::string> const& parts, std::string_view separator) {
    return fmt::format("{}", fmt::join(parts, separator));
}

std::string figure_text(double value) {
    return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string table_text(std::vector<Column> columns, std::vector<std::vector<std::string>> rows,
                       TextStyle const& style) {
    for (auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            row[i] = for_screen(row[i], style);
            if (columns[i].most > 0) row[i] = shorten(row[i], columns[i].most);
        }
    Fit const fit(columns, rows, style.width);
    std::string heading = " ";
    for (std::size_t i = 0; i < columns.size(); ++i)
        heading += padded(columns[i].heading, fit.widths[i], columns[i].right) +
                   std::string(column_gap, ' ');
    auto const without_end = [](std::string const& line) {
        return line.substr(0, line.find_last_not_of(' ') + 1);
    };
    auto text = emphasised(without_end(heading), Emphasis::heading, style) + '\n';
    for (auto const& row : rows) {
        std::string line = " ";
        for (std::size_t i = 0; i < columns.size(); ++i)
            line += padded(shorten(row[i], fit.widths[i]), fit.widths[i], columns[i].right) +
                    std::string(column_gap, ' ');
        text += without_end(line) + '\n';
    }
    return text;
}

}  // namespace rocmtune
