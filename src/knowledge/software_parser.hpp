// SPDX-License-Identifier: MIT
// What a profile says of software: wheels of PyTorch, variables for debugging.
#pragma once

#include <vector>

#include "knowledge/json_node.hpp"
#include "knowledge/profile_parser.hpp"

namespace rocmtune {

/// Most entries of one of these lists of a profile.
inline constexpr std::size_t max_software = 500;

/// Whether two wheels are builds for one release: 7.0 is 7.0.0.
bool is_same(TorchWheel const& one, TorchWheel const& other);

/// Whether they are one variable.
bool is_same(DebugVariable const& one, DebugVariable const& other);

// The lists under the root. Each throws ProfileError, also for a release or a name that stands
// twice in the file.
std::vector<Cited<TorchWheel>> parse_wheels(JsonNode const& root, StringPool& pool);
std::vector<Cited<DebugVariable>> parse_debug_variables(JsonNode const& root, StringPool& pool);

}  // namespace rocmtune
