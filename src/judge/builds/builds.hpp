// SPDX-License-Identifier: MIT
// Judgement: which published builds have code for gfx targets, which of them a host can run, and
// how each is installed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/builds_data.hpp"
#include "knowledge/chips.hpp"
#include "rocmtune/build.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

/// Values of --with.
inline constexpr std::array<std::string_view, 6> installer_words{"pip",    "uv",  "docker",
                                                                 "podman", "apt", "dnf"};

/// What somebody wants to have a build for.
struct BuildsQuestion {
    std::vector<std::string> frameworks = {};  ///< of BuildsData::frameworks
    std::vector<std::string> targets = {};     ///< at least one; code for all of them is needed
    std::string installer = {};                ///< of installer_words; empty: the best
    std::optional<std::string> python = {};    ///< "3.12"; absent: that of the host
    std::optional<std::string> glibc = {};     ///< of the host
    Host const* host = nullptr;                ///< null: nothing is known of a host
};

/// The targets of these rows, each once; without rows of all GPUs that compute, those of processors
/// only where there is no card: they are no reason against a build for the card.
std::vector<std::string> targets_of(Host const& host, std::vector<std::uint64_t> const& rows);

/// The version of the active Python environment, by the name of its folder of packages: "3.12".
std::optional<std::string> python_of(Host const& host);

/// The answers for each framework in turn, the best first. A framework without a command that can
/// be pasted ends with why there is none, or that it is not recorded.
std::vector<Build> builds_for(BuildsQuestion const& question, BuildsData const& data,
                              ChipSet const& chips);

/// The targets as Spack, CMake and others take them.
std::vector<TargetValue> target_values(std::vector<std::string> const& targets,
                                       BuildsData const& data);

/// Whether a build of the data, a reason why there is none, or a profile names this target.
bool is_known_target(std::string_view target, BuildsData const& data, ChipSet const& chips);

}  // namespace rocmtune
