// SPDX-License-Identifier: MIT
#include "judge/checks/torch_builds.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/version.hpp"

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

}  // namespace rocmtune
