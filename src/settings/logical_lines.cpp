// SPDX-License-Identifier: MIT
#include "settings/logical_lines.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace rocmtune {
namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

ListWord take_word(std::string_view line, std::size_t& place, bool expands) {
    ListWord word{.offset = place};
    char quote = '\0';
    for (; place < line.size() && (quote != '\0' || !is_blank(line[place])); ++place) {
        auto const c = line[place];
        if (c == quote) quote = '\0';
        else if (quote == '\0' && (c == '"' || c == '\'')) quote = c;
        else if (c == '\\' && quote != '\'' && place + 1 < line.size()) word.text += line[++place];
        else {
            word.is_open = word.is_open || (expands && quote != '\'' && (c == '$' || c == '`'));
            word.text += c;
        }
    }
    return word;
}

}  // namespace

LogicalLine::Origin LogicalLine::place(std::size_t offset) const {
    auto const after = std::ranges::upper_bound(origins, offset, {}, &Origin::offset);
    if (after == origins.begin()) return {};
    auto origin = *std::prev(after);
    origin.column += offset - origin.offset;
    return origin;
}

std::vector<LogicalLine> logical_lines(std::string_view text, std::size_t first_line) {
    std::vector<LogicalLine> result;
    bool continues = false;
    auto number = first_line;
    for (auto line : split(text, '\n')) {
        auto const here = number++;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (continues && trim(line).starts_with('#')) continue;
        if (!continues) result.emplace_back();
        auto& logical = result.back();
        logical.origins.push_back({logical.text.size(), here, 1});
        continues = line.ends_with('\\');
        if (continues) line.remove_suffix(1);
        logical.text += line;
        if (continues) logical.text += ' ';
    }
    return result;
}

std::vector<ListWord> list_words(std::string_view line, std::size_t offset, bool expands) {
    std::vector<ListWord> result;
    auto place = offset;
    while (true) {
        while (place < line.size() && is_blank(line[place])) ++place;
        if (place >= line.size()) return result;
        result.push_back(take_word(line, place, expands));
    }
}

}  // namespace rocmtune
