// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "render/text.hpp"

namespace rocmtune {

/// The results of a check: what is wrong and the next step, what could not be told, the counts
/// last. With verbosity, everything with its evidence. The report must have a check summary.
std::string check_text(Report const& report, TextStyle const& style);

}  // namespace rocmtune
