// SPDX-License-Identifier: MIT
// The table of host checks and the way through it.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "judge/checks/check.hpp"
#include "rocmtune/check_summary.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {

/// All checks, sorted by id.
std::span<Check const> all_checks();

/// The check of this name or id, or null.
Check const* find_check(std::string_view word);

/// Whether a word of --only or --skip means this check: its id, its name or its theme.
bool means(std::string_view word, Check const& check);

/// What to run.
struct CheckSelection {
    CheckLevel level = CheckLevel::quick;
    std::vector<std::string> only;    ///< words of means(); empty: all
    std::vector<std::string> skip;    ///< words of means()
    std::vector<std::uint64_t> rows;  ///< of GPUs; empty: all
    CheckRules rules;
    /// What came of letting the GPUs work; empty where nothing ran on them, as with a recording.
    std::vector<Trial> trials;
    std::vector<Measurement> measurements;  ///< what was measured on them at the longer levels
};

/// Whether the selection leaves this check.
bool is_selected(Check const& check, CheckSelection const& selection);

/// Judges a settled host by the checks that the selection leaves; every check that runs gives at
/// least one result. In the order of ids, then of rows.
std::vector<Finding> run_checks(Host const& host, ChipSet const& chips,
                                CheckSelection const& selection);

/// What the results say together; `level` is the caller's to state.
CheckSummary summary_of(Host const& host, std::vector<Finding> const& findings,
                        std::vector<std::uint64_t> const& rows);

/// The exit code that results stand for: 1 for a verdict of at least `fail_on` (fail or warn; pass:
/// never), 3 undetermined or nothing tested, 4 no GPU.
Exit exit_of(CheckSummary const& summary, Verdict fail_on);

}  // namespace rocmtune
