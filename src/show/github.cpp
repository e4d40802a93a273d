// SPDX-License-Identifier: MIT
// Findings of check as workflow commands of GitHub Actions.
#include <fmt/format.h>

#include "base/text.hpp"
#include "show/check_formats.hpp"
#include "show/workflow_command.hpp"

namespace rocmtune {
namespace {

std::string command(std::string_view name, Finding const& finding) {
    auto text = printable(finding.message);
    if (!finding.next_step.empty()) text += "\ndo: " + printable(finding.next_step);
    return workflow_line(
        {.name = name, .title = finding.id + ' ' + printable(finding.subject), .text = text});
}

}  // namespace

std::string check_github(Report const& report, TextStyle const&) {
    std::string text;
    for (auto const* finding : complaints_of(report))
        text += command(finding->verdict == Verdict::warn ? "warning" : "error", *finding);
    for (auto const& finding : report.findings)
        if (finding.verdict == Verdict::info) text += command("notice", finding);
    for (auto const& [group, ids] : unknowns_of(report.findings))
        text += workflow_line({.name = "notice",
                               .title = fmt::format("{} unknown", fmt::join(ids, ", ")),
                               .text = printable(group.first->message)});
    return text + counts_text(*report.check) + '\n';
}

}  // namespace rocmtune
