// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "cli/arguments.hpp"
#include "rocmtune/finding.hpp"

namespace rocmtune {

/// Whether a finding stands at or above --fail-on.
bool fails(std::vector<Finding> const& findings, Arguments const& arguments);

}  // namespace rocmtune
