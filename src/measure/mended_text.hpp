// SPDX-License-Identifier: MIT
// Texts in which lint mends what it finds, as far as it is certain.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "settings/repair.hpp"

namespace rocmtune {

/// What there is to mend in a text with these settings: findings that nobody has accepted.
using FindingsOf =
    std::function<std::vector<Finding>(InputText const&, std::vector<Assignment> const&)>;

struct MendedText {
    std::string text = {};
    std::size_t repairs = 0;
};

/// Mends what can be mended, also what a repair has brought to light.
MendedText mended(InputText const& input, FindingsOf const& findings_of);

/// Whether a line may stand in a diff: it has no secret, and nothing that a terminal obeys.
bool may_be_shown(std::string_view line);

/// Adds to a finding the change that mends it alone, and says what to do in words of its lines.
/// `spent`: bytes that were read again for that so far; a text with very many findings leaves the
/// later ones to --fix.
void add_changes(Mender const& mender, Finding& finding, std::size_t& spent);

}  // namespace rocmtune
