// SPDX-License-Identifier: MIT
// The report for people.
#pragma once

#include <string>

#include "rocmtune/report.hpp"

namespace rocmtune {

/// What the reader's screen can show.
struct TextStyle {
    std::size_t width = 100;  ///< columns; at least 40
    bool color = false;       ///< ANSI escapes
    bool utf8 = true;         ///< otherwise bytes above 0x7F are shown as '?'
    int verbosity = 0;        ///< 0 summary, 1 every fact, 2 with sources
};

/// One screen: GPUs, host, driver, software, what is missing and what to do next. Lines fit the
/// width, down to 80 columns.
std::string summary_text(Report const& report, TextStyle const& style);

/// Every fact of the JSON document with its value or reason, a line each; at verbosity 2 with its
/// source.
std::string details_text(Report const& report, TextStyle const& style);

}  // namespace rocmtune
