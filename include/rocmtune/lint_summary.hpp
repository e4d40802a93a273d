// SPDX-License-Identifier: MIT
// LintSummary: what lint looked at, beside what it found.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rocmtune/finding.hpp"

namespace rocmtune {

struct LintSummary {
    std::size_t texts = 0;        ///< files, environments and processes that were read
    std::size_t assignments = 0;  ///< settings in them
    std::size_t accepted = 0;     ///< findings that comments, a list or an earlier report accept
    std::vector<std::uint64_t> rows = {};  ///< of the GPUs that the settings are for; empty: all

    // Of findings that were written already, and that the report no longer has.
    std::array<std::size_t, verdict_words.size()> written = {};  ///< by verdict
    std::map<std::string, LintClass> written_kinds = {};         ///< by id
};

}  // namespace rocmtune
