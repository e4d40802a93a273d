// SPDX-License-Identifier: MIT
// explain RTnnnn: what a finding means, and whether this host has it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cli/arguments.hpp"
#include "rocmtune/explanation.hpp"

namespace rocmtune {

/// True for RT and four digits, known or not; upper and lower case count as equal.
bool is_finding_id(std::string_view name);

/// The explanation of a finding's id, with what the host of --root or --replay says to it; nothing
/// for an id that is not known.
std::optional<Explanation> explain_finding(std::string_view name, Arguments const& arguments);

/// Known ids like an unknown one.
std::vector<std::string_view> near_findings(std::string_view name);

}  // namespace rocmtune
