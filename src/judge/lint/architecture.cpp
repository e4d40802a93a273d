// SPDX-License-Identifier: MIT
// Settings against the GPUs of a host: overrides of the target, and what these GPUs do not have.
#include <algorithm>
#include <charconv>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "base/text.hpp"
#include "host/environment.hpp"
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

/// True if no GPU here has the instruction set that the override asks for.
bool is_foreign(string_view wanted, Targets const& targets) {
    return std::ranges::none_of(targets, [&](std::string const& target) {
        return generation(target) == generation(wanted);
    });
}

bool begins_with_one(string_view target, std::span<string_view const> prefixes) {
    return std::ranges::any_of(prefixes,
                               [&](string_view prefix) { return target.starts_with(prefix); });
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

}  // namespace

void judge_override(LintSubject const& subject, LintFindings& findings) {
    if (subject.variable == nullptr || !is_gfx_override(subject.name())) return;
    if (!subject.has_value() || subject.value().empty()) {
        if (!subject.has_value())
            findings.add(gfx_override, Certainty::note, subject, "sets the GPU's architecture", "");
        return;
    }
    auto const targets = targets_of(subject.context.host);
    findings
        .add(gfx_override, Certainty::certain, subject,
             fmt::format("programs take the GPU for another one; results may be wrong without an "
                         "error{}",
                         risk_of(subject, targets)),
             removal(subject.name()))
        .evidence = {{"catalogue", std::string(subject.variable->harm)}};
}

void judge_architecture(LintSubject const& subject, LintFindings& findings) {
    auto const targets = targets_of(subject.context.host);
    if (subject.variable == nullptr || !subject.has_value() || targets.empty()) return;
    if (is_gfx_override(subject.name())) {
        auto const wanted = target_of_version(subject);
        if (wanted && is_foreign(*wanted, targets))
            findings.add(wrong_architecture, Certainty::certain, subject,
                         fmt::format("no {} runs code for {}: they are {}",
                                     subject.context.some_gpus ? "chosen GPU" : "GPU here", *wanted,
                                     fmt::join(targets, ", ")),
                         removal(subject.name()));
        return;
    }
    if (!is_on(subject)) return;
    auto const why = why_unfit(subject, targets);
    if (!why.empty())
        findings.add(wrong_architecture, Certainty::certain, subject,
                     fmt::format("without effect on {}: {}", fmt::join(targets, ", "), why),
                     removal(subject.name()));
}

}  // namespace rocmtune
