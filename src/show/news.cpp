// SPDX-License-Identifier: MIT
#include "show/news.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

namespace rocmtune {
namespace {

std::size_t place_of(Verdict verdict) {
    return static_cast<std::size_t>(std::ranges::find(verdict_order, verdict) -
                                    verdict_order.begin());
}

std::string card_of(std::string const& subject) {
    return subject.substr(0, subject.find('/'));
}

/// The text without the GPU that it names, which is the subject's.
std::string without_gpu(std::string text, Finding const& finding) {
    auto const card = card_of(finding.subject);
    if (card.empty() || finding.subject == "host") return text;
    for (auto at = text.find(card); at != text.npos; at = text.find(card, at))
        text.erase(at, card.size());
    return text;
}

}  // namespace

bool is_news(Finding const& finding) {
    return finding.verdict != Verdict::pass && finding.verdict != Verdict::skip;
}

bool is_bad(Finding const& finding) {
    return finding.verdict == Verdict::fail || finding.verdict == Verdict::timeout ||
           finding.verdict == Verdict::warn;
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

std::string FindingGroup::step() const {
    auto step = first->next_step;
    if (subjects.size() < 2) return step;
    auto const place = "-g " + card_of(first->subject);
    auto const at = step.find(place);
    // A hive is reset as one: once is enough.
    bool const resets = step.find("--gpureset") != step.npos;
    if (at == step.npos || resets) return step;
    std::vector<std::string> cards;
    for (auto const& subject : subjects)
        if (auto card = card_of(subject); cards.empty() || cards.back() != card)
            cards.push_back(std::move(card));
    return step.replace(at, place.size(), fmt::format("-g {}", fmt::join(cards, " ")));
}

std::vector<FindingGroup> groups_of(std::vector<Finding const*> const& findings) {
    // There may be tens of thousands of them.
    using Key = std::tuple<std::string_view, Verdict, std::string, std::string>;
    std::vector<FindingGroup> groups;
    std::map<Key, std::size_t> places;
    for (auto const* finding : findings) {
        Key const key(finding->id, finding->verdict, without_gpu(finding->message, *finding),
                      without_gpu(finding->next_step, *finding));
        auto const [place, is_new] = places.emplace(key, groups.size());
        if (is_new) groups.push_back({finding, {}});
        groups[place->second].subjects.push_back(finding->subject);
    }
    return groups;
}

}  // namespace rocmtune
