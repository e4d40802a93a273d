// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "render/text.hpp"
#include "rocmtune/report.hpp"

namespace rocmtune {

/// The verdicts of `rocmtune verify` for people: a table, what is said of each, how it was found.
std::string verify_text(Report const& report, TextStyle const& style);

}  // namespace rocmtune
