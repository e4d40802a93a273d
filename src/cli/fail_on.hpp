// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "cli/arguments.hpp"
#include "rocmtune/finding.hpp"

namespace rocmtune {

/// The mildest verdict that gives exit code 1; pass: none does.
Verdict fail_on(Arguments const& arguments);

/// Whether a finding stands at or above --fail-on.
bool fails(std::vector<Finding> const& findings, Arguments const& arguments);

}  // namespace rocmtune
