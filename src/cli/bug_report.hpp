// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cli/recording.hpp"
#include "rocmtune/report.hpp"

namespace rocmtune {

/// Markdown to be pasted into an issue beside the redacted recording.
std::string bug_report_text(Report const& report, Recording const& recording);

}  // namespace rocmtune
