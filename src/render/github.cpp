// SPDX-License-Identifier: MIT
// Findings of check as workflow commands of GitHub Actions.
#include "base/text.hpp"
#include "render/check_formats.hpp"
#include "render/workflow_command.hpp"

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
        if (finding.verdict == Verdict::info || finding.verdict == Verdict::unknown)
            text += command("notice", finding);
    return text + counts_text(*report.check) + '\n';
}

}  // namespace rocmtune
