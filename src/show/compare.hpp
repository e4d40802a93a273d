// SPDX-License-Identifier: MIT
// What two reports say differently. The report must have a comparison.
#pragma once

#include <string>

#include "show/text.hpp"

namespace rocmtune {

/// The two reports, what differs by kind, findings, measurements. Facts of a moment and those that
/// differ rightly are counted, and shown if the style is verbose.
std::string compare_text(Report const& report, TextStyle const& style);

/// The same as GitHub's Markdown: texts of the reports cannot end a cell or start markup.
std::string compare_markdown(Report const& report, TextStyle const& style);

}  // namespace rocmtune
