// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "show/text.hpp"

namespace rocmtune {

/// The results of a check: what is wrong and the next step, what could not be told, the counts
/// last. With verbosity, everything with its evidence. The report must have a check summary.
std::string check_text(Report const& report, TextStyle const& style);

/// The results alone, of a host with so many GPUs; empty if nothing of them is news.
std::string results_text(std::vector<Finding> const& findings, std::size_t gpus,
                         TextStyle const& style);

}  // namespace rocmtune
