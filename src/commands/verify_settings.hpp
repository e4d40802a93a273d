// SPDX-License-Identifier: MIT
// Which settings `rocmtune verify` is to measure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "commands/commands.hpp"
#include "judge/verify/experiment.hpp"
#include "knowledge/catalogue.hpp"
#include "rocmtune/recommendation.hpp"

namespace rocmtune {

/// Settings that are measured by one benchmark, and what they are compared with.
struct SettingGroup {
    std::string benchmark;  ///< row of the benchmark table; "command" for one of the user
    std::vector<EnvironmentChange> baseline;  ///< from the environment of this process
    /// One for each setting, and one for all together if there are several.
    std::vector<verify::Candidate> candidates;
};

/// What is chosen in the benchmark and not by the environment: names of changes that no variable
/// can have.
inline constexpr std::string_view precision_choice = ":precision";
inline constexpr std::string_view library_choice = ":library";
/// Words before a command.
inline constexpr std::string_view launch_choice = ":launch";

/// The metric ("fp32-rocblas") with what changes choose of it.
std::string chosen_metric(std::string const& metric, std::span<EnvironmentChange const> changes);

/// The settings of --setting, --unset and --env-file, each name once.
/// @throws Error for what is no setting.
std::vector<EnvironmentChange> named_settings(VerifyCommand const& options);

/// The groups of settings that were named.
std::vector<SettingGroup> groups_of(std::vector<EnvironmentChange> const& settings,
                                    VerifyCommand const& options, Catalogue const& catalogue);

/// The groups of what env recommends and a benchmark can prove; none if there is nothing.
std::vector<SettingGroup> groups_of(Advice const& advice, VerifyCommand const& options,
                                    Catalogue const& catalogue);

/// The group of --self-test.
SettingGroup self_test_group(VerifyCommand const& options);

}  // namespace rocmtune
