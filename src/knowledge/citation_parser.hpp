// SPDX-License-Identifier: MIT
// Keys that more than one kind of data file has: sources, optional texts, words, dates.
#pragma once

#include <string_view>
#include <vector>

#include "knowledge/chips.hpp"
#include "knowledge/json_node.hpp"
#include "knowledge/profile_parser.hpp"

namespace rocmtune {

/// The text under a key; empty if the key is not there or null.
std::string_view text_or_empty(JsonNode const& parent, std::string_view key);

/// The texts of a list with blanks between them; empty if the key is not there. Throws ProfileError
/// for a text with a blank.
std::string_view joined_words(JsonNode const& parent, std::string_view key, StringPool& pool);

/// A source of a bibliography, without its id.
Citation parse_citation(JsonNode const& node);

/// A list of ids that a bibliography explains. Throws ProfileError with `if_none` for an empty one.
std::vector<ParsedSource> parse_source_ids(JsonNode const& list, std::string_view if_none);

/// "2026", "2026-08" or "2026-08-31", of the shortest length at least. Throws ProfileError.
std::string_view parse_date(JsonNode const& node, std::size_t shortest);

/// Throws unless the version begins with "1.".
void expect_version_1(JsonNode const& root, std::string_view what);

}  // namespace rocmtune
