// SPDX-License-Identifier: MIT
// From files of variables to a catalogue: layering, references, checks across objects.
#pragma once

#include <memory>
#include <vector>

#include "knowledge/catalogue.hpp"

namespace rocmtune {

/// Lays files of variables over others (which may be none), lowest precedence first; see
/// with_overrides for the rules. Throws ProfileError: a file that cannot be read, a name or a
/// component twice in one file, a source that no bibliography explains, an unknown component or
/// variable, new names in a circle, an alias of two variables.
std::shared_ptr<CatalogueData const> lay_variables(std::shared_ptr<CatalogueData const> base,
                                                   std::vector<ProfileView> const& files);

}  // namespace rocmtune
