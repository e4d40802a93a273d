// SPDX-License-Identifier: MIT
// The ROCm libraries that a process has mapped: do they come from one installation?
#pragma once

#include <string_view>
#include <vector>

#include "rocmtune/finding.hpp"

namespace rocmtune {

/// `maps` as in /proc/PID/maps (proc(5)).
std::vector<Finding> lint_mapped_libraries(std::string_view maps);

}  // namespace rocmtune
