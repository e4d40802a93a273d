// SPDX-License-Identifier: MIT
// Values that their readers take as they are meant, and that are a mistake all the same.
#pragma once

#include <string_view>

#include "lint/judgement.hpp"

namespace rocmtune {

struct KnownValue {
    std::string_view name;
    bool (*fits)(std::string_view value);
    LintKind const* kind;
    Certainty certainty;
    std::string_view why;  ///< behind "NAME: "
    std::string_view fix;  ///< empty: remove it
};

/// The first row for this value, or null.
KnownValue const* find_known_value(std::string_view name, std::string_view value);

}  // namespace rocmtune
