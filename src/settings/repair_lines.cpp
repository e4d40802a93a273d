// SPDX-License-Identifier: MIT
// Edits of texts whose settings are lines or lists in lines: .env, Dockerfiles, units, modulefiles,
// Python, Nix.
#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "settings/cursor.hpp"
#include "settings/repair_parts.hpp"

namespace rocmtune {
namespace {

using std::string_view;

std::size_t skip_blanks(string_view text, std::size_t at) {
    while (at < text.size() && is_blank(text[at])) ++at;
    return at;
}

std::size_t blank_begin(string_view line) {
    return std::min(line.find_first_not_of(" \t"), line.size());
}

/// The end of a text in quotes that begins at `at`, behind its second quote; npos: it has none.
std::size_t quoted_end(string_view text, std::size_t at) {
    auto const quote = text[at];
    for (auto end = at + 1; end < text.size(); ++end) {
        if (text[end] == '\\' && quote == '"') ++end;
        else if (text[end] == quote) return end + 1;
    }
    return text.npos;
}

/// The end of what is no value any more: behind it a comment, or nothing.
std::size_t bare_end(string_view line, std::size_t at) {
    auto end = at;
    while (end < line.size() && !(line[end] == '#' && (end == at || is_blank(line[end - 1]))))
        ++end;
    while (end > at && is_blank(line[end - 1])) --end;
    return end;
}

/// Whether nothing but a comment follows.
bool ends_with_comment(string_view rest, string_view mark) {
    auto const text = trim(rest);
    return text.empty() || text.starts_with(mark);
}

// ---- lines that a backslash joins ---------------------------------------------------------------

struct RawWord {
    std::size_t begin, end;
};

/// Words between blanks and joined lines. Nothing where a comment stands between them.
std::optional<std::vector<RawWord>> raw_words(string_view text, std::size_t from, std::size_t to) {
    std::vector<RawWord> words;
    auto const is_join = [&](std::size_t at) {
        return text[at] == '\\' &&
               (text.substr(at + 1, 1) == "\n" || text.substr(at + 1, 2) == "\r\n");
    };
    for (auto at = from; at < to;) {
        if (is_blank(text[at]) || text[at] == '\n' || is_join(at)) {
            ++at;
            continue;
        }
        if (text[at] == '#') return std::nullopt;
        RawWord word{at, at};
        char quote = '\0';
        for (; at < to; ++at) {
            auto const c = text[at];
            if (quote == '\0' && (is_blank(c) || c == '\n' || is_join(at))) break;
            if (c == quote) quote = '\0';
            else if (quote == '\0' && (c == '"' || c == '\'')) quote = c;
            else if (c == '\\' && quote != '\'') ++at;
        }
        word.end = std::min(at, to);
        words.push_back(word);
    }
    return words;
}

/// One NAME=VALUE of a list that begins behind `from`, on the joined lines.
std::optional<Edit> list_edit(MendedPlace const& place, JoinedLines joined, std::size_t from) {
    auto const& lines = place.lines;
    auto const end = lines.begin(joined.last) + lines.line(joined.last).size();
    auto const words = raw_words(place.text(), from, end);
    if (!words) return std::nullopt;
    auto const own = std::ranges::find_if(
        *words, [&](RawWord const& word) { return word.begin <= place.at && place.at < word.end; });
    if (own == words->end() || place.at - own->begin > 1) return std::nullopt;
    if (place.text().substr(place.name_end(), 1) != "=") return std::nullopt;
    if (place.renames()) return renamed_at(place);
    if (!place.removes()) {
        bool const quotes_all = own->begin < place.at;
        return value_at(place, place.name_end() + 1, own->end - (quotes_all ? 1 : 0));
    }
    if (words->size() == 1)
        return without_lines(lines, lines.begin(joined.first), lines.next(joined.last));
    ListItem item{.begin = own->begin,
                  .end = own->end,
                  .previous_end = own == words->begin() ? from : std::prev(own)->end};
    if (own + 1 != words->end()) item.next = std::next(own)->begin;
    return without_item(place.text(), item);
}

/// ENV NAME VALUE
std::optional<Edit> old_env_edit(MendedPlace const& place, JoinedLines joined) {
    if (joined.first != joined.last) return std::nullopt;
    auto const& lines = place.lines;
    if (place.renames()) return renamed_at(place);
    if (place.removes())
        return without_lines(lines, lines.begin(joined.first), lines.next(joined.last));
    auto const line_end = lines.begin(joined.first) + lines.line(joined.first).size();
    auto const begin = skip_blanks(place.text(), place.name_end());
    auto end = line_end;
    while (end > begin && is_blank(place.text()[end - 1])) --end;
    return value_at(place, begin, end);
}

// ---- a statement that has its line alone --------------------------------------------------------

/// The value of a statement in one line.
struct LineValue {
    std::size_t begin, end;
};

/// What follows the name: a quote if one stands before it, any of the characters in `middle`, the
/// value, any of those in `closing`, and nothing but a comment.
std::optional<LineValue> line_value(MendedPlace const& place, string_view middle,
                                    string_view closing, string_view comment) {
    auto const& lines = place.lines;
    auto const number = lines.line_of(place.at);
    auto const text = place.text().substr(0, lines.begin(number) + lines.line(number).size());
    auto at = place.name_end();
    auto const is_quote = [&](std::size_t i) {
        return i < text.size() && (text[i] == '"' || text[i] == '\'');
    };
    if (place.at > 0 && is_quote(place.at - 1)) {
        if (at >= text.size() || text[at] != text[place.at - 1]) return std::nullopt;
        ++at;
    }
    while (at < text.size() && middle.find(text[at]) != middle.npos) ++at;
    LineValue value{at, at};
    if (is_quote(at)) value.end = quoted_end(text, at);
    else
        while (value.end < text.size() && !is_blank(text[value.end]) &&
               closing.find(text[value.end]) == closing.npos)
            ++value.end;
    if (value.end == text.npos || value.end == at) return std::nullopt;
    // What is computed may go on in the next line.
    if (text.substr(at, value.end - at).find_first_of("([{\\") != text.npos) return std::nullopt;
    at = value.end;
    while (at < text.size() && closing.find(text[at]) != closing.npos) ++at;
    return ends_with_comment(text.substr(at), comment) ? std::optional(value) : std::nullopt;
}

/// The edit of such a statement; `nothing` stands for it where its block would else be empty.
Edit line_edit(MendedPlace const& place, string_view nothing) {
    auto const& lines = place.lines;
    auto const number = lines.line_of(place.at);
    if (nothing.empty()) return without_lines(lines, place.at, place.at + 1);
    auto const begin = lines.begin(number) + blank_begin(lines.line(number));
    return {.begin = begin,
            .end = lines.begin(number) + lines.line(number).size(),
            .text = std::string(nothing)};
}

std::optional<Edit> statement_edit(MendedPlace const& place, std::optional<LineValue> const& value,
                                   string_view nothing = {}) {
    if (!value) return std::nullopt;
    if (place.renames()) return renamed_at(place);
    if (place.removes()) return line_edit(place, nothing);
    return value_at(place, value->begin, value->end);
}

/// What stands before the name in its line.
string_view head_of(MendedPlace const& place) {
    auto const& lines = place.lines;
    return trim(place.slice(lines.begin(lines.line_of(place.at)), place.at));
}

/// A block whose first statement this is would be empty without it.
bool is_first_of_block(SourceLines const& lines, std::size_t number) {
    auto const above = lines.filled_above(number);
    if (above == 0) return false;
    auto line = lines.line(above);
    if (blank_begin(line) < blank_begin(lines.line(number))) return true;
    line = trim(line.substr(0, line.find(" #")));
    return line.ends_with(':');
}

}  // namespace

std::optional<Edit> dotenv_edit(MendedPlace const& place) {
    auto const text = place.text();
    auto const head = head_of(place);
    auto const equals = skip_blanks(text, place.name_end());
    if ((!head.empty() && head != "export") || text.substr(equals, 1) != "=") return std::nullopt;
    if (place.renames()) return renamed_at(place);
    auto const begin = skip_blanks(text, equals + 1);
    auto const& lines = place.lines;
    bool const quoted = begin < text.size() && (text[begin] == '"' || text[begin] == '\'') &&
                        place.kind != InputKind::rccl_conf;
    auto const line = lines.line_of(place.at);
    auto const line_end = lines.begin(line) + lines.line(line).size();
    auto const end = quoted ? quoted_end(text, begin) : bare_end(text.substr(0, line_end), begin);
    if (end == text.npos) return std::nullopt;
    if (place.removes()) return without_lines(lines, place.at, std::max(end, place.name_end()));
    return value_at(place, begin, end);
}

std::optional<Edit> dockerfile_edit(MendedPlace const& place) {
    auto const joined = joined_lines(place.lines, place.at);
    auto const begin = place.lines.begin(joined.first);
    auto const word_begin = begin + blank_begin(place.lines.line(joined.first));
    auto const word = lower(place.slice(word_begin, word_begin + 3));
    if (word == "run") return shell_edit(place);
    if (word != "env") return std::nullopt;
    bool const is_old = place.text().substr(place.name_end(), 1) != "=";
    return is_old ? old_env_edit(place, joined) : list_edit(place, joined, word_begin + 3);
}

std::optional<Edit> systemd_edit(MendedPlace const& place) {
    auto const joined = joined_lines(place.lines, place.at);
    auto const begin = place.lines.begin(joined.first);
    auto const equals = place.text().find('=', begin);
    if (equals >= place.at ||
        !is_one_of(trim(place.slice(begin, equals)), {"Environment", "DefaultEnvironment"}))
        return std::nullopt;
    return list_edit(place, joined, equals + 1);
}

/// setenv NAME VALUE, setenv("NAME", "VALUE")
std::optional<Edit> modulefile_edit(MendedPlace const& place) {
    auto const& lines = place.lines;
    auto const number = lines.line_of(place.at);
    if (number > 1 && lines.line(number - 1).ends_with('\\')) return std::nullopt;
    auto const head = head_of(place);
    if (is_one_of(head, {"setenv", "pushenv", "setenv \"", "pushenv \""}))
        return statement_edit(place, line_value(place, " \t", "", "#"));
    if (is_one_of(head, {"setenv(\"", "pushenv(\"", "setenv('", "pushenv('"}))
        return statement_edit(place, line_value(place, " \t,", ") ;", "--"));
    return std::nullopt;
}

/// os.environ["NAME"] = "VALUE", os.environ.setdefault("NAME", "VALUE"), os.putenv of the same
std::optional<Edit> python_edit(MendedPlace const& place) {
    auto head = head_of(place);
    if (head.empty()) return std::nullopt;
    head.remove_suffix(1);  // the quote
    auto const& lines = place.lines;
    auto const number = lines.line_of(place.at);
    auto const nothing = is_first_of_block(lines, number) ? "pass" : "";
    if (is_one_of(head, {"os.environ[", "environ["}))
        return statement_edit(place, line_value(place, "] \t=", " ", "#"), nothing);
    if (is_one_of(head, {"os.environ.setdefault(", "environ.setdefault(", "os.putenv("}))
        return statement_edit(place, line_value(place, ", \t", ") ", "#"), nothing);
    return std::nullopt;
}

/// NAME = "VALUE"; and a.b.NAME = "VALUE";
std::optional<Edit> nix_edit(MendedPlace const& place) {
    auto const head = head_of(place);
    bool const is_attribute = std::ranges::all_of(
        head, [](char c) { return is_name_character(c) || c == '.' || c == '-' || c == '"'; });
    if (!is_attribute) return std::nullopt;
    auto const number = place.lines.line_of(place.at);
    if (place.lines.line(number).find(';') == string_view::npos) return std::nullopt;
    return statement_edit(place, line_value(place, " \t=", " ;", "#"));
}

}  // namespace rocmtune
