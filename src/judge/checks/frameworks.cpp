// SPDX-License-Identifier: MIT
// Frameworks for these GPUs, and variables that hide GPUs or slow them down.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/host.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "judge/builds/builds.hpp"
#include "judge/checks/check.hpp"

namespace rocmtune {
namespace {

BuildsData const& builds_of(CheckContext const& context) {
    return context.own_builds != nullptr ? *context.own_builds : embedded_builds();
}

bool has_code(PublishedBuild const& build, std::string const& target) {
    return build.framework == "torch" && build.rocm && build.targets &&
           std::ranges::count(*build.targets, target) > 0 && !build.partial.contains(target);
}

/// AMD's main list of a target; null if the target never stood there.
SupportRange const* main_list(ChipSet const& chips, std::string const& target) {
    auto const* const chip = chips.find_chip(target);
    if (chip == nullptr) return nullptr;
    auto const found = std::ranges::find(chip->facts.support, "rocm", &SupportRange::list);
    return found == chip->facts.support.end() ? nullptr : &*found;
}

std::string range_text(SupportRange const* range) {
    if (range == nullptr) return "none: it is not in AMD's main list";
    auto const until = range->until.empty() ? "" : fmt::format(", before {}", range->until);
    return fmt::format("{} and later{}", range->since, until);
}

/// The releases of ROCm that builds of torch with code for the target are for.
std::string releases_text(CheckContext const& context, std::string const& target) {
    std::vector<std::string> releases;
    for (auto const& build : builds_of(context).builds)
        if (has_code(build, target) && std::ranges::count(releases, *build.rocm) == 0)
            releases.push_back(*build.rocm);
    std::ranges::sort(releases, [](auto const& a, auto const& b) { return is_before(b, a); });
    return releases.empty() ? "none" : fmt::format("ROCm {}", fmt::join(releases, ", "));
}

std::vector<Evidence> evidence_for(CheckContext const& context, std::string const& target) {
    return {
        {fmt::format("builds of torch for {}", target), releases_text(context, target)},
        {fmt::format("ROCm that lists {}", target), range_text(main_list(context.chips, target))}};
}

std::vector<std::string> gfx_targets_of(std::vector<Card const*> const& cards) {
    std::vector<std::string> targets;
    for (auto const* card : cards)
        if (std::ranges::find(targets, *card->gpu->gfx_target) == targets.end())
            targets.push_back(*card->gpu->gfx_target);
    return targets;
}

/// The lines of pip that install the best build; absent if none can be proposed.
std::optional<std::string> pip_build(std::string const& framework,
                                     std::vector<std::string> const& targets,
                                     CheckContext const& context) {
    BuildsQuestion const question{
        .frameworks = {framework}, .targets = targets, .installer = "pip", .host = &context.host};
    for (auto& build : builds_for(question, builds_of(context), context.chips))
        // A build that changes every night is nobody's step who did not ask for it.
        if (build.answer == BuildAnswer::build && build.command && build.status != "nightly")
            return std::move(build.command);
    return std::nullopt;
}

/// A step is one command. What is installed may have the same version and be for another maker.
std::string one_line(std::string text) {
    constexpr std::string_view install = "pip install ";
    for (auto at = text.find(install); at != text.npos; at = text.find(install, at + 1))
        text.insert(at + install.size(), "--force-reinstall ");
    for (auto at = text.find('\n'); at != text.npos; at = text.find('\n', at))
        text.replace(at, 1, " && ");
    return text;
}

/// Names the build that fits, with what that rests on.
void advise_build(CheckContext const& context, std::vector<std::string> const& targets,
                  Finding& finding) {
    auto advice = torch_for(context, targets);
    if (!advice.step.empty()) finding.next_step = std::move(advice.step);
    for (auto& one : advice.evidence) finding.evidence.push_back(std::move(one));
}

/// A build for a ROCm that did not know the GPU yet; its release says so even where no file name
/// tells the targets.
void judge_release(CheckContext const& context, Framework const& torch, Verdicts const& verdicts) {
    auto const& hip = *torch.hip_version;
    auto const all = gfx_targets_of(compute_cards(context));
    for (auto const& target : all) {
        auto const first = first_release_after(context, target, hip);
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
            advise_build(context, gfx_targets_of(compute_cards(context)), finding);
        } else verdicts.have(framework.hip_version, "HIP version of torch");
    }
    if (!judged) verdicts.skip("torch is not installed in the active environment");
}

/// "2.5" of "2.5.1": patch releases of a framework are built for the same targets.
std::string_view branch_of(std::string_view version) {
    auto const dot = version.find('.');
    return version.substr(0, version.find('.', dot == version.npos ? dot : dot + 1));
}

/// The published wheel that a package is by its version: "2.5.1+rocm6.2" is what PyTorch's own are
/// called. Null where nothing is recorded of it, and where targets are chosen when it is installed.
PublishedBuild const* wheel_of(CheckContext const& context, Framework const& framework) {
    constexpr std::string_view mark = "+rocm";
    auto const version = framework.version.value_or("");
    auto const plus = version.find(mark);
    if (plus == version.npos) return nullptr;
    auto const rocm = version.substr(plus + mark.size());
    auto const& data = builds_of(context);
    auto const is_it = [&](PublishedBuild const& build) {
        auto const channel = data.channels.find(build.channel);
        return build.framework == framework.name && build.rocm == rocm && build.targets &&
               branch_of(build.version) == branch_of(version) && channel != data.channels.end() &&
               channel->second.kind == ChannelKind::wheel_index && !channel->second.extras;
    };
    auto const found = std::ranges::find_if(data.builds, is_it);
    return found == data.builds.end() ? nullptr : &*found;
}

/// Targets that a package has code for, by its files, else by what is published of it.
struct KnownTargets {
    std::vector<std::string> targets = {};
    std::map<std::string, std::string> partial = {};
    Evidence evidence = {};
    std::string limit = {};  ///< why others may be there, too; empty: these are all
};

std::optional<KnownTargets> known_targets(CheckContext const& context, Framework const& framework) {
    auto const& own = framework.gfx_targets;
    if (own && !own->empty()) return KnownTargets{*own, {}, evidence(own), own.limit()};
    if (auto const* wheel = wheel_of(context, framework))
        return KnownTargets{*wheel->targets,
                            wheel->partial,
                            {fmt::format("builds: {}", wheel->id), fact_text(*wheel->targets)},
                            {}};
    return std::nullopt;
}

void judge_targets(CheckContext const& context, Framework const& framework,
                   KnownTargets const& known, Verdicts const& verdicts) {
    for (auto const* card : compute_cards(context)) {
        auto const& target = *card->gpu->gfx_target;
        auto const at = verdicts.about(card->subject);
        if (auto const partial = known.partial.find(target); partial != known.partial.end()) {
            at.skip(fmt::format("{} has code for {}: {}", framework.name, target, partial->second));
            continue;
        }
        if (has_code_for(context, known.targets, target)) {
            at.pass(fmt::format("{} has code for {}", framework.name, target));
            continue;
        }
        if (!known.limit.empty()) {
            at.skip(fmt::format("whether {} has code for {} cannot be told: {}", framework.name,
                                target, known.limit));
            continue;
        }
        // Under an override programs choose the code of another target.
        auto& finding = at.give(gfx_overrides(context.host).empty() ? Verdict::fail : Verdict::info,
                                fmt::format("{} {} has no code for {}", framework.name,
                                            framework.version.value_or("?"), target),
                                {known.evidence});
        if (framework.name == "torch") advise_build(context, {target}, finding);
    }
}

void judge_framework_targets(CheckContext const& context, Verdicts const& verdicts) {
    auto const& frameworks = context.host.frameworks;
    if (!verdicts.have(frameworks, "Python packages")) return;
    bool judged = false;
    for (auto const& framework : *frameworks)
        if (auto const known = known_targets(context, framework)) {
            judged = true;
            judge_targets(context, framework, *known, verdicts);
        }
    if (!judged) verdicts.skip("of no package it is known which targets it has code for");
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
constexpr Check frameworks_rows[] = {
    {"RT3711", "framework-build", "frameworks", quick, false, anywhere, judge_framework_build},
    {"RT3712", "framework-targets", "frameworks", quick, false, anywhere, judge_framework_targets},
    {"RT3721", "masks", "environment", quick, false, anywhere, judge_masks},
    {"RT3722", "debug-variables", "environment", quick, false, anywhere, judge_debug_variables},
};
// clang-format on

}  // namespace

TorchAdvice torch_for(CheckContext const& context, std::vector<std::string> const& targets) {
    TorchAdvice advice;
    if (targets.empty()) return advice;
    for (auto const& target : targets)
        for (auto& one : evidence_for(context, target)) advice.evidence.push_back(std::move(one));
    auto const names = fmt::format("{}", fmt::join(targets, " "));
    if (framework_of(context.host, "vllm") != nullptr) {
        advice.step = fmt::format(
            "rocmtune builds vllm {}   # the vllm here is built against its own torch", names);
        return advice;
    }
    auto const build = pip_build("torch", targets, context);
    advice.step = build ? one_line(*build)
                        : fmt::format(
                              "rocmtune builds torch {}   # says what is left: no build "
                              "that pip installs can be proposed here",
                              names);
    return advice;
}

std::string first_release_after(CheckContext const& context, std::string const& target,
                                std::string_view release) {
    auto const* const range = main_list(context.chips, target);
    if (range == nullptr || !is_before(release, range->since)) return {};
    // Wheels have had code for targets years before AMD's main list named them.
    auto const& builds = builds_of(context).builds;
    bool const known = std::ranges::any_of(builds, [&](PublishedBuild const& build) {
        return build.framework == "torch" && has_code(build, target) &&
               !is_before(release, *build.rocm);
    });
    return known ? std::string() : std::string(range->since);
}

std::span<Check const> framework_checks() {
    return frameworks_rows;
}

}  // namespace rocmtune
