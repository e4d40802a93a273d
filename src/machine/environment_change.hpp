// SPDX-License-Identifier: MIT
// The environment that a process starts with, where it differs from ours.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rocmtune {

/// A variable that is to be set or cleared.
struct EnvironmentChange {
    std::string name;
    std::optional<std::string> value;  ///< absent: the variable is cleared

    bool operator==(EnvironmentChange const&) const = default;
};

/// `environment` (as environ; null: empty) with the changes, as lines NAME=VALUE; of two changes of
/// one name the last counts.
std::vector<std::string> changed_environment(char const* const* environment,
                                             std::span<EnvironmentChange const> changes);

/// As exec takes them. The lines must outlive the result.
std::vector<char*> pointers_to(std::vector<std::string>& lines);

}  // namespace rocmtune
