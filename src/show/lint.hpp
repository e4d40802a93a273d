// SPDX-License-Identifier: MIT
// What lint found, for people and for other programs, in steps: its findings are written one by one
// and need not be kept. The report must have a lint summary.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/report.hpp"
#include "show/layout.hpp"

namespace rocmtune {

/// The steps in their order make the document.
struct FindingFormat {
    std::string_view name;
    /// What stands before the findings.
    std::string (*head)(Report const&, TextStyle const&);
    std::string (*finding)(Finding const&, bool is_first, TextStyle const&);
    /// What stands behind them.
    std::string (*tail)(Report const&, TextStyle const&);
    /// The head tells of the findings, too: it is known when all of them are.
    bool head_comes_last = false;
    /// The worst findings come first, whatever text they are of; those of one verdict stay in the
    /// order of files and lines.
    bool is_by_verdict = false;
};

/// Verdicts of findings of lint, the worst first.
inline constexpr std::array lint_verdicts{Verdict::fail, Verdict::warn, Verdict::info};

/// @throws std::logic_error if lint has no format of this name.
FindingFormat const& finding_format(std::string_view name);

/// What lint finds, at once; findings of others are left out.
std::string document_of(std::string_view format, Report const& report, TextStyle const& style);

/// The worst first, then in the order of files and lines: place, verdict, message, the line with a
/// caret, the fix; the counts of each class last. Of notes no more than the first places of each
/// class, unless the style is verbose.
std::string lint_text(Report const& report, TextStyle const& style);

/// Workflow commands of GitHub Actions at file, line and column.
std::string lint_github(Report const& report, TextStyle const& style);

/// SARIF 2.1.0 (OASIS), for code scanning.
std::string lint_sarif(Report const& report, TextStyle const& style);

/// Notes a finding that was written and is not kept.
void count_as_written(Finding const& finding, LintSummary& lint);

/// "12 settings in 3 texts: 1 fail, 2 warn, 4 info".
std::string lint_counts(Report const& report);

// sarif.cpp
extern FindingFormat const lint_sarif_format;

}  // namespace rocmtune
