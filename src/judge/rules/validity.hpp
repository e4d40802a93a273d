// SPDX-License-Identifier: MIT
// For which versions something is known: as rules and the catalogue state it, and in words.
#pragma once

#include <string>

#include "knowledge/catalogue.hpp"
#include "knowledge/rule.hpp"

namespace rocmtune {

Validity validity_of(RuleValidity const& stated);

/// What the catalogue says of a variable, with the newest text of its owner that was read for it.
Validity validity_of(Variable const& variable);

/// "known since rocm 6.2 until 7.0", "known for rocm, checked up to 10.2", "observed in torch 2.6".
std::string validity_text(Validity const& validity);

}  // namespace rocmtune
