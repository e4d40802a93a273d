// SPDX-License-Identifier: MIT
#include "checks/torch_builds.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "base/version.hpp"

namespace rocmtune {
namespace {

struct TorchBuild {
    std::string_view rocm;  ///< of the index https://download.pytorch.org/whl/rocmN
    std::span<std::string_view const> targets;
};

// PYTORCH_ROCM_ARCH in PyTorch's .ci/docker/manywheel/build.sh, and the releases that
// .github/scripts/generate_binary_build_matrix.py has built for. The wheels up to 7.2 also have
// code for gfx900 and gfx906, but from 6.4 on rocBLAS is reported to lack their matrix products:
// for those two 6.3 is the last that counts.
constexpr std::array<std::string_view, 8> in_6_3{"gfx900", "gfx906",  "gfx908",  "gfx90a",
                                                 "gfx942", "gfx1030", "gfx1100", "gfx1101"};
constexpr std::array<std::string_view, 9> in_6_4{
    "gfx908", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1101", "gfx1102", "gfx1200", "gfx1201"};
constexpr std::array<std::string_view, 12> in_7{"gfx908",  "gfx90a",  "gfx942",  "gfx950",
                                                "gfx1030", "gfx1100", "gfx1101", "gfx1102",
                                                "gfx1150", "gfx1151", "gfx1200", "gfx1201"};

/// Newest first.
constexpr std::array builds{TorchBuild{"7.1", in_7}, TorchBuild{"7.0", in_7},
                            TorchBuild{"6.4", in_6_4}, TorchBuild{"6.3", in_6_3}};

bool is_before(std::string_view a, std::string_view b) {
    auto const order = compare_versions(a, b);
    return order && *order < 0;
}

bool has_code(TorchBuild const& build, std::string const& target) {
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
bool lists(ChipSet const& chips, TorchBuild const& build, std::string const& target) {
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
    for (auto const& build : builds)
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
    auto const all_have = [&](TorchBuild const& build, auto const& fits) {
        return std::ranges::all_of(targets,
                                   [&](auto const& target) { return fits(build, target); });
    };
    TorchBuild const* best = nullptr;
    for (auto const& build : builds) {
        if (targets.empty() || !all_have(build, has_code)) continue;
        if (best == nullptr) best = &build;
        auto const listed = [&](TorchBuild const& one, std::string const& target) {
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
    bool const older = range != nullptr && is_before(release, range->since);
    return older ? std::string(range->since) : std::string();
}

}  // namespace rocmtune
