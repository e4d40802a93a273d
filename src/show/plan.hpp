// SPDX-License-Identifier: MIT
// What fits into the memory of GPUs. The report must have a plan.
#pragma once

#include <string>

#include "show/text.hpp"

namespace rocmtune {

/// What is planned and whether it fits, its parts, the GPUs by kind, and other ways. A verbose
/// style adds the shape of the model, each GPU, and the sources.
std::string plan_text(Report const& report, TextStyle const& style);

/// The same as GitHub's Markdown.
std::string plan_markdown(Report const& report, TextStyle const& style);

}  // namespace rocmtune
