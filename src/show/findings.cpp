// SPDX-License-Identifier: MIT
#include "show/findings.hpp"

#include <fmt/format.h>

#include "show/news.hpp"

namespace rocmtune {
namespace {

std::string finding_text(FindingGroup const& group) {
    auto const& finding = *group.first;
    auto subject = finding.subject == "host" ? std::string() : finding.subject + ": ";
    if (group.subjects.size() > 1) subject = fmt::format("on {} GPUs: ", group.subjects.size());
    return fmt::format("{} {} {}{}", finding.id, word_of(finding.verdict), subject,
                       finding.message);
}

}  // namespace

std::vector<std::string> finding_lines(std::vector<Finding> const& findings) {
    constexpr std::size_t shown = 4;
    std::vector<std::string> texts;
    auto news = worst_first(findings);
    std::erase_if(news, [](Finding const* finding) { return !is_news(*finding); });
    auto const groups = groups_of(news);
    for (auto const& group : groups) {
        if (&group == groups.data() + shown) {
            texts.push_back(fmt::format("and {} more", groups.size() - shown));
            break;
        }
        texts.push_back(finding_text(group));
        // A setting has a line of its own with what clears it.
        auto const step = group.step();
        if (&group == groups.data() && !group.first->setting && is_bad(*group.first) &&
            !step.empty())
            texts.push_back("do: " + step);
    }
    return texts;
}

}  // namespace rocmtune
