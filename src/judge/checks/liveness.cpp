// SPDX-License-Identifier: MIT
// Whether the GPUs do what they are told, by the trials that were run on them.
#include "host/subject.hpp"
#include "judge/checks/judgements.hpp"

namespace rocmtune {
namespace {

/// A process that even SIGKILL does not end is proof of a fault; one that was only late may have
/// been slow.
Verdict verdict_of(TrialEnd end) {
    switch (end) {
        case TrialEnd::verified: return Verdict::pass;
        case TrialEnd::wrong:
        case TrialEnd::refused:
        case TrialEnd::crashed:
        case TrialEnd::unkillable: return Verdict::fail;
        case TrialEnd::late: return Verdict::timeout;
        case TrialEnd::not_possible:
        case TrialEnd::not_allowed: return Verdict::skip;
        case TrialEnd::no_runtime:
        case TrialEnd::not_known: break;
    }
    return Verdict::unknown;
}

/// What a wrong answer or a stuck process asks for, where the general advice is a reset.
Action action_of(TrialEnd end, Action usual) {
    if (end == TrialEnd::wrong) return Action::isolate;
    return end == TrialEnd::unkillable ? Action::reboot : usual;
}

Gpu const* gpu_of(Host const& host, std::uint64_t row) {
    for (auto const& gpu : host.gpus)
        if (gpu.row.value_or(0) == row) return &gpu;
    return nullptr;
}

/// Distributions have ROCm 5 for long: newer chips need AMD's packages.
std::string step_without_hip(Gpu const& gpu) {
    static constexpr std::string_view old_targets[] = {"gfx900", "gfx906", "gfx908", "gfx90a",
                                                       "gfx1030"};
    bool const old =
        std::ranges::find(old_targets, gpu.gfx_target.value_or("")) != std::end(old_targets);
    return old ? "{install-hip}   # lets rocmtune use the GPU; --skip liveness does without"
               : "sudo apt install hip-runtime-amd || sudo dnf install hip-runtime-amd   # from "
                 "AMD's repository (repo.radeon.com/rocm), lets rocmtune use the GPU; --skip "
                 "liveness does without";
}

}  // namespace

void judge_liveness(CheckContext const& context, Verdicts& verdicts) {
    if (context.trials.empty())
        return (void)verdicts.skip("host", "nothing was run on the GPUs of this host");
    for (auto const& trial : context.trials) {
        auto const* const gpu = gpu_of(context.host, trial.row);
        if (gpu == nullptr) continue;  // --gpu left it out
        auto const verdict = verdict_of(trial.end);
        auto& finding = verdicts.give(verdict, subject_of(*gpu), trial.message);
        finding.evidence = trial.evidence;
        if (trial.end == TrialEnd::no_runtime) finding.next_step = step_without_hip(*gpu);
        if (verdict == Verdict::fail) finding.action = action_of(trial.end, finding.action);
    }
}

}  // namespace rocmtune
