// SPDX-License-Identifier: MIT
// The results of `rocmtune check` for people: what is wrong with the next step, what could not be
// told, and the counts as the last line.
#include "render/check.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "base/counted.hpp"
#include "render/check_formats.hpp"
#include "render/layout.hpp"

namespace rocmtune {
namespace {

/// Results that say the same of several subjects, as one.
struct Group {
    Finding const* first;
    std::vector<std::string> subjects;
};

bool is_news(Finding const& finding) {
    return finding.verdict == Verdict::fail || finding.verdict == Verdict::timeout ||
           finding.verdict == Verdict::warn || finding.verdict == Verdict::info;
}

/// A GPU that was to work and did not, because it is busy, asleep or hidden: whoever reads "passed"
/// must see it.
bool is_left_out(Finding const& finding) {
    return finding.verdict == Verdict::skip && finding.subject != "host" &&
           (finding.id == "RT3801" || finding.id == "RT3802");
}

bool is_bad(Finding const& finding) {
    return is_news(finding) && finding.verdict != Verdict::info;
}

/// What findings of one group have in common. There may be tens of thousands of them.
auto key_of(Finding const& finding) {
    return std::tuple<std::string_view, Verdict, std::string_view, std::string_view>(
        finding.id, finding.verdict, finding.message, finding.next_step);
}

/// The worst first; within a verdict in the order of ids.
constexpr std::array order{Verdict::fail, Verdict::timeout, Verdict::warn, Verdict::unknown,
                           Verdict::info, Verdict::skip,    Verdict::pass};

std::vector<Group> groups_of(std::vector<Finding> const& findings, bool all) {
    std::vector<Group> groups;
    std::map<decltype(key_of(findings.front())), std::size_t> places;
    for (auto const verdict : order)
        for (auto const& finding : findings) {
            bool const shown = all || is_news(finding) || is_left_out(finding);
            if (finding.verdict != verdict || !shown) continue;
            auto const [place, is_new] = places.emplace(key_of(finding), groups.size());
            if (is_new) groups.push_back({&finding, {}});
            groups[place->second].subjects.push_back(finding.subject);
        }
    return groups;
}

std::string subjects_text(Group const& group, std::size_t gpus) {
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

std::string group_text(Group const& group, std::size_t gpus, TextStyle const& style) {
    auto const& finding = *group.first;
    bool const bad = is_bad(finding);
    auto text = block(fmt::format("{} {}", word_of(finding.verdict), finding.id),
                      subjects_text(group, gpus) + finding.message,
                      bad ? Emphasis::notable : Emphasis::none, style);
    if (style.verbosity > 0)
        for (auto const& one : finding.evidence)
            text +=
                block("", fmt::format("{} = {}", one.source, one.value), Emphasis::quiet, style);
    if (!finding.next_step.empty() && (bad || style.verbosity > 0))
        text += block("", "do: " + finding.next_step, Emphasis::quiet, style);
    return text;
}

/// What could not be told for one reason.
struct Unknown {
    Group group;
    std::vector<std::string> ids;
};

std::vector<Unknown> unknowns_of(std::vector<Finding> const& findings) {
    std::vector<Unknown> all;
    std::map<std::string_view, std::size_t> places;
    std::set<std::pair<std::size_t, std::string_view>> subjects, ids;
    for (auto const& finding : findings) {
        if (finding.verdict != Verdict::unknown) continue;
        auto const [found, is_new] = places.emplace(finding.message, all.size());
        auto const place = found->second;
        if (is_new) all.push_back({Group{&finding, {}}, {}});
        if (subjects.emplace(place, finding.subject).second)
            all[place].group.subjects.push_back(finding.subject);
        if (ids.emplace(place, finding.id).second) all[place].ids.push_back(finding.id);
    }
    return all;
}

std::string unknown_text(std::vector<Finding> const& findings, std::size_t gpus,
                         TextStyle const& style) {
    std::string text;
    for (auto const& [group, ids] : unknowns_of(findings))
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

std::string counts_text(CheckSummary const& check) {
    std::size_t all = 0;
    std::string list;
    for (auto const verdict : order) {
        all += check.count(verdict);
        if (check.count(verdict) > 0)
            list += fmt::format("{}{} {}", list.empty() ? "" : ", ", check.count(verdict),
                                word_of(verdict));
    }
    return fmt::format("{}: {}; {} of {} GPUs tested (level {})", counted(all, "result"),
                       list.empty() ? "none" : list, check.gpus_tested, check.gpus, check.level);
}

std::vector<Finding const*> complaints_of(Report const& report) {
    std::vector<Finding const*> found;
    for (auto const verdict : {Verdict::fail, Verdict::timeout, Verdict::warn})
        for (auto const& finding : report.findings)
            if (finding.verdict == verdict) found.push_back(&finding);
    return found;
}

std::string results_text(std::vector<Finding> const& findings, std::size_t gpus,
                         TextStyle const& style) {
    bool const all = style.verbosity > 0;
    std::string text;
    for (auto const& group : groups_of(findings, all)) {
        if (all && group.first->verdict == Verdict::unknown) continue;
        text += group_text(group, gpus, style);
    }
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
