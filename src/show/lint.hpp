// SPDX-License-Identifier: MIT
// What lint found, for people and for other programs. The report must have a lint summary.
#pragma once

#include <string>

#include "show/text.hpp"

namespace rocmtune {

/// In the order of files and lines: place, verdict, message, the line with a caret, the fix; the
/// counts last. Notes without their line unless the style is verbose.
std::string lint_text(Report const& report, TextStyle const& style);

/// Workflow commands of GitHub Actions at file, line and column.
std::string lint_github(Report const& report, TextStyle const& style);

/// SARIF 2.1.0 (OASIS), for code scanning.
std::string lint_sarif(Report const& report, TextStyle const& style);

/// "12 settings in 3 texts: 1 fail, 2 warn, 4 info".
std::string lint_counts(Report const& report);

}  // namespace rocmtune
