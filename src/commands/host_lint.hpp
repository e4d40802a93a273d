// SPDX-License-Identifier: MIT
// What lint says of the environment of a host.
#pragma once

#include "measure/arguments.hpp"
#include "rocmtune/report.hpp"

namespace rocmtune {

/// Judges the environment of Report::host as `rocmtune lint` without files does: adds findings
/// and the summary of lint, or an error with code 3 where the environment is not known.
void lint_environment(Arguments const& arguments, Report& report);

/// The fails and warnings of that, without a look at the installed libraries, which make notes;
/// none where the environment is not known.
std::vector<Finding> harm_in_environment(Arguments const& arguments, Host const& host);

}  // namespace rocmtune
