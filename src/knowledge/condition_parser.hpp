// SPDX-License-Identifier: MIT
// Conditions of profiles: {"all": [...]}, {"any": [...]}, {"not": ...} over leaves such as
// {"field": "gfx_target", "in": [...]}, {"package": "torch", "at_least": "2.4"},
// {"package_hip": "torch", ...}, {"version": "rocm", "below": "6.2"}, {"installed": "librccl"},
// {"count": "gpus", "where": {...}, "at_least": 2}.
#pragma once

#include <cstddef>
#include <vector>

#include "knowledge/json_node.hpp"
#include "knowledge/profile_parser.hpp"
#include "knowledge/rule.hpp"

namespace rocmtune {

/// Most nodes of one condition.
inline constexpr std::size_t max_condition_nodes = 100;

/// The nodes of a condition, parents first. Throws ProfileError for an unknown word, a comparison
/// that the type of a fact does not have, an operand of another type, and more nodes than allowed.
std::vector<Condition> parse_condition(JsonNode const& node, StringPool& pool);

/// Whether the condition asks about a GPU, other than by counting.
bool asks_about_gpu(std::span<Condition const> condition);

}  // namespace rocmtune
