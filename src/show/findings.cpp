// SPDX-License-Identifier: MIT
#include "show/findings.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

std::size_t place_of(Verdict verdict) {
    return static_cast<std::size_t>(std::ranges::find(verdict_order, verdict) -
                                    verdict_order.begin());
}

std::string without_partition(std::string const& subject) {
    return subject.substr(0, subject.find('/'));
}

/// The text without the GPU that it names, which is the subject's.
std::string without_gpu(std::string text, Finding const& finding) {
    auto const card = without_partition(finding.subject);
    if (card.empty() || finding.subject == "host") return text;
    for (auto at = text.find(card); at != text.npos; at = text.find(card, at))
        text.erase(at, card.size());
    return text;
}

/// One group for each key. There may be tens of thousands of findings.
template <class KeyOf>
std::vector<FindingGroup> grouped(std::vector<Finding const*> const& findings, KeyOf key_of) {
    std::vector<FindingGroup> groups;
    std::map<decltype(key_of(*findings.front())), std::size_t> places;
    std::set<std::pair<std::size_t, std::string_view>> ids, subjects;
    for (auto const* finding : findings) {
        auto const [found, is_new] = places.emplace(key_of(*finding), groups.size());
        if (is_new) groups.push_back({.first = finding});
        auto const place = found->second;
        if (subjects.emplace(place, finding->subject).second)
            groups[place].subjects.push_back(finding->subject);
        if (ids.emplace(place, finding->id).second) groups[place].ids.push_back(finding->id);
    }
    return groups;
}

/// A GPU that was to work and did not, because it is busy, asleep or hidden: whoever reads "passed"
/// must see it.
bool is_left_out(Finding const& finding) {
    return finding.verdict == Verdict::skip && finding.subject != "host" &&
           (finding.id == "RT3801" || finding.id == "RT3802");
}

// ---- cards --------------------------------------------------------------------------------------

/// At most so many by name, the others by number; all GPUs of a host as such.
std::string subjects_text(std::vector<std::string> const& subjects, std::size_t gpus,
                          std::size_t most) {
    if (subjects.size() > 1 && subjects.size() == gpus) return fmt::format("all {} GPUs", gpus);
    if (subjects.size() <= most) return joined(subjects);
    auto const some =
        std::vector(subjects.begin(), subjects.begin() + static_cast<std::ptrdiff_t>(most));
    return fmt::format("{} and {} more", joined(some), subjects.size() - most);
}

Notice notice_of(Finding const& finding) {
    Notice notice{.badge = std::string(word_of(finding.verdict)),
                  .codes = {finding.id},
                  .message = finding.message,
                  .sources = finding.sources};
    for (auto const& one : finding.evidence) notice.evidence.push_back({one.source, one.value});
    return notice;
}

Notice notice_of(FindingGroup const& group, std::size_t gpus, Printer const& out) {
    constexpr std::size_t most_on_page = 8;
    auto notice = notice_of(*group.first);
    notice.codes = group.ids;
    notice.about =
        subjects_text(group.subjects, gpus, out.is_page() ? most_on_page : group.subjects.size());
    notice.step = group.step();
    if (!out.is_text()) return notice;
    if (notice.about == "host") notice.about.clear();
    if (group.first->verdict != Verdict::unknown) return notice;
    notice.message += fmt::format(
        " ({}{})", group.ids.size() > 2 ? fmt::format("{} checks: ", group.ids.size()) : "",
        joined(group.ids));
    return {.badge = notice.badge, .about = notice.about, .message = notice.message};
}

bool is_unrecorded(FindingGroup const& unknown) {
    return unknown.first->message.find(missing_name(Missing::not_recorded)) != std::string::npos;
}

/// A tree that somebody copied may lack whole areas: that is one thing to know.
void join_unrecorded(std::vector<FindingGroup>& unknowns, std::vector<Notice>& cards) {
    if (std::ranges::count_if(unknowns, is_unrecorded) < 2) return;
    std::set<std::string_view> ids;
    for (auto const& unknown : unknowns)
        if (is_unrecorded(unknown)) ids.insert(unknown.ids.begin(), unknown.ids.end());
    std::erase_if(unknowns, is_unrecorded);
    cards.push_back({.badge = "unknown",
                     .message = fmt::format("what {} judge was not recorded: -v lists it",
                                            counted(ids.size(), "check"))});
}

/// The worst first; in text what is unknown comes last.
std::vector<Notice> notices_of(std::vector<Finding> const& findings, std::size_t gpus,
                               Printer const& out) {
    std::vector<Notice> cards;
    auto known = worst_first(findings);
    std::erase_if(known, [&](Finding const* finding) {
        bool const all = out.is_text() && out.is_verbose();
        return finding->verdict == Verdict::unknown ||
               (!all && !is_news(*finding) && !is_left_out(*finding));
    });
    for (auto const& group : groups_of(known)) cards.push_back(notice_of(group, gpus, out));
    auto const end_of_bad =
        std::ranges::find_if_not(cards, [](Notice const& notice) { return is_bad(notice.badge); });
    std::vector<Notice> unknown;
    auto unknowns = unknowns_of(findings);
    if (out.is_text() && !out.is_verbose()) join_unrecorded(unknowns, unknown);
    for (auto const& group : unknowns) unknown.push_back(notice_of(group, gpus, out));
    cards.insert(out.is_text() ? cards.end() : end_of_bad, unknown.begin(), unknown.end());
    return cards;
}

/// What is in order or was not looked at.
void show_rest(std::vector<Finding> const& findings, std::size_t gpus, Printer& out) {
    using enum CellKind;
    constexpr std::size_t most = 8;
    auto rest = worst_first(findings);
    std::erase_if(rest, [](auto const* one) { return is_news(*one) || is_left_out(*one); });
    if (rest.empty()) return;
    Table table{.columns = {{.heading = "verdict", .kind = verdict},
                            {.heading = "id", .kind = code},
                            {.heading = "result", .kind = wide},
                            {"subjects"}},
                .caption = "Results without a step"};
    for (auto const& group : groups_of(rest))
        table.rows.push_back({std::string(word_of(group.first->verdict)), group.first->id,
                              group.first->message, subjects_text(group.subjects, gpus, most)});
    out.fold("What is in order, and what was not looked at");
    out.table(std::move(table));
    out.end_fold();
}

}  // namespace

bool is_news(Finding const& finding) {
    return finding.verdict != Verdict::pass && finding.verdict != Verdict::skip;
}

bool is_bad(std::string_view verdict) {
    return verdict == "fail" || verdict == "timeout" || verdict == "warn";
}

bool is_bad(Finding const& finding) {
    return is_bad(word_of(finding.verdict));
}

std::vector<Finding const*> worst_first(std::vector<Finding> const& findings) {
    std::vector<Finding const*> sorted;
    sorted.reserve(findings.size());
    for (auto const& finding : findings) sorted.push_back(&finding);
    // They lie behind each other: their addresses keep their order.
    std::ranges::sort(sorted, {}, [](Finding const* finding) {
        return std::tuple(place_of(finding->verdict), -static_cast<int>(finding->action), finding);
    });
    return sorted;
}

std::vector<Finding const*> complaints_of(std::vector<Finding> const& findings) {
    auto found = worst_first(findings);
    std::erase_if(found, [](Finding const* finding) { return !is_bad(*finding); });
    return found;
}

std::vector<Finding> findings_about(bool settings, std::vector<Finding> const& all) {
    std::vector<Finding> chosen;
    std::ranges::copy_if(all, std::back_inserter(chosen), [&](Finding const& finding) {
        return finding.setting.has_value() == settings;
    });
    return chosen;
}

std::string FindingGroup::step() const {
    auto step = first->next_step;
    if (subjects.size() < 2) return step;
    auto const place = "-g " + without_partition(first->subject);
    auto const at = step.find(place);
    // A hive is reset as one: once is enough.
    bool const resets = step.find("--gpureset") != step.npos;
    if (at == step.npos || resets) return step;
    std::vector<std::string> cards;
    for (auto const& subject : subjects)
        if (auto card = without_partition(subject); cards.empty() || cards.back() != card)
            cards.push_back(std::move(card));
    return step.replace(at, place.size(), "-g " + joined(cards, " "));
}

std::vector<FindingGroup> groups_of(std::vector<Finding const*> const& findings) {
    return grouped(findings, [](Finding const& finding) {
        return std::tuple(std::string_view(finding.id), finding.verdict,
                          without_gpu(finding.message, finding),
                          without_gpu(finding.next_step, finding));
    });
}

std::vector<FindingGroup> unknowns_of(std::vector<Finding> const& findings) {
    std::vector<Finding const*> unknown;
    for (auto const& finding : findings)
        if (finding.verdict == Verdict::unknown) unknown.push_back(&finding);
    return grouped(unknown,
                   [](Finding const& finding) { return std::string_view(finding.message); });
}

void show_findings(std::vector<Finding> const& findings, std::size_t gpus, Printer& out) {
    auto cards = notices_of(findings, gpus, out);
    if (cards.empty() && out.is_page() && !findings.empty())
        out.paragraph("Nothing is wrong.", Emphasis::good);
    out.notices(
        {{"verdict", "id", "subject", "finding", "next step"}, "Next step", std::move(cards)});
    if (out.is_page()) show_rest(findings, gpus, out);
}

void show_settings(std::vector<Finding> const& findings, Printer& out) {
    std::vector<Notice> cards;
    for (auto const* finding : worst_first(findings)) {
        if (!is_news(*finding)) continue;
        auto const& place = *finding->setting;
        auto notice = notice_of(*finding);
        notice.about = place.value ? fmt::format("{}={}", place.name, *place.value) : place.name;
        if (!place.file.empty()) notice.about += fmt::format(" in {}:{}", place.file, place.line);
        notice.step = place.fix.empty() ? finding->next_step : place.fix;
        cards.push_back(std::move(notice));
    }
    out.notices(
        {{"verdict", "id", "setting", "finding", "next step"}, "Next step", std::move(cards)});
}

VerdictCounts counts_of(std::vector<Finding> const& findings) {
    VerdictCounts counts{};
    for (auto const& finding : findings) ++counts[static_cast<std::size_t>(finding.verdict)];
    return counts;
}

std::string counts_text(VerdictCounts const& counts) {
    std::vector<std::string> parts;
    for (auto const verdict : verdict_order)
        if (auto const count = counts[static_cast<std::size_t>(verdict)]; count > 0)
            parts.push_back(fmt::format("{} {}", count, word_of(verdict)));
    return joined(parts);
}

}  // namespace rocmtune
