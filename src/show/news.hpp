// SPDX-License-Identifier: MIT
// News: what somebody should hear of, in one order for every command and format.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "rocmtune/finding.hpp"

namespace rocmtune {

/// The worst first.
inline constexpr std::array verdict_order{Verdict::fail,    Verdict::timeout, Verdict::warn,
                                          Verdict::unknown, Verdict::info,    Verdict::skip,
                                          Verdict::pass};

/// All but what is in order and what was not looked at on purpose.
bool is_news(Finding const& finding);

/// News that asks for something to be done: fail, timeout and warn.
bool is_bad(Finding const& finding);

/// Findings in the order of verdicts, within one the heaviest step first, then as they came.
std::vector<Finding const*> worst_first(std::vector<Finding> const& findings);

/// Findings that say the same of several subjects, as one.
struct FindingGroup {
    Finding const* first;
    std::vector<std::string> subjects;

    /// The step of all; where it names one GPU for AMD SMI, all are named.
    std::string step() const;
};

/// Groups of findings, the worst first.
std::vector<FindingGroup> groups_of(std::vector<Finding const*> const& findings);

}  // namespace rocmtune
