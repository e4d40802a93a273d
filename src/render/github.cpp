// SPDX-License-Identifier: MIT
// Workflow commands of GitHub Actions: ::error title=TITLE::TEXT.
#include <fmt/format.h>

#include "base/text.hpp"
#include "render/check_formats.hpp"

namespace rocmtune {
namespace {

/// Escapes as the runner undoes them; a property must not hold its separators either.
std::string escaped(std::string_view text, bool property) {
    std::string out;
    for (auto const c : text) {
        if (c == '%') out += "%25";
        else if (c == '\r') out += "%0D";
        else if (c == '\n') out += "%0A";
        else if (property && c == ':') out += "%3A";
        else if (property && c == ',') out += "%2C";
        else out += c;
    }
    return out;
}

std::string command(std::string_view name, Finding const& finding) {
    auto text = printable(finding.message);
    if (!finding.next_step.empty()) text += "\ndo: " + printable(finding.next_step);
    return fmt::format("::{} title={}::{}\n", name,
                       escaped(finding.id + ' ' + printable(finding.subject), true),
                       escaped(text, false));
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
