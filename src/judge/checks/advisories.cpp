// SPDX-License-Identifier: MIT
// Combinations of chip, kernel, firmware, driver and packages that are known to fail
// (profiles/advisories.json): each that holds here is a finding of its own.
#include "judge/checks/check.hpp"
#include "judge/rules/holding.hpp"
#include "knowledge/causes.hpp"

namespace rocmtune {
namespace {

/// Where a fact is not known nothing is said: silence is no word that the host is in order.
void judge_advisories(CheckContext const& context, Verdicts const& verdicts) {
    auto const selected = selected_host(context.host, {});
    std::size_t open = 0, found = 0;
    for (auto const& advisory : all_advisories())
        for (auto const& [subject, decision] : holdings(advisory.when.nodes, selected)) {
            if (decision.truth == Truth::unknown) ++open;
            if (decision.truth != Truth::yes) continue;
            ++found;
            auto& finding = verdicts.give(Verdict::skip, {});
            finding = finding_of(advisory, subject);
            finding.evidence = evidence_of(decision.because);
        }
    if (found > 0) return;
    if (open > 0)
        return verdicts.skip(fmt::format(
            "no known-bad combination is known to be here; {} could not be told", open));
    verdicts.pass("no known-bad combination is here");
}

using enum CheckLevel;
using enum Where;

// clang-format off
constexpr Check checks[] = {
    {"RT3791", "advisories", "advisories", quick, false, anywhere, judge_advisories},
};
// clang-format on

}  // namespace

std::span<Check const> advisory_checks() {
    return checks;
}

}  // namespace rocmtune
