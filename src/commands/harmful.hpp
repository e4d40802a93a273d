// SPDX-License-Identifier: MIT
// env --unset: what lint is certain of.
#pragma once

#include "knowledge/catalogue.hpp"
#include "knowledge/chips.hpp"
#include "rocmtune/host.hpp"
#include "rocmtune/settings.hpp"

namespace rocmtune {

/// Adds the variables of the host's environment that lint calls a certain failure there (a bad
/// value, a conflict, another architecture) as ones to clear; where a value is recommended for such
/// a variable, it is set in its place. Lists of devices stay as they are: without them a process
/// would get GPUs that were kept from it. So does what finds code, and what may be a secret.
void clear_harmful(Host const& host, ChipSet const& chips, Catalogue const& catalogue,
                   Settings& settings);

}  // namespace rocmtune
