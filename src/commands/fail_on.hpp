// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "measure/arguments.hpp"
#include "rocmtune/finding.hpp"

namespace rocmtune {

/// The mildest verdict that gives exit code 1; pass: none does.
Verdict fail_on(Arguments const& arguments);

/// Whether a finding stands at or above --fail-on.
bool fails(std::vector<Finding> const& findings, Arguments const& arguments);

/// The same where the findings were not kept: `has` tells whether there was one of a verdict.
bool fails(Arguments const& arguments, std::function<bool(Verdict)> const& has);

}  // namespace rocmtune
