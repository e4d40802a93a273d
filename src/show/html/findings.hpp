// SPDX-License-Identifier: MIT
// Judgements on a page: findings, settings in the environment, advice.
#pragma once

#include <vector>

#include "rocmtune/report.hpp"
#include "show/html/html.hpp"

namespace rocmtune {

/// What is news, the worst first, each with what it rests on and the next step; the rest as a list
/// of ids. Results that say the same of several of the host's `gpus` GPUs are one.
Html findings_html(std::vector<Finding> const& findings, std::size_t gpus);

/// What lint found.
Html environment_html(Report const& report);

/// Recommendations with reasons and sources, and what was not decided.
Html advice_html(Report const& report);

}  // namespace rocmtune
