// SPDX-License-Identifier: MIT
// Figures of benchmarks as text.
#pragma once

#include <string>

#include "render/text.hpp"

namespace rocmtune {

/// A table for each device, and below it what to know of the figures.
std::string measurements_text(Report const& report, TextStyle const& style);

/// The code cache, one fact a line.
std::string cache_text(Report const& report, TextStyle const& style);

}  // namespace rocmtune
