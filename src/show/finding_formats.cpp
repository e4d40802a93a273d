// SPDX-License-Identifier: MIT
#include "show/finding_formats.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "show/json.hpp"

namespace rocmtune {
namespace {

template <bool indented>
constexpr FindingFormat json_format(std::string_view name) {
    return {name,
            [](Report const& report, TextStyle const&) { return json_head(report, indented); },
            [](Finding const& finding, bool is_first, TextStyle const&) {
                return json_finding(finding, is_first, indented);
            },
            [](Report const& report, TextStyle const&) { return json_tail(report, indented); }};
}

constexpr FindingFormat lint_json_format = json_format<true>("json");
constexpr FindingFormat lint_ndjson_format = json_format<false>("ndjson");

}  // namespace

FindingFormat const& finding_format(std::string_view name) {
    for (auto const* format : {&lint_text_format, &lint_json_format, &lint_ndjson_format,
                               &lint_github_format, &lint_sarif_format})
        if (format->name == name) return *format;
    throw std::logic_error("lint has no steps for the format " + std::string(name));
}

std::string document_of(std::string_view format, Report const& report, TextStyle const& style) {
    auto const& steps = finding_format(format);
    auto text = steps.head(report, style);
    bool is_first = true;
    for (auto const& finding : report.findings)
        if (finding.setting) text += steps.finding(finding, std::exchange(is_first, false), style);
    return text + steps.tail(report, style);
}

void count_as_written(Finding const& finding, LintSummary& lint) {
    ++lint.written[static_cast<std::size_t>(finding.verdict)];
    lint.written_kinds.emplace(finding.id, finding.setting->lint_class);
}

std::size_t count_of(Verdict verdict, LintSummary const& lint,
                     std::vector<Finding> const& findings) {
    auto const here = std::ranges::count(findings, verdict, &Finding::verdict);
    return lint.written[static_cast<std::size_t>(verdict)] + static_cast<std::size_t>(here);
}

}  // namespace rocmtune
