// SPDX-License-Identifier: MIT
// Settings in a file: --env-file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "machine/environment_change.hpp"

namespace rocmtune::verify {

/// The lines NAME=VALUE of a file, `export` before them or not, values plain or in quotes; other
/// lines are blank or begin with #. @throws Error with the line for anything else, and for values
/// that a shell would expand.
std::vector<EnvironmentChange> settings_of_text(std::string_view text, std::string const& file);

}  // namespace rocmtune::verify
