// SPDX-License-Identifier: MIT
// Every fact of a report with its value, or the reason why it is missing.
#pragma once

#include "rocmtune/report.hpp"
#include "show/html/html.hpp"

namespace rocmtune {

/// Facts of the host, and those of GPUs with the GPUs that have each value: what is equal
/// everywhere is one line. Folded away until somebody asks.
Html facts_html(Report const& report);

}  // namespace rocmtune
