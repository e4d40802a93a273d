// SPDX-License-Identifier: MIT
// Variables that belong to somebody else: the build of a program, or what launches it.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "judge/lint/judgement.hpp"

namespace rocmtune {
namespace {

/// Kinds of text that may be the launcher themselves.
bool may_launch(InputKind kind) {
    constexpr std::array kinds{InputKind::slurm, InputKind::compose, InputKind::kubernetes,
                               InputKind::workflow, InputKind::python};
    return std::ranges::find(kinds, kind) != kinds.end();
}

/// Which process it is of how many. Where they meet (MASTER_ADDR) a script may well have to say.
bool is_place_in_job(std::string_view name) {
    constexpr std::array<std::string_view, 4> names{"RANK", "WORLD_SIZE", "LOCAL_RANK",
                                                    "LOCAL_WORLD_SIZE"};
    return std::ranges::find(names, name) != names.end();
}

void judge_launcher(LintSubject const& subject, LintFindings& findings) {
    auto const& assignment = subject.assignment;
    // A value that is computed, or for one command, is how a launcher is written.
    if (assignment.one_command || !subject.has_value() || may_launch(assignment.kind)) return;
    if (subject.value().empty()) return;
    // A process of a launched job has them rightly.
    bool const sure =
        is_place_in_job(subject.name()) && !is_running(assignment.kind) && !assignment.conditional;
    findings.add(build_or_launcher, sure ? Certainty::certain : Certainty::note, subject,
                 "the launcher (torchrun, srun, a container runtime) sets it for each process",
                 removal(subject.name()));
}

void judge_build(LintSubject const& subject, LintFindings& findings) {
    auto const& assignment = subject.assignment;
    bool const may_build = assignment.one_command || assignment.builds ||
                           assignment.kind == InputKind::dockerfile ||
                           assignment.kind == InputKind::workflow;
    if (may_build) return;
    // Where an installation lies is often stated for more than one purpose.
    bool const names_place = subject.variable->type == "path";
    findings.add(build_or_launcher, names_place ? Certainty::note : Certainty::certain, subject,
                 "only what compiles reads it: builds, and extensions that a program compiles for "
                 "itself",
                 removal(subject.name()));
}

}  // namespace

void judge_owner(LintSubject const& subject, LintFindings& findings) {
    if (subject.variable == nullptr) return;
    if (subject.variable->use == "launcher") judge_launcher(subject, findings);
    if (subject.variable->use == "build") judge_build(subject, findings);
}

}  // namespace rocmtune
