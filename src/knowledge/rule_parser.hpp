// SPDX-License-Identifier: MIT
// The recommendations of a profile.
#pragma once

#include <vector>

#include "knowledge/json_node.hpp"
#include "knowledge/profile_parser.hpp"

namespace rocmtune {

/// Most recommendations of one profile.
inline constexpr std::size_t max_rules = 500;

/// The recommendations under the root; `profile` is what is known of it so far. Throws
/// ProfileError, also for an id that stands twice in the file.
std::vector<ParsedRule> parse_rules(JsonNode const& root, ParsedProfile const& profile,
                                    StringPool& pool);

}  // namespace rocmtune
