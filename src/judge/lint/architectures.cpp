// SPDX-License-Identifier: MIT
// What is for other GPUs than these, and what makes programs take a GPU for another one.
#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/host.hpp"
#include "base/text.hpp"
#include "judge/lint/judgement.hpp"
#include "knowledge/value_parsers.hpp"

namespace rocmtune {
namespace {

using std::string_view;

using Targets = std::vector<std::string>;

/// The targets of all GPUs, each once; empty if one of them is not known.
Targets targets_of(Host const* host) {
    Targets targets;
    if (host == nullptr) return targets;
    for (auto const& gpu : host->gpus) {
        if (!gpu.gfx_target) return {};
        if (std::ranges::find(targets, *gpu.gfx_target) == targets.end())
            targets.push_back(*gpu.gfx_target);
    }
    return targets;
}

/// "11.0.0" is gfx1100: major in decimal, the others one hexadecimal digit each.
std::optional<std::string> target_of_version(LintSubject const& subject) {
    auto const read = read_value(*subject.variable, subject.value());
    if (read.reading != Reading::valid) return std::nullopt;
    auto const parts = split(read.meaning, '.');
    if (parts.size() != 3) return std::nullopt;
    auto const minor = to_unsigned(parts[1], 10);
    auto const stepping = to_unsigned(parts[2], 10);
    if (!minor || !stepping || *minor > 15 || *stepping > 15) return std::nullopt;
    return fmt::format("gfx{}{:x}{:x}", parts[0], *minor, *stepping);
}

/// What the two last digits do not tell: the generation of the instruction set, gfx11 of gfx1100.
string_view generation(string_view target) {
    constexpr std::size_t digits = 2;
    return target.size() > digits ? target.substr(0, target.size() - digits) : target;
}

std::string risk_of(LintSubject const& subject, Targets const& targets) {
    for (auto const& target : targets) {
        auto const* chip = subject.context.chips.find_chip(target);
        if (chip == nullptr || chip->facts.gfx_override.risk.empty()) continue;
        auto const& advice = chip->facts.gfx_override;
        return advice.risk == "none-needed" ? fmt::format("; {} needs none", target)
                                            : fmt::format("; risk on {}: {}", target, advice.risk);
    }
    return {};
}

/// What to set in place of this override: the value that all of these GPUs need, empty where none
/// of them needs one. Nothing where they differ, or where it is not known.
std::optional<string_view> override_for(LintSubject const& subject, Targets const& targets) {
    std::optional<string_view> wanted;
    for (auto const& target : targets) {
        auto const* chip = subject.context.chips.find_chip(target);
        if (chip == nullptr) return std::nullopt;
        auto const& advice = chip->facts.gfx_override;
        auto const needed = advice.risk == "none-needed" ? string_view() : advice.value;
        bool const is_known =
            !advice.risk.empty() && (needed.empty() == (advice.risk == "none-needed"));
        if (!is_known || (wanted && *wanted != needed)) return std::nullopt;
        wanted = needed;
    }
    return wanted;
}

/// Computed for these GPUs: another override, or none.
void mend_override(LintSubject const& subject, Targets const& targets, Finding& finding) {
    auto const wanted = override_for(subject, targets);
    if (!wanted || *wanted == subject.value()) return;
    if (wanted->empty()) return mend_by(finding, Repair::Kind::remove);
    finding.setting->fix = fmt::format("{}={}", subject.name(), *wanted);
    mend_by(finding, Repair::Kind::set_value, std::string(*wanted));
}

/// True if no GPU here has the instruction set that the override asks for.
bool is_foreign(string_view wanted, Targets const& targets) {
    return std::ranges::none_of(targets, [&](std::string const& target) {
        return generation(target) == generation(wanted);
    });
}

bool begins_with_one(string_view target, std::span<string_view const> prefixes) {
    return std::ranges::any_of(prefixes, [&](string_view prefix) {
        // A text may name but the beginning of a target: gfx9.
        return target.starts_with(prefix) || prefix.starts_with(target);
    });
}

bool is_on(LintSubject const& subject) {
    return read_value(*subject.variable, subject.value()).meaning == "1";
}

struct Ability {
    string_view name;  ///< as `needs` of a variable has it
    bool (*may_have)(ChipFacts const& facts);
    string_view without;
};

constexpr Ability abilities[] = {
    {"xnack", [](ChipFacts const& facts) { return facts.xnack != "none"; },
     "these GPUs cannot retry page faults"},
    {"hipblaslt", [](ChipFacts const& facts) { return facts.hipblaslt.supported.value_or(true); },
     "hipBLASLt has no kernels for these GPUs"},
};

/// Why the setting is nothing for any of these GPUs; empty if it may be.
std::string why_unfit(LintSubject const& subject, Targets const& targets) {
    auto const& chips = subject.context.chips;
    auto const none = [&](auto fits) { return std::ranges::none_of(targets, fits); };
    for (auto const& ability : abilities)
        if (subject.variable->needs == ability.name && none([&](std::string const& target) {
                auto const* chip = chips.find_chip(target);
                return chip == nullptr || ability.may_have(chip->facts);
            }))
            return std::string(ability.without);
    auto const prefixes = subject.variable->gfx_prefixes;
    if (!prefixes.empty() &&
        none([&](std::string const& target) { return begins_with_one(target, prefixes); }))
        return "it is for other GPUs than these";
    return {};
}

/// Whether the setting stands under a condition that no GPU here meets.
bool is_for_others(LintSubject const& subject, Targets const& targets) {
    auto const& named = subject.assignment.for_gpus;
    return !named.empty() && !targets.empty() &&
           std::ranges::none_of(targets, [&](std::string const& target) {
               return std::ranges::any_of(
                   named, [&](std::string const& gpu) { return target.starts_with(gpu); });
           });
}

/// The GPUs that get a setting under a condition: as it names them, each once, or those of them
/// that are here.
Targets targets_under(LintSubject const& subject, Targets const& here) {
    Targets targets;
    for (auto const& gpu : subject.assignment.for_gpus) {
        if (here.empty() && std::ranges::find(targets, gpu) == targets.end())
            targets.push_back(gpu);
        std::ranges::copy_if(here, std::back_inserter(targets),
                             [&](std::string const& target) { return target.starts_with(gpu); });
    }
    return targets;
}

/// "gfx1031", "gfx103*"
std::string name_of(string_view gpu, ChipSet const& chips) {
    return std::string(gpu) + (chips.find_chip(gpu) == nullptr ? "*" : "");
}

/// An override that a condition sets for some GPUs alone. Their own number changes nothing.
void judge_override_for(LintSubject const& subject, Targets targets, string_view wanted,
                        LintFindings const& findings) {
    std::erase(targets, wanted);
    if (targets.empty()) return;
    std::vector<std::string> names;
    for (auto const& gpu : targets) names.push_back(name_of(gpu, subject.context.chips));
    auto& finding = findings.certain(
        gfx_override,
        fmt::format("programs take {} for {}; results may be wrong without an error{}",
                    fmt::join(names, " and "), wanted, risk_of(subject, targets)));
    finding.evidence = {{"catalogue", std::string(subject.variable->harm)}};
}

void judge_foreign_override(LintSubject const& subject, Targets const& targets,
                            LintFindings const& findings) {
    auto const wanted = targets.empty() ? std::nullopt : target_of_version(subject);
    if (!wanted || !is_foreign(*wanted, targets)) return;
    auto const whose = subject.context.some_gpus ? "chosen GPU" : "GPU here";
    mend_override(subject, targets,
                  findings.certain(wrong_architecture,
                                   fmt::format("no {} runs code for {}: they are {}", whose,
                                               *wanted, fmt::join(targets, ", "))));
}

/// gfx90a of "mi250". A card that the profiles do not have may be any.
Targets targets_of_card(string_view card, ChipSet const& chips) {
    Targets targets;
    for (auto const& chip : chips.all_chips())
        if (std::ranges::any_of(chip.products, [&](Product const& product) {
                return lower(product.name).find(card) != std::string::npos;
            }))
            targets.emplace_back(chip.gfx_target);
    return targets.empty() ? Targets{"gfx"} : targets;
}

Targets stated_targets(LintContext const& context) {
    Targets targets;
    for (auto const& gpu : context.gpus)
        if (gpu.starts_with("gfx")) targets.push_back(gpu);
        else std::ranges::move(targets_of_card(gpu, context.chips), std::back_inserter(targets));
    return targets;
}

/// Without a host the GPUs that a condition names, or else those that the text is for. The latter
/// may be few of those that get the setting.
void judge_for_named(LintSubject const& subject, LintFindings const& findings) {
    auto const& variable = *subject.variable;
    if (variable.needs.empty() && variable.gfx_prefixes.empty()) return;
    auto const& under = subject.assignment.for_gpus;
    auto const named = under.empty() ? stated_targets(subject.context) : under;
    auto const why = named.empty() ? std::string() : why_unfit(subject, named);
    if (why.empty()) return;
    auto& finding =
        findings.add(!under.empty(), wrong_architecture,
                     fmt::format("without effect on {}: {}", fmt::join(named, ", "), why));
    if (under.empty())
        finding.evidence = {{"text", fmt::format("it is for {}", fmt::join(named, ", "))}};
    else mend_by(finding, Repair::Kind::remove);
}

}  // namespace

void judge_override(LintSubject const& subject, LintFindings const& findings) {
    if (subject.variable == nullptr || !is_gfx_override(subject.name())) return;
    if (!subject.has_value())
        return void(findings.note(gfx_override, "sets the GPU's architecture", ""));
    if (subject.value().empty()) return;
    auto const targets = targets_of(subject.context.host);
    if (is_for_others(subject, targets)) return;
    auto const wanted = target_of_version(subject);
    if (wanted && !subject.assignment.for_gpus.empty())
        return judge_override_for(subject, targets_under(subject, targets), *wanted, findings);
    if (wanted && targets == Targets{*wanted})
        return void(findings.note(gfx_override, "the number that the GPU here has without it"));
    auto const& assignment = subject.assignment;
    // A trial that shows what an override does.
    bool const is_trial = assignment.one_command && looks_for_faults(assignment.file);
    auto& finding = findings.add(
        !is_trial, gfx_override,
        fmt::format(
            "programs take the GPU for another one; results may be wrong without an error{}",
            risk_of(subject, targets)));
    finding.evidence = {{"catalogue", std::string(subject.variable->harm)}};
    mend_override(subject, targets, finding);
}

void judge_architecture(LintSubject const& subject, LintFindings const& findings) {
    if (subject.variable == nullptr || !subject.has_value()) return;
    auto const targets = targets_of(subject.context.host);
    if (is_for_others(subject, targets)) return;
    if (is_gfx_override(subject.name())) return judge_foreign_override(subject, targets, findings);
    if (!is_on(subject)) return;
    if (targets.empty()) return judge_for_named(subject, findings);
    auto const why = why_unfit(subject, targets);
    if (!why.empty())
        mend_by(findings.certain(wrong_architecture, fmt::format("without effect on {}: {}",
                                                                 fmt::join(targets, ", "), why)),
                Repair::Kind::remove);
}

}  // namespace rocmtune
