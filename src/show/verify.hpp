// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "rocmtune/report.hpp"
#include "show/text.hpp"

namespace rocmtune {

/// The verdicts of `rocmtune verify` for people: a table, what is said of each, how it was found.
std::string verify_text(Report const& report, TextStyle const& style);

}  // namespace rocmtune
