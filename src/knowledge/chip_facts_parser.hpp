// SPDX-License-Identifier: MIT
// The keys of a profile that describe the hardware and its software support.
#pragma once

#include "knowledge/json_node.hpp"
#include "knowledge/profile_parser.hpp"

namespace rocmtune {

/// Throws ProfileError.
ParsedFacts parse_chip_facts(JsonNode const& root, StringPool& pool);

}  // namespace rocmtune
