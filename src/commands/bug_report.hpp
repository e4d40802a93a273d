// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "judge/checks/claims.hpp"
#include "measure/recording.hpp"
#include "rocmtune/report.hpp"

namespace rocmtune {

/// Markdown to be pasted into an issue beside the redacted recording, with the table of claims if
/// there are some.
std::string bug_report_text(Report const& report, Recording const& recording,
                            std::vector<CardClaim> const& claims = {},
                            std::vector<std::string> const& problems = {});

}  // namespace rocmtune
