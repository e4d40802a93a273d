// SPDX-License-Identifier: MIT
// Combinations of chip, kernel, firmware, driver and packages that are known to fail
// (profiles/advisories.json): each that holds here is a finding of its own.
#include "judge/checks/check.hpp"
#include "judge/rules/holding.hpp"
#include "knowledge/causes.hpp"

namespace rocmtune {
namespace {

/// Adds what holds here; returns how often it could not be told.
std::size_t add_what_holds(Advisory const& advisory, SelectedHost const& selected,
                           std::vector<Finding>& findings) {
    std::size_t open = 0;
    for (auto const& [subject, decision] : holdings(advisory.when.nodes, selected)) {
        if (decision.truth == Truth::unknown) ++open;
        if (decision.truth != Truth::yes) continue;
        findings.push_back(finding_of(advisory, subject));
        findings.back().evidence = evidence_of(decision.because);
    }
    return open;
}

/// Where a fact is not known nothing is said: silence is no word that the host is in order.
void judge_advisories(CheckContext const& context, Verdicts const& verdicts) {
    auto const selected = selected_host(context.host, {});
    std::size_t open = 0;
    std::vector<Finding> found;
    for (auto const& advisory : all_advisories()) open += add_what_holds(advisory, selected, found);
    for (auto& finding : found) verdicts.give(Verdict::skip, {}) = std::move(finding);
    if (!found.empty()) return;
    if (open > 0)
        return verdicts.skip(fmt::format(
            "no known-bad combination is known to be here; {} could not be told", open));
    verdicts.pass("no known-bad combination is here");
}

using enum CheckLevel;
using enum Where;

// clang-format off
constexpr Check advisories_rows[] = {
    {"RT3791", "advisories", "advisories", quick, false, anywhere, judge_advisories},
};
// clang-format on

}  // namespace

void judge_advisory(Advisory const& advisory, Host const& host, std::vector<Finding>& findings) {
    auto const before = findings.size();
    auto const open = add_what_holds(advisory, selected_host(host, {}), findings);
    if (findings.size() > before) return;
    findings.push_back(
        {.id = advisory.id,
         .verdict = open > 0 ? Verdict::unknown : Verdict::pass,
         .subject = "host",
         .message = advisory.title +
                    (open > 0 ? ": whether it is so here is not known" : ": it is not so here")});
}

std::span<Check const> advisory_checks() {
    return advisories_rows;
}

}  // namespace rocmtune
