// SPDX-License-Identifier: MIT
// Judgement: what two reports say differently, and what of it is worse than before.
#pragma once

#include <vector>

#include "reports/report.hpp"
#include "rocmtune/comparison.hpp"
#include "rocmtune/finding.hpp"

namespace rocmtune {

/// @param margin  changes of measurements up to this ratio do not matter (0.03: 3 %)
ReportComparison compare_reports(ReadReport const& a, ReadReport const& b, double margin);

/// What asks for a step: RT7001 to RT7004.
std::vector<Finding> judge_comparison(ReportComparison const& comparison);

}  // namespace rocmtune
