// SPDX-License-Identifier: MIT
#include "measure/mended_text.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "judge/lint/lint.hpp"
#include "knowledge/scrub.hpp"

namespace rocmtune {
namespace {

struct Plan {
    std::vector<Edit> edits = {};
    std::vector<Repair> repairs = {};
};

/// Whether a diff may show all lines that the edit changes.
bool is_open(Mender const& mender, Edit const& edit) {
    auto const& lines = mender.lines();
    auto const last = lines.line_of(edit.end > edit.begin ? edit.end - 1 : edit.end);
    for (auto line = lines.line_of(edit.begin); line <= last; ++line)
        if (!may_be_shown(lines.line(line))) return false;
    return true;
}

bool touch(Edit const& a, Edit const& b) {
    return a.seen_begin < b.seen_end && b.seen_begin < a.seen_end;
}

/// Repairs that look at different parts of the text; the others come in the next round.
Plan plan_of(Mender const& mender, std::vector<Finding> const& findings) {
    Plan plan;
    // In the order of their places only the last one can touch the next.
    std::vector<std::pair<Edit, Repair>> found;
    for (auto const& finding : findings)
        if (auto edit = mender.planned_edit(finding.setting->repair);
            edit && is_open(mender, *edit))
            found.emplace_back(std::move(*edit), finding.setting->repair);
    std::ranges::sort(found, {}, [](auto const& one) { return one.first.seen_begin; });
    for (auto& [edit, repair] : found) {
        if (!plan.edits.empty() && touch(plan.edits.back(), edit)) continue;
        plan.edits.push_back(std::move(edit));
        plan.repairs.push_back(std::move(repair));
    }
    return plan;
}

/// Those that change nothing else, each tried for itself.
Plan sure_part(Mender const& mender, Plan const& plan) {
    constexpr std::size_t most_tries = 100;
    Plan sure;
    for (std::size_t i = 0; i < std::min(plan.edits.size(), most_tries); ++i) {
        if (!mender.holds({&plan.edits[i], 1}, {&plan.repairs[i], 1})) continue;
        sure.edits.push_back(plan.edits[i]);
        sure.repairs.push_back(plan.repairs[i]);
    }
    return mender.holds(sure.edits, sure.repairs) ? sure : Plan{};
}

}  // namespace

bool may_be_shown(std::string_view line) {
    if (line.ends_with('\n')) line.remove_suffix(1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    std::string plain(line);
    std::ranges::replace(plain, '\t', ' ');
    return printable(plain) == plain && scrubbed(plain) == plain;
}

MendedText mended(InputText const& input, FindingsOf const& findings_of) {
    constexpr std::size_t most_rounds = 1000;
    MendedText result{.text = std::string(input.text)};
    for (std::size_t round = 0; round < most_rounds; ++round) {
        auto now = input;
        now.text = result.text;
        auto const settings = read_assignments(now);
        Mender const mender(now, settings);
        auto plan = plan_of(mender, findings_of(now, settings));
        if (!mender.holds(plan.edits, plan.repairs)) plan = sure_part(mender, plan);
        if (plan.edits.empty()) break;
        result.repairs += plan.edits.size();
        result.text = with_edits(result.text, std::move(plan.edits));
    }
    return result;
}

void add_changes(Mender const& mender, Finding& finding, std::size_t& spent) {
    constexpr std::size_t most_bytes = std::size_t{8} << 20;
    auto& place = *finding.setting;
    auto const& repair = place.repair;
    if (repair.kind != Repair::Kind::none && spent < most_bytes) {
        spent += mender.lines().text().size() + 1;
        if (auto const edit = mender.edit_for(repair); edit && is_open(mender, *edit))
            place.changes.push_back(change_of(*edit, mender.lines()));
    }
    place.fix = fix_in_file(place);
}

}  // namespace rocmtune
