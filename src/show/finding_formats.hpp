// SPDX-License-Identifier: MIT
// The formats of lint in steps: its findings are written one by one and need not be kept.
#pragma once

#include <string>
#include <string_view>

#include "show/text.hpp"

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
};

/// @throws std::logic_error if lint has no format of this name.
FindingFormat const& finding_format(std::string_view name);

/// What lint finds, at once. The report must have a lint summary; findings of others are left out.
std::string document_of(std::string_view format, Report const& report, TextStyle const& style);

/// Notes a finding that was written and is not kept.
void count_as_written(Finding const& finding, LintSummary& lint);

/// The findings of a verdict, written or in the report.
std::size_t count_of(Verdict verdict, LintSummary const& lint,
                     std::vector<Finding> const& findings);

// lint.cpp
extern FindingFormat const lint_text_format;
extern FindingFormat const lint_github_format;
// sarif.cpp
extern FindingFormat const lint_sarif_format;

}  // namespace rocmtune
