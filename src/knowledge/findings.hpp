// SPDX-License-Identifier: MIT
// What each id of a finding means: profiles/findings.json, compiled in.
#pragma once

#include <span>
#include <string_view>

#include "knowledge/chips.hpp"
#include "rocmtune/finding.hpp"

namespace rocmtune {

/// One kind of finding. All texts are non-empty and live as long as the program.
struct FindingKind {
    std::string_view id;     ///< "RT1001"
    std::string_view title;  ///< a few words without the subject
    std::string_view meaning;
    Action action;
    std::string_view next_step;  ///< where the judgement knows nothing better
    std::span<Citation const> sources;
};

/// All kinds, sorted by id.
std::span<FindingKind const> all_finding_kinds();

/// The kind with this id, or null.
FindingKind const* find_finding_kind(std::string_view id);

}  // namespace rocmtune
