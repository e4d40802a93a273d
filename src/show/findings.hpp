// SPDX-License-Identifier: MIT
// Findings as lines of the summary.
#pragma once

#include <string>
#include <vector>

#include "rocmtune/finding.hpp"

namespace rocmtune {

/// A line for each kind and message, the worst first, equal ones of several GPUs as one; the first
/// is followed by its step. At most four, and how many more there are.
std::vector<std::string> finding_lines(std::vector<Finding> const& findings);

}  // namespace rocmtune
