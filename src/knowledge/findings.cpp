// SPDX-License-Identifier: MIT
// Look-up in the table that compile_findings wrote.
#include "knowledge/findings.hpp"

#include <algorithm>

#include "knowledge/generated_tables.hpp"

namespace rocmtune {

std::span<FindingKind const> all_finding_kinds() {
    return generated::finding_kinds;
}

FindingKind const* find_finding_kind(std::string_view id) {
    auto const kinds = all_finding_kinds();
    auto const found = std::ranges::lower_bound(kinds, id, {}, &FindingKind::id);
    return found == kinds.end() || found->id != id ? nullptr : &*found;
}

}  // namespace rocmtune
