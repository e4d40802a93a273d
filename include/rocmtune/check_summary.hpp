// SPDX-License-Identifier: MIT
// CheckSummary: what the results of `rocmtune check` say together.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "rocmtune/finding.hpp"

namespace rocmtune {

struct CheckSummary {
    std::string level = {};                                  ///< quick, medium or long
    std::array<std::size_t, verdict_words.size()> counts{};  ///< results by Verdict
    std::size_t gpus = 0;                                    ///< rows that were to be checked
    /// Of those, the rows for which an essential check gave pass, info, warn or fail.
    std::size_t gpus_judged = 0;
    /// Of those, the rows that copied or computed, and what came back was right; absent where no
    /// GPU was to work, as with a recording.
    std::optional<std::size_t> gpus_exercised = {};
    bool essential_unknown = false;   ///< an essential check could not tell
    std::string undetermined = {};    ///< the first of those, for formats with one line
    Verdict fail_on = Verdict::fail;  ///< the least verdict that fails the run; pass: none does

    std::size_t count(Verdict verdict) const { return counts[static_cast<std::size_t>(verdict)]; }
};

}  // namespace rocmtune
