// SPDX-License-Identifier: MIT
// Names of Python packages.
#pragma once

#include <string>
#include <string_view>

namespace rocmtune {

/// A distribution name in the form that compares equal for all spellings (PEP 503).
std::string normalised_name(std::string_view name);

}  // namespace rocmtune
