// SPDX-License-Identifier: MIT
#pragma once

#include "rocmtune/report.hpp"

namespace rocmtune {

/// Takes the secrets out of every text of a report (knowledge/scrub.hpp), before it is rendered and
/// after all was judged. Values that a process is to get stay: rocmtune's own data states them.
void scrub(Report& report);

/// The same of a finding that is written before its report.
void scrub(Finding& finding);

}  // namespace rocmtune
