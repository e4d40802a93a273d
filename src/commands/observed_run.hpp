// SPDX-License-Identifier: MIT
// One run of a command that is watched: what limits it.
#pragma once

#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "rocmtune/observation.hpp"

namespace rocmtune {

struct ObservedRun {
    Observation observation = {};
    double seconds = 0;
    std::string problem = {};  ///< how it ended, if not well
};

/// Runs the command of verify and tune once; a server is watched while its load runs. Each region
/// is NAME=REGEX: it begins with a line that has the expression, and ends with the next one that
/// begins a region.
/// @throws Error for what is no region.
ObservedRun observe(VerifyCommand const& options, std::vector<std::string> const& regions);

}  // namespace rocmtune
