// SPDX-License-Identifier: MIT
// What to do about a finding in a file, in words of its lines.
#include <fmt/format.h>
#include <algorithm>

#include "base/text.hpp"
#include "judge/lint/lint.hpp"

namespace rocmtune {
namespace {

/// "unset NAME", "remove NAME", "remove NAME from the command": the name; empty: none of these.
std::string_view removed_name(std::string_view fix) {
    for (std::string_view const verb : {"unset ", "remove "}) {
        if (!fix.starts_with(verb)) continue;
        auto const rest = fix.substr(verb.size());
        return rest.substr(0, rest.find(' '));
    }
    return {};
}

bool is_setting(std::string_view fix) {
    auto const parts = split_once(fix, '=');
    return parts && is_variable_name(parts->first);
}

bool takes_whole_lines(TextChange const& change) {
    return change.column == 1 && change.end_column == 1 && change.text.empty() &&
           change.end_line > change.line;
}

std::string with_change(SettingPlace const& place, TextChange const& change) {
    auto const& repair = place.repair;
    if (takes_whole_lines(change)) {
        auto const last = change.end_line - 1;
        return last == change.line ? fmt::format("delete line {}", last)
                                   : fmt::format("delete lines {} to {}", change.line, last);
    }
    if (repair.kind == Repair::Kind::remove)
        return fmt::format("line {}: take {} out", repair.line, repair.name);
    return is_setting(place.fix) ? fmt::format("line {}: write {} instead", repair.line, place.fix)
                                 : fmt::format("line {}: write {} instead of {}", repair.line,
                                               repair.text, repair.name);
}

}  // namespace

std::string fix_in_file(SettingPlace const& place) {
    if (place.line == 0 || place.fix.empty()) return place.fix;
    if (!place.changes.empty()) return with_change(place, place.changes.front());
    std::string_view const by_hand = place.certain ? ", by hand" : "";
    if (auto const name = removed_name(place.fix); !name.empty()) {
        // Of two settings that contradict each other the other one may be meant.
        auto const line = name == place.repair.name ? place.repair.line : place.line;
        return fmt::format("line {}: take {} out{}", line, name, by_hand);
    }
    if (is_setting(place.fix))
        return fmt::format("line {}: write {} instead{}", place.line, place.fix, by_hand);
    bool const is_choice = place.fix.starts_with("set ") || place.fix.starts_with("use ");
    return is_choice ? fmt::format("line {}: {}", place.line, place.fix) : place.fix;
}

}  // namespace rocmtune
