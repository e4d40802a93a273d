// SPDX-License-Identifier: MIT
#include "settings/repair.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/text.hpp"
#include "rocmtune/error.hpp"
#include "settings/repair_parts.hpp"

namespace rocmtune {
namespace {

using std::string_view;
using Place = std::pair<std::size_t, std::size_t>;  ///< line, column

bool is_comment(string_view line) {
    auto const text = trim(line);
    return text.starts_with('#') || text.starts_with("--") || text.starts_with("//");
}

using Maker = std::optional<Edit> (*)(MendedPlace const&);

/// Null: the form of these texts is not known to the byte.
Maker maker_for(InputKind kind) {
    switch (kind) {
        case InputKind::shell:
        case InputKind::slurm:
        case InputKind::markdown:
        case InputKind::rst: return shell_edit;
        case InputKind::dotenv:
        case InputKind::rccl_conf: return dotenv_edit;
        case InputKind::dockerfile: return dockerfile_edit;
        case InputKind::systemd: return systemd_edit;
        case InputKind::modulefile: return modulefile_edit;
        case InputKind::python: return python_edit;
        case InputKind::nix: return nix_edit;
        case InputKind::compose:
        case InputKind::kubernetes:
        case InputKind::workflow:
        case InputKind::values: return yaml_edit;
        case InputKind::environment:
        case InputKind::process:
        case InputKind::notebook:
        case InputKind::makefile: break;
    }
    return nullptr;
}

/// Without what a text repeats from above (env of a workflow, YAML's anchors).
std::vector<Assignment> each_once(std::span<Assignment const> all) {
    std::set<std::tuple<std::size_t, std::size_t, string_view>> seen;
    std::vector<Assignment> once;
    for (auto const& one : all)
        if (seen.emplace(one.line, one.column, one.name).second) once.push_back(one);
    return once;
}

/// Everything of a setting but its place.
auto meaning_of(Assignment const& one) {
    return std::tie(one.name, one.value, one.exported, one.unset, one.one_command, one.is_option,
                    one.builds, one.conditional, one.kind);
}

}  // namespace

// ---- lines --------------------------------------------------------------------------------------

SourceLines::SourceLines(string_view text) : text_(text) {
    for (std::size_t at = 0; at < text.size();) {
        starts_.push_back(at);
        auto const end = text.find('\n', at);
        at = end == text.npos ? text.size() : end + 1;
    }
}

std::size_t SourceLines::line_of(std::size_t place) const {
    auto const after = std::ranges::upper_bound(starts_, place);
    return std::max<std::size_t>(1, static_cast<std::size_t>(after - starts_.begin()));
}

std::size_t SourceLines::begin(std::size_t line) const {
    return line > starts_.size() ? text_.size() : starts_[std::max<std::size_t>(line, 1) - 1];
}

string_view SourceLines::line(std::size_t line) const {
    auto text = text_.substr(begin(line), next(line) - begin(line));
    if (text.ends_with('\n')) text.remove_suffix(1);
    if (text.ends_with('\r')) text.remove_suffix(1);
    return text;
}

std::size_t SourceLines::filled_above(std::size_t line) const {
    while (--line > 0)
        if (!trim(this->line(line)).empty() && !is_comment(this->line(line))) return line;
    return 0;
}

std::string with_edits(string_view text, std::vector<Edit> edits) {
    std::ranges::sort(edits, {}, &Edit::begin);
    std::string out;
    std::size_t kept = 0;
    for (auto const& edit : edits) {
        out.append(text.substr(kept, edit.begin - kept)).append(edit.text);
        kept = edit.end;
    }
    return out.append(text.substr(kept));
}

TextChange change_of(Edit const& edit, SourceLines const& lines) {
    auto const from = lines.line_of(edit.begin);
    // What takes the last line away ends behind it, where no line is.
    bool const is_last = edit.end == lines.text().size() && lines.text().ends_with('\n');
    auto const to = is_last ? lines.count() + 1 : lines.line_of(edit.end);
    auto const is_ascii = [&](std::size_t line, std::size_t end) {
        auto const text = lines.text().substr(lines.begin(line), end - lines.begin(line));
        return std::ranges::all_of(text, [](char c) { return static_cast<signed char>(c) >= 0; });
    };
    return {.line = from,
            .column = edit.begin - lines.begin(from) + 1,
            .end_line = to,
            .end_column = edit.end - lines.begin(to) + 1,
            .text = edit.text,
            .is_ascii = is_ascii(from, edit.begin) && is_ascii(to, edit.end)};
}

// ---- what edits have in common ------------------------------------------------------------------

JoinedLines joined_lines(SourceLines const& lines, std::size_t at) {
    auto first = lines.line_of(at);
    auto last = first;
    while (first > 1 && lines.line(first - 1).ends_with('\\')) --first;
    while (last < lines.count() && lines.line(last).ends_with('\\')) ++last;
    return {first, last};
}

Edit without_item(string_view text, ListItem const& item) {
    if (!item.next) return {.begin = item.previous_end, .end = item.end};
    auto const before = text.substr(item.previous_end, item.begin - item.previous_end);
    auto const behind = text.substr(item.end, *item.next - item.end);
    auto const line_end = behind.find('\n');
    if (line_end == behind.npos) return {.begin = item.begin, .end = *item.next};
    // It stands on a line alone, or is the last of its line.
    if (auto const line_begin = before.rfind('\n'); line_begin != before.npos)
        return {.begin = item.previous_end + line_begin + 1, .end = item.end + line_end + 1};
    return {.begin = item.previous_end, .end = item.end};
}

Edit without_lines(SourceLines const& lines, std::size_t begin, std::size_t end) {
    auto const last = lines.line_of(end > begin ? end - 1 : begin);
    return {.begin = lines.begin(lines.line_of(begin)), .end = lines.next(last)};
}

Edit renamed_at(MendedPlace const& place) {
    return {.begin = place.at, .end = place.name_end(), .text = place.repair.text};
}

bool is_plain_value(string_view value) {
    constexpr string_view others = "_.,:/+%@-=";
    return !value.empty() && std::ranges::all_of(value, [&](char c) {
        return is_letter(c) || is_digit(c) || others.find(c) != others.npos;
    });
}

std::optional<Edit> value_at(MendedPlace const& place, std::size_t begin, std::size_t end) {
    auto const old = place.slice(begin, end);
    auto const& wanted = place.repair.text;
    if (!place.value || !is_plain_value(wanted)) return std::nullopt;
    if (old == *place.value) return Edit{.begin = begin, .end = end, .text = wanted};
    bool const is_quoted = old.size() == place.value->size() + 2 && old.front() == old.back() &&
                           (old.front() == '"' || old.front() == '\'');
    if (!is_quoted || old.substr(1, old.size() - 2) != *place.value) return std::nullopt;
    return Edit{.begin = begin + 1, .end = end - 1, .text = wanted};
}

// ---- the text as a whole ------------------------------------------------------------------------

Mender::Mender(InputText const& input, std::span<Assignment const> found)
    : input_(input), found_(found), lines_(input.text) {}

/// Whether the name stands anywhere else than where it is set, or in what the edit takes away.
/// Prose of a page may speak of it.
bool Mender::is_spoken_of(Repair const& repair, Edit const& edit) const {
    std::set<Place> own;
    for (auto const& one : found_)
        if (one.name == repair.name) own.emplace(one.line, one.column);
    auto const text = input_.text;
    for (auto at = text.find(repair.name); at != text.npos; at = text.find(repair.name, at + 1)) {
        bool const begins = at == 0 || !is_name_character(text[at - 1]);
        auto const end = at + repair.name.size();
        if (!begins || (end < text.size() && is_name_character(text[end]))) continue;
        if (at >= edit.begin && end <= edit.end) continue;
        auto const line = lines_.line_of(at);
        if (own.contains({line, at - lines_.begin(line) + 1}) || is_comment(lines_.line(line)))
            continue;
        bool const is_prose =
            is_document(input_.kind) && (at == 0 || (text[at - 1] != '$' && text[at - 1] != '{'));
        if (!is_prose) return true;
    }
    return false;
}

/// Whether what one environment has under the new name, or under the old one without this setting,
/// would come from elsewhere in the text.
bool Mender::is_set_twice(Repair const& repair) const {
    auto const is_it = [&](Assignment const& one) {
        return one.name == repair.name && one.line == repair.line && one.column == repair.column;
    };
    for (auto const& own : found_) {
        if (!is_it(own)) continue;
        for (auto const& other : found_)
            if (other.scope == own.scope && !is_it(other) &&
                other.name == (repair.kind == Repair::Kind::rename ? repair.text : repair.name))
                return true;
    }
    return false;
}

std::optional<Edit> Mender::planned_edit(Repair const& repair) const {
    using Kind = Repair::Kind;
    auto const make = maker_for(input_.kind);
    if (repair.kind == Kind::none || make == nullptr || repair.line < input_.first_line)
        return std::nullopt;
    auto const at = lines_.begin(repair.line) + repair.column - 1;
    if (repair.column == 0 || input_.text.substr(at, repair.name.size()) != repair.name)
        return std::nullopt;
    bool const goes = repair.kind != Kind::set_value;
    if (goes && !repair.is_dead && is_set_twice(repair)) return std::nullopt;
    auto const own = std::ranges::find_if(found_, [&](Assignment const& one) {
        return one.line == repair.line && one.column == repair.column && one.name == repair.name;
    });
    if (own == found_.end()) return std::nullopt;
    auto edit = make({lines_, at, repair, own->value, input_.kind});
    if (!edit || (goes && is_spoken_of(repair, *edit))) return std::nullopt;
    // Whatever the maker looked at beside it.
    auto const above = lines_.filled_above(lines_.line_of(std::min(edit->begin, at)));
    auto const below = lines_.line_of(std::max(edit->end, at)) + 1;
    edit->seen_begin = std::min(edit->seen_end > 0 ? edit->seen_begin : edit->begin,
                                lines_.begin(std::max<std::size_t>(above, 1)));
    edit->seen_end = std::max(edit->seen_end, lines_.next(below));
    return edit;
}

bool Mender::holds(std::span<Edit const> edits, std::span<Repair const> repairs) const {
    std::map<Place, Repair const*> wanted;
    for (auto const& repair : repairs) wanted.emplace(Place(repair.line, repair.column), &repair);
    auto const changed = with_edits(input_.text, {edits.begin(), edits.end()});
    auto input = input_;
    input.text = changed;
    std::vector<Assignment> after;
    try {
        after = each_once(read_assignments(input));
    } catch (Error const&) {
        return false;
    }
    auto next = after.begin();
    for (auto& one : each_once(found_)) {
        auto const found = wanted.find({one.line, one.column});
        if (found != wanted.end() && found->second->name == one.name) {
            using Kind = Repair::Kind;
            auto const& repair = *found->second;
            if (repair.kind == Kind::remove) continue;
            (repair.kind == Kind::rename ? one.name : one.value.emplace()) = repair.text;
        }
        if (next == after.end() || meaning_of(*next) != meaning_of(one)) return false;
        ++next;
    }
    return next == after.end();
}

std::optional<Edit> Mender::edit_for(Repair const& repair) const {
    auto const edit = planned_edit(repair);
    return edit && holds({&*edit, 1}, {&repair, 1}) ? edit : std::nullopt;
}

}  // namespace rocmtune
