// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "show/text.hpp"

namespace rocmtune {

/// The explanations of a report for people. Lines fit the width, down to 80 columns.
std::string explain_text(Report const& report, TextStyle const& style);

}  // namespace rocmtune
