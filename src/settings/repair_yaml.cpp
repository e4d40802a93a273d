// SPDX-License-Identifier: MIT
// Edits of environments in YAML that stand line by line: maps, lists of NAME=VALUE, and lists of
// name and value. Everything else that YAML can write is left to a person.
#include <algorithm>

#include "base/text.hpp"
#include "settings/cursor.hpp"
#include "settings/repair_parts.hpp"

namespace rocmtune {
namespace {

using std::string_view;

bool is_filled(string_view line) {
    auto const text = trim(line);
    return !text.empty() && !text.starts_with('#');
}

/// The text behind blanks up to a comment.
string_view value_in(string_view rest) {
    auto const text = trim(rest);
    if (text.starts_with('#')) return {};
    if (text.starts_with('"') || text.starts_with('\'')) {
        auto const end = text.find(text.front(), 1);
        if (end == text.npos) return text;
        auto const behind = trim(text.substr(end + 1));
        return behind.empty() || behind.starts_with('#') ? text.substr(0, end + 1) : text;
    }
    return trim(text.substr(0, text.find(" #")));
}

/// Whether a value is no more than the text that stands there.
bool is_simple(string_view value) {
    if (value.empty()) return true;
    if (string_view("&*!|>{[%@`").find(value.front()) != string_view::npos) return false;
    auto const quote = value.front();
    if (quote != '"' && quote != '\'') return true;
    return value.size() > 1 && value.back() == quote && value.find('\\') == value.npos;
}

/// One setting in its lines.
struct Entry {
    enum class Form : unsigned char { map, words, pairs };  ///< A: 1; - A=1; - name: A
    Form form = Form::map;
    std::size_t first = 0, last = 0;  ///< numbers of lines
    std::size_t indentation = 0;
    std::size_t value_begin = 0, value_end = 0;
};

/// The number of the next line that says anything; 0: none.
std::size_t filled_below(SourceLines const& lines, std::size_t number) {
    while (++number <= lines.count())
        if (is_filled(lines.line(number))) return number;
    return 0;
}

void set_value_place(SourceLines const& lines, string_view value, Entry& entry) {
    entry.value_begin = static_cast<std::size_t>(value.data() - lines.text().data());
    entry.value_end = entry.value_begin + value.size();
}

/// "value: X" below "- name: NAME".
bool take_pair(SourceLines const& lines, std::size_t key_column, Entry& entry) {
    auto const below = filled_below(lines, entry.first);
    if (below != entry.first + 1) return false;
    auto const line = lines.line(below);
    constexpr string_view key = "value:";
    if (indentation(line) != key_column || !line.substr(key_column).starts_with(key)) return false;
    auto const value = value_in(line.substr(key_column + key.size()));
    if (value.empty() || !is_simple(value)) return false;
    set_value_place(lines, value, entry);
    entry.last = below;
    return true;
}

std::optional<Entry> entry_at(MendedPlace const& place) {
    auto const& lines = place.lines;
    Entry entry{.first = lines.line_of(place.at)};
    entry.last = entry.first;
    auto const line = lines.line(entry.first);
    auto const column = place.at - lines.begin(entry.first);
    entry.indentation = indentation(line);
    auto head = trim(line.substr(0, column));
    auto rest = line.substr(column + place.name().size());
    char const quote = head.ends_with('"') || head.ends_with('\'') ? head.back() : '\0';
    if (quote != '\0') head.remove_suffix(1);
    head = trim(head);
    auto key_column = column;
    if (head == "-" && rest.starts_with('=')) {
        entry.form = Entry::Form::words;
        auto value = quote != '\0' ? rest.substr(1) : value_in(rest.substr(1));
        if (quote != '\0') {
            auto const end = value.find(quote);
            if (end == value.npos || value.find('\\') != value.npos) return std::nullopt;
            if (!value_in(value.substr(end + 1)).empty()) return std::nullopt;
            value = value.substr(0, end);
        }
        set_value_place(lines, value, entry);
    } else if (head == "- name:" && value_in(rest.substr(quote != '\0' ? 1 : 0)).empty()) {
        entry.form = Entry::Form::pairs;
        key_column = line.find("name:");
        if (!take_pair(lines, key_column, entry)) return std::nullopt;
    } else {
        if (quote != '\0' && !rest.starts_with(quote)) return std::nullopt;
        rest.remove_prefix(quote != '\0' ? 1 : 0);
        rest = trim(rest);
        if (!head.empty() || !rest.starts_with(':')) return std::nullopt;
        auto const value = value_in(rest.substr(1));
        if (!is_simple(value)) return std::nullopt;
        set_value_place(lines, value, entry);
    }
    // A value that goes on below it.
    auto const below = filled_below(lines, entry.last);
    if (below > 0 && indentation(lines.line(below)) > entry.indentation) return std::nullopt;
    return entry;
}

bool is_item(string_view line) {
    return trim(line) == "-" || trim(line).starts_with("- ");
}

/// The line of the key whose value the entry is a part of; 0: it is not as expected.
std::size_t parent_of(SourceLines const& lines, Entry const& entry) {
    bool const in_list = entry.form != Entry::Form::map;
    for (auto above = lines.filled_above(entry.first); above > 0;
         above = lines.filled_above(above)) {
        auto const line = lines.line(above);
        auto const here = indentation(line);
        bool const holds =
            here < entry.indentation || (in_list && here == entry.indentation && !is_item(line));
        if (!holds) continue;
        return value_in(line).ends_with(':') ? above : 0;
    }
    return 0;
}

/// Where the lines below the parent end: the number of the first line that is none of them.
std::size_t end_of_block(SourceLines const& lines, Entry const& entry) {
    auto number = entry.last;
    for (auto below = filled_below(lines, number); below > 0; below = filled_below(lines, below)) {
        auto const line = lines.line(below);
        bool const in_list = entry.form != Entry::Form::map;
        if (indentation(line) < entry.indentation ||
            (in_list && indentation(line) == entry.indentation && !is_item(line)))
            break;
        number = below;
    }
    return number + 1;
}

bool is_alone(SourceLines const& lines, Entry const& entry, std::size_t parent, std::size_t end) {
    for (auto number = parent + 1; number < end; ++number)
        if ((number < entry.first || number > entry.last) && is_filled(lines.line(number)))
            return false;
    return true;
}

std::optional<Edit> without_entry(SourceLines const& lines, Entry const& entry) {
    auto const parent = parent_of(lines, entry);
    if (parent == 0) return std::nullopt;
    auto const end = end_of_block(lines, entry);
    auto edit = without_lines(lines, lines.begin(entry.first), lines.next(entry.last));
    if (is_alone(lines, entry, parent, end)) {
        // Null is no environment for some readers.
        auto const key = value_in(lines.line(parent));
        auto const colon = static_cast<std::size_t>(key.data() - lines.text().data()) + key.size();
        auto const kept = lines.text().substr(colon, edit.begin - colon);
        edit.text = std::string(entry.form == Entry::Form::map ? " {}" : " []");
        edit.text += kept;
        edit.begin = colon;
    }
    edit.seen_begin = lines.begin(parent);
    edit.seen_end = lines.begin(end);
    return edit;
}

/// Whether the line is one of a script: the literal block of some key holds it.
bool is_in_script(SourceLines const& lines, std::size_t number) {
    auto least = indentation(lines.line(number));
    for (auto above = number - 1; above > 0; --above) {
        auto const line = lines.line(above);
        if (trim(line).empty() || indentation(line) >= least) continue;
        least = indentation(line);
        auto const text = trim(line);
        auto const at = text.rfind('|');
        return at != text.npos && at > 0 && text[at - 1] == ' ' &&
               text.find_first_not_of("|+-0123456789", at) == text.npos;
    }
    return false;
}

/// A reader of YAML must not take it for a number or a truth value.
std::optional<Edit> value_edit(MendedPlace const& place, Entry const& entry) {
    auto edit = value_at(place, entry.value_begin, entry.value_end);
    bool const is_whole = edit && edit->begin == entry.value_begin;
    if (is_whole && entry.form != Entry::Form::words) edit->text = '"' + edit->text + '"';
    return edit;
}

}  // namespace

std::optional<Edit> yaml_edit(MendedPlace const& place) {
    auto const& lines = place.lines;
    auto const entry = entry_at(place);
    if (!entry)
        return is_in_script(lines, lines.line_of(place.at)) ? shell_edit(place) : std::nullopt;
    if (place.renames()) return renamed_at(place);
    return place.removes() ? without_entry(lines, *entry) : value_edit(place, *entry);
}

}  // namespace rocmtune
