// SPDX-License-Identifier: MIT
// What a plan says as findings.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "judge/plan/plan.hpp"
#include "knowledge/findings.hpp"

namespace rocmtune {
namespace {

void add_evidence(Plan const& plan, Finding& finding) {
    finding.evidence.push_back({"needed on each GPU", human_bytes(plan.needed_bytes)});
    if (plan.budget_bytes)
        finding.evidence.push_back({"may be taken", human_bytes(*plan.budget_bytes)});
    for (auto const& gpu : plan.gpus) {
        if (!gpu.chosen || (!plan.governed_by.empty() && gpu.subject != plan.governed_by)) continue;
        if (gpu.total_bytes) finding.evidence.push_back({"in all", human_bytes(*gpu.total_bytes)});
        if (gpu.used_bytes) finding.evidence.push_back({"in use", human_bytes(*gpu.used_bytes)});
        break;
    }
    if (!plan.unknown.empty()) finding.evidence.push_back({"not known", plan.unknown});
}

std::string subject_of_plan(Plan const& plan) {
    bool const real = std::ranges::any_of(
        plan.gpus, [&](PlanGpu const& gpu) { return gpu.row && gpu.subject == plan.governed_by; });
    return real ? plan.governed_by : "host";
}

Finding finding_of(Plan const& plan, std::string_view id, Verdict verdict, std::string message) {
    auto finding = make_finding(id, verdict, subject_of_plan(plan), std::move(message));
    add_evidence(plan, finding);
    for (auto const& [name, source] : plan.sources) finding.sources.push_back(source);
    return finding;
}

Finding does_not_fit(Plan const& plan) {
    auto const there = plan.budget_bytes ? human_bytes(*plan.budget_bytes) + " may be taken"
                                         : std::string("no GPU has that much");
    auto finding =
        finding_of(plan, "RT7201", Verdict::fail,
                   fmt::format("the {} does not fit: {} needed on each GPU, {}", plan.request.mode,
                               human_bytes(plan.needed_bytes), there));
    finding.next_step = plan.next_step;
    return finding;
}

/// Whether an error of the estimate could make it too much.
bool is_close(Plan const& plan) {
    auto const most = static_cast<double>(plan.needed_bytes) / (1 - plan.error_percent / 100);
    return plan.budget_bytes && most > static_cast<double>(*plan.budget_bytes);
}

}  // namespace

std::vector<Finding> judge_plan(Plan const& plan) {
    if (plan.fits == false) return {does_not_fit(plan)};
    if (!plan.fits) {
        // Then the need is the answer.
        if (plan.unknown == no_gpu) return {};
        return {finding_of(plan, "RT7202", Verdict::unknown,
                           "whether it fits cannot be told: " + plan.unknown)};
    }
    if (!is_close(plan)) return {};
    return {finding_of(
        plan, "RT7203", Verdict::warn,
        fmt::format("the {} fits only if the estimate is right: {} needed of {}; such sums were up "
                    "to {:g} % wrong",
                    plan.request.mode, human_bytes(plan.needed_bytes),
                    human_bytes(*plan.budget_bytes), plan.error_percent))};
}

}  // namespace rocmtune
