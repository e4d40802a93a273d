// SPDX-License-Identifier: MIT
// The values that profiles of a user set, read as the owners of the variables read them.
#pragma once

#include "knowledge/catalogue.hpp"
#include "knowledge/chips.hpp"

namespace rocmtune {

/// Rules of the set that `trusted` does not have: their variables must be known to the catalogue,
/// and a value must be one that its reader takes as it is written.
/// @throws ProfileError with the file and the place of the first that is not so.
void check_rule_values(ChipSet const& chips, ChipSet const& trusted, Catalogue const& catalogue);

}  // namespace rocmtune
