// SPDX-License-Identifier: MIT
// The results of `rocmtune check` for people: what is wrong with the next step, what could not be
// told, and the counts as the last line.
#include "show/check.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "base/counted.hpp"
#include "show/check_formats.hpp"
#include "show/layout.hpp"
#include "show/news.hpp"

namespace rocmtune {
namespace {

/// A GPU that was to work and did not, because it is busy, asleep or hidden: whoever reads "passed"
/// must see it.
bool is_left_out(Finding const& finding) {
    return finding.verdict == Verdict::skip && finding.subject != "host" &&
           (finding.id == "RT3801" || finding.id == "RT3802");
}

std::vector<FindingGroup> groups_of(std::vector<Finding> const& findings, bool all) {
    auto shown = worst_first(findings);
    std::erase_if(shown, [&](Finding const* finding) {
        if (finding->verdict == Verdict::unknown) return true;
        return !all && !is_news(*finding) && !is_left_out(*finding);
    });
    return groups_of(shown);
}

std::string subjects_text(FindingGroup const& group, std::size_t gpus) {
    if (group.subjects.size() == 1)
        return group.subjects.front() == "host" ? std::string() : group.subjects.front() + ": ";
    if (group.subjects.size() == gpus) return fmt::format("all {} GPUs: ", gpus);
    return fmt::format("{}: ", fmt::join(group.subjects, ", "));
}

/// Text below a label of a fixed width, wrapped to the screen.
std::string block(std::string_view label, std::string const& text, Emphasis emphasis,
                  TextStyle const& style) {
    constexpr std::size_t indent = 16;
    std::string out;
    auto head = fmt::format(" {:<{}}", for_screen(label, style), indent - 1);
    for (auto const& line : wrapped(for_screen(text, style), style.width - indent)) {
        out += emphasised(head, emphasis, style) + line + '\n';
        head = std::string(indent, ' ');
    }
    return out;
}

std::string group_text(FindingGroup const& group, std::size_t gpus, TextStyle const& style) {
    auto const& finding = *group.first;
    bool const bad = is_bad(finding);
    auto text = block(fmt::format("{} {}", word_of(finding.verdict), finding.id),
                      subjects_text(group, gpus) + finding.message,
                      bad ? Emphasis::notable : Emphasis::none, style);
    if (style.verbosity > 0)
        for (auto const& one : finding.evidence)
            text +=
                block("", fmt::format("{} = {}", one.source, one.value), Emphasis::quiet, style);
    if (auto const step = group.step(); !step.empty() && (bad || style.verbosity > 0))
        text += block("", "do: " + step, Emphasis::quiet, style);
    return text;
}

bool is_unrecorded(Unknown const& unknown) {
    return unknown.group.first->message.find(missing_name(Missing::not_recorded)) !=
           std::string::npos;
}

/// A tree that somebody copied may lack whole areas: that is one thing to know. Takes them out.
std::string unrecorded_text(std::vector<Unknown>& unknowns, TextStyle const& style) {
    std::set<std::string_view> ids;
    for (auto const& unknown : unknowns)
        if (is_unrecorded(unknown)) ids.insert(unknown.ids.begin(), unknown.ids.end());
    if (std::ranges::count_if(unknowns, is_unrecorded) < 2) return {};
    std::erase_if(unknowns, is_unrecorded);
    return block(
        "unknown",
        fmt::format("what {} judge was not recorded: -v lists it", counted(ids.size(), "check")),
        Emphasis::none, style);
}

std::string unknown_text(std::vector<Finding> const& findings, std::size_t gpus,
                         TextStyle const& style) {
    std::string text;
    auto unknowns = unknowns_of(findings);
    if (style.verbosity == 0) text += unrecorded_text(unknowns, style);
    for (auto const& [group, ids] : unknowns)
        text += block("unknown",
                      fmt::format("{}{} ({}{})", subjects_text(group, gpus), group.first->message,
                                  ids.size() > 2 ? fmt::format("{} checks: ", ids.size()) : "",
                                  fmt::join(ids, ", ")),
                      Emphasis::none, style);
    return text;
}

std::string title(Report const& report) {
    auto const name = report.host && report.host->hostname ? " on " + *report.host->hostname : "";
    auto const gpus = report.check->gpus;
    if (gpus == 0) return "No AMD GPU to check" + name;
    return fmt::format("{} AMD GPU{}{}", gpus, gpus == 1 ? "" : "s", name);
}

}  // namespace

std::vector<Unknown> unknowns_of(std::vector<Finding> const& findings) {
    std::vector<Unknown> all;
    std::map<std::string_view, std::size_t> places;
    std::set<std::pair<std::size_t, std::string_view>> subjects, ids;
    for (auto const& finding : findings) {
        if (finding.verdict != Verdict::unknown) continue;
        auto const [found, is_new] = places.emplace(finding.message, all.size());
        auto const place = found->second;
        if (is_new) all.push_back({FindingGroup{&finding, {}}, {}});
        if (subjects.emplace(place, finding.subject).second)
            all[place].group.subjects.push_back(finding.subject);
        if (ids.emplace(place, finding.id).second) all[place].ids.push_back(finding.id);
    }
    return all;
}

std::string gpu_counts_text(CheckSummary const& check) {
    auto text = fmt::format("{} of {} judged", check.gpus_judged, counted(check.gpus, "GPU"));
    return check.gpus_exercised ? fmt::format("{}, {} exercised", text, *check.gpus_exercised)
                                : text;
}

std::string counts_text(CheckSummary const& check) {
    std::size_t all = 0;
    std::string list;
    for (auto const verdict : verdict_order) {
        all += check.count(verdict);
        if (check.count(verdict) > 0)
            list += fmt::format("{}{} {}", list.empty() ? "" : ", ", check.count(verdict),
                                word_of(verdict));
    }
    return fmt::format("{}: {}; {} (level {})", counted(all, "result"),
                       list.empty() ? "none" : list, gpu_counts_text(check), check.level);
}

std::vector<Finding const*> complaints_of(Report const& report) {
    auto found = worst_first(report.findings);
    std::erase_if(found, [](Finding const* finding) { return !is_bad(*finding); });
    return found;
}

std::string results_text(std::vector<Finding> const& findings, std::size_t gpus,
                         TextStyle const& style) {
    std::string text;
    for (auto const& group : groups_of(findings, style.verbosity > 0))
        text += group_text(group, gpus, style);
    return text + unknown_text(findings, gpus, style);
}

std::string check_text(Report const& report, TextStyle const& style) {
    auto text = emphasised(for_screen(title(report), style), Emphasis::heading, style) + "\n\n";
    auto const results = results_text(report.findings, report.check->gpus, style);
    text += results;
    if (!results.empty()) text += '\n';
    for (auto const& line : wrapped(counts_text(*report.check), style.width)) text += line + '\n';
    return text;
}

}  // namespace rocmtune
