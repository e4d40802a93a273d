// SPDX-License-Identifier: MIT
#include "render/findings.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace rocmtune {
namespace {

/// Findings that say the same of several subjects, as one line.
struct Group {
    Finding const* first;
    std::size_t subjects;
};

int rank_of(Group const& group) {
    auto const verdict = group.first->verdict;
    return verdict == Verdict::fail ? 0 : verdict == Verdict::info ? 2 : 1;
}

std::vector<Group> worst_first(std::vector<Group> const& groups) {
    std::vector<Group> sorted;
    for (int rank = 0; rank <= 2; ++rank)
        for (auto const& group : groups)
            if (rank_of(group) == rank) sorted.push_back(group);
    return sorted;
}

/// The worst come first; what is in order or was not looked at is no news.
std::vector<Group> groups_of(std::vector<Finding> const& findings) {
    std::vector<Group> groups;
    for (auto const& finding : findings) {
        if (finding.verdict == Verdict::pass || finding.verdict == Verdict::skip) continue;
        auto const same = std::find_if(groups.begin(), groups.end(), [&](Group const& group) {
            return group.first->id == finding.id && group.first->message == finding.message;
        });
        if (same == groups.end()) groups.push_back({&finding, 1});
        else ++same->subjects;
    }
    return worst_first(groups);
}

std::string finding_text(Group const& group) {
    auto const& finding = *group.first;
    auto subject = finding.subject == "host" ? std::string() : finding.subject + ": ";
    if (group.subjects > 1) subject = fmt::format("on {} GPUs: ", group.subjects);
    return fmt::format("{} {} {}{}", finding.id, word_of(finding.verdict), subject,
                       finding.message);
}

}  // namespace

std::vector<std::string> finding_lines(std::vector<Finding> const& findings) {
    constexpr std::size_t shown = 4;
    std::vector<std::string> texts;
    auto const groups = groups_of(findings);
    for (auto const& group : groups) {
        if (texts.size() == shown) {
            texts.push_back(fmt::format("and {} more", groups.size() - shown));
            break;
        }
        texts.push_back(finding_text(group));
    }
    return texts;
}

}  // namespace rocmtune
