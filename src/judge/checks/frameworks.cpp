// SPDX-License-Identifier: MIT
// Frameworks for these GPUs, and variables that hide GPUs or slow them down.
#include <fmt/format.h>
#include <algorithm>

#include "base/host.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "judge/checks/check.hpp"

namespace rocmtune {
namespace {

bool is_before(std::string_view a, std::string_view b) {
    auto const order = compare_versions(a, b);
    return order && *order < 0;
}

bool has_code(TorchWheel const& build, std::string const& target) {
    return std::ranges::find(build.targets, target) != build.targets.end();
}

/// AMD's main list of a target; null if the target never stood there.
SupportRange const* main_list(ChipSet const& chips, std::string const& target) {
    auto const* const chip = chips.find_chip(target);
    if (chip == nullptr) return nullptr;
    auto const found = std::ranges::find(chip->facts.support, "rocm", &SupportRange::list);
    return found == chip->facts.support.end() ? nullptr : &*found;
}

/// A release stands for its patches, too: what came with 6.4.1 is not in 6.4.
bool lists(ChipSet const& chips, TorchWheel const& build, std::string const& target) {
    auto const* const range = main_list(chips, target);
    return range != nullptr && !is_before(build.rocm, range->since) &&
           (range->until.empty() || is_before(build.rocm, range->until));
}

std::string range_text(SupportRange const* range) {
    if (range == nullptr) return "none: it is not in AMD's main list";
    auto const until = range->until.empty() ? "" : fmt::format(", before {}", range->until);
    return fmt::format("{} and later{}", range->since, until);
}

std::vector<Evidence> evidence_for(ChipSet const& chips, std::string const& target) {
    std::vector<std::string> names;
    for (auto const& build : chips.torch_wheels())
        if (has_code(build, target)) names.push_back(fmt::format("rocm{}", build.rocm));
    auto const wheels = names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
    return {{fmt::format("wheels of pytorch.org for {}", target), wheels},
            {fmt::format("ROCm that lists {}", target), range_text(main_list(chips, target))}};
}

std::vector<std::string> targets_of(std::vector<Card const*> const& cards) {
    std::vector<std::string> targets;
    for (auto const* card : cards)
        if (std::ranges::find(targets, *card->gpu->gfx_target) == targets.end())
            targets.push_back(*card->gpu->gfx_target);
    return targets;
}

/// Names the build that fits, with what that rests on.
void advise_build(CheckContext const& context, std::vector<std::string> const& targets,
                  Finding& finding) {
    auto advice = torch_for(context.chips, targets);
    if (!advice.command.empty()) finding.next_step = std::move(advice.command);
    for (auto& one : advice.evidence) finding.evidence.push_back(std::move(one));
}

/// A build for a ROCm that did not know the GPU yet; its release says so even where no file name
/// tells the targets.
void judge_release(CheckContext const& context, Framework const& torch, Verdicts const& verdicts) {
    auto const& hip = *torch.hip_version;
    auto const all = targets_of(compute_cards(context));
    for (auto const& target : all) {
        auto const first = first_release_after(context.chips, target, hip);
        if (first.empty()) continue;
        auto& finding =
            verdicts.give(Verdict::info,
                          fmt::format("torch {} is built for HIP {}, but ROCm lists {} since {}",
                                      torch.version.value_or("?"), hip, target, first),
                          torch.hip_version);
        return advise_build(context, all, finding);
    }
    verdicts.pass(fmt::format("torch {} is built for HIP {}", torch.version.value_or("?"), hip));
}

void judge_framework_build(CheckContext const& context, Verdicts const& verdicts) {
    auto const& frameworks = context.host.frameworks;
    if (!verdicts.have(frameworks, "Python packages")) return;
    bool judged = false;
    for (auto const& framework : *frameworks) {
        if (framework.name != "torch") continue;
        judged = true;
        auto const version = framework.version.value_or("?");
        if (framework.hip_version) {
            judge_release(context, framework, verdicts);
        } else if (framework.hip_version.reason() == Missing::unsupported) {
            auto& finding = verdicts.give(
                Verdict::warn, fmt::format("torch {}: {}", version, framework.hip_version.detail()),
                {{"python", framework.path}});
            advise_build(context, targets_of(compute_cards(context)), finding);
        } else verdicts.have(framework.hip_version, "HIP version of torch");
    }
    if (!judged) verdicts.skip("torch is not installed in the active environment");
}

void judge_framework_targets(CheckContext const& context, Verdicts const& verdicts) {
    auto const& frameworks = context.host.frameworks;
    if (!verdicts.have(frameworks, "Python packages")) return;
    bool judged = false;
    for (auto const& framework : *frameworks) {
        if (!framework.gfx_targets || framework.gfx_targets->empty()) continue;
        for (auto const* card : compute_cards(context)) {
            judged = true;
            auto const& target = *card->gpu->gfx_target;
            if (has_code_for(context, *framework.gfx_targets, target)) {
                verdicts.about(card->subject)
                    .pass(fmt::format("{} has code for {}", framework.name, target));
                continue;
            }
            // Under an override programs choose the code of another target.
            auto& finding =
                verdicts.about(card->subject)
                    .give(gfx_overrides(context.host).empty() ? Verdict::fail : Verdict::info,
                          fmt::format("{} {} has no code for {}", framework.name,
                                      framework.version.value_or("?"), target),
                          framework.gfx_targets);
            if (framework.name == "torch") advise_build(context, {target}, finding);
        }
    }
    if (!judged) verdicts.skip("no package says which targets it has code for");
}

void judge_masks(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    if (!verdicts.have(host.environment, "environment")) return;
    std::vector<Evidence> found;
    for (auto const name : mask_names)
        if (auto const value = variable_of(host, name))
            found.push_back({fmt::format("environment: {}", name), *value});
    bool const rocr = host.environment->contains("ROCR_VISIBLE_DEVICES");
    auto const hip = variable_of(host, "HIP_VISIBLE_DEVICES");
    auto const cuda = variable_of(host, "CUDA_VISIBLE_DEVICES");
    // HIP takes CUDA_VISIBLE_DEVICES where its own is not set: equal values are one mask.
    bool const differ = hip && cuda && hip != cuda;
    if (rocr && found.size() > 1)
        verdicts.warn("two masks of GPUs are set: HIP counts what ROCr has left", std::move(found));
    else if (differ)
        verdicts.warn(
            "two masks of GPUs are set: HIP reads HIP_VISIBLE_DEVICES and not CUDA_VISIBLE_DEVICES",
            std::move(found));
    else
        verdicts.pass(found.empty() ? "no mask hides GPUs" : "one mask of GPUs is set",
                      std::move(found));
}

void judge_debug_variables(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    if (!verdicts.have(host.environment, "environment")) return;
    bool sound = true;
    for (auto const& variable : context.chips.debug_variables()) {
        auto const value = variable_of(host, variable.name).value_or("");
        if (value.empty() || value == variable.off) continue;
        sound = false;
        verdicts.warn(fmt::format("{}={}: {}", variable.name, value, variable.effect),
                      {{fmt::format("environment: {}", variable.name), value}},
                      fmt::format("unset {}", variable.name));
    }
    if (sound) verdicts.pass("no debug switch is on");
}

using enum CheckLevel;
using enum Where;

// clang-format off
constexpr Check checks[] = {
    {"RT3711", "framework-build", "frameworks", quick, false, anywhere, judge_framework_build},
    {"RT3712", "framework-targets", "frameworks", quick, false, anywhere, judge_framework_targets},
    {"RT3721", "masks", "environment", quick, false, anywhere, judge_masks},
    {"RT3722", "debug-variables", "environment", quick, false, anywhere, judge_debug_variables},
};
// clang-format on

}  // namespace

TorchAdvice torch_for(ChipSet const& chips, std::vector<std::string> const& targets) {
    TorchAdvice advice;
    for (auto const& target : targets)
        for (auto& one : evidence_for(chips, target)) advice.evidence.push_back(std::move(one));
    auto const all_have = [&](TorchWheel const& build, auto const& fits) {
        return std::ranges::all_of(targets,
                                   [&](auto const& target) { return fits(build, target); });
    };
    TorchWheel const* best = nullptr;
    for (auto const& build : chips.torch_wheels()) {
        if (targets.empty() || !all_have(build, has_code)) continue;
        if (best == nullptr) best = &build;
        auto const listed = [&](TorchWheel const& one, std::string const& target) {
            return main_list(chips, target) == nullptr || lists(chips, one, target);
        };
        if (!all_have(build, listed)) continue;
        best = &build;
        break;
    }
    if (best != nullptr)
        advice.command = fmt::format(
            "pip install --force-reinstall torch --index-url "
            "https://download.pytorch.org/whl/rocm{}",
            best->rocm);
    return advice;
}

std::string first_release_after(ChipSet const& chips, std::string const& target,
                                std::string_view release) {
    auto const* const range = main_list(chips, target);
    if (range == nullptr || !is_before(release, range->since)) return {};
    // Wheels have had code for targets years before AMD's main list named them.
    bool const known = std::ranges::any_of(chips.torch_wheels(), [&](TorchWheel const& build) {
        return has_code(build, target) && !is_before(release, build.rocm);
    });
    return known ? std::string() : std::string(range->since);
}

std::span<Check const> framework_checks() {
    return checks;
}

}  // namespace rocmtune
