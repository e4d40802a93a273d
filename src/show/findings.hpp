// SPDX-License-Identifier: MIT
// Findings as every command and format shows them: in one order, in groups, as cards.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/finding.hpp"
#include "show/printer.hpp"

namespace rocmtune {

/// The worst first.
inline constexpr std::array verdict_order{Verdict::fail,    Verdict::timeout, Verdict::warn,
                                          Verdict::unknown, Verdict::info,    Verdict::skip,
                                          Verdict::pass};

/// News is all but what is in order and what was not looked at on purpose.
bool is_news(Finding const& finding);

/// News that asks for something to be done: fail, timeout and warn.
bool is_bad(std::string_view verdict);
bool is_bad(Finding const& finding);

/// Findings in the order of verdicts, within one the heaviest step first, then as they came.
std::vector<Finding const*> worst_first(std::vector<Finding> const& findings);

/// Those that are bad, the worst first.
std::vector<Finding const*> complaints_of(std::vector<Finding> const& findings);

/// Findings of one kind: of lint (`settings`), or the others.
std::vector<Finding> findings_about(bool settings, std::vector<Finding> const& all);

/// Findings that say the same of several subjects, as one.
struct FindingGroup {
    Finding const* first;
    std::vector<std::string> subjects = {};
    std::vector<std::string> ids = {};  ///< of what is unknown: of all checks that could not tell

    /// The step of all; where it names one GPU for AMD SMI, all are named.
    std::string step() const;
};

/// Groups of findings of one id, in the order of their first.
std::vector<FindingGroup> groups_of(std::vector<Finding const*> const& findings);

/// All that is unknown, each reason once, whichever checks it stopped.
std::vector<FindingGroup> unknowns_of(std::vector<Finding> const& findings);

/// Prints what is news of a host with so many GPUs, the worst first, what could not be told, and
/// for a page what is in order. Verbose text has everything.
void show_findings(std::vector<Finding> const& findings, std::size_t gpus, Printer& out);

/// The same of what lint found.
void show_settings(std::vector<Finding> const& findings, Printer& out);

/// Numbers of findings by Verdict.
using VerdictCounts = std::array<std::size_t, verdict_words.size()>;
VerdictCounts counts_of(std::vector<Finding> const& findings);

/// "2 fail, 1 warn, 40 pass", the worst first.
std::string counts_text(VerdictCounts const& counts);

}  // namespace rocmtune
