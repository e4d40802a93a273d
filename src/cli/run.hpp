// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "rocmtune/error.hpp"

namespace rocmtune {

/// The whole program but for process start and end: parses, runs, reports errors in the asked form.
/// `words` is the command line without the program's name.
Exit run(std::vector<std::string> const& words);

}  // namespace rocmtune
