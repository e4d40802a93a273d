// SPDX-License-Identifier: MIT
// Conditions of profiles: {"all": [...]}, {"any": [...]}, {"not": ...} over leaves such as
// {"field": "gfx_target", "in": [...]}, {"package": "torch", "at_least": "2.4"},
// {"package_hip": "torch", ...}, {"version": "rocm", "below": "6.2"}, {"installed": "librccl"},
// {"count": "gpus", "where": {...}, "at_least": 2}. Those of causes also speak of the text that is
// diagnosed: {"line": "RE2"}, {"said": "gfx", "among": "gpus.gfx_target"}, {"said": "gfx", "is":
// ...}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "codec/json_node.hpp"
#include "knowledge/profile_parser.hpp"
#include "knowledge/rule.hpp"

namespace rocmtune {

/// Most nodes of one condition.
inline constexpr std::size_t max_condition_nodes = 100;

/// Whether a condition may speak of a text beside the facts of a host.
enum class OfText : bool { no, yes };

/// The nodes of a condition, parents first. Throws ProfileError for an unknown word, a comparison
/// that the type of a fact does not have, an operand of another type, and more nodes than allowed.
std::vector<Condition> parse_condition(JsonNode const& node, StringPool& pool,
                                       OfText of_text = OfText::no);

/// The same of a list of conditions which all must hold.
std::vector<Condition> parse_conditions(JsonNode const& list, StringPool& pool, OfText of_text);

/// Whether the condition asks about a GPU, other than by counting.
bool asks_about_gpu(std::span<Condition const> condition);

enum class FieldType : std::uint8_t {
    text,
    number,  ///< a whole number
    real,
    flag,
    names,    ///< a list of texts
    map,      ///< entries by name
    records,  ///< a list of records, or one record
};

struct FieldWord {
    bool of_gpu = false;  ///< of Gpu, else of Host
    FieldType type = FieldType::text;
    bool operator==(FieldWord const&) const = default;
};

/// The fact of this key, or nothing if neither Gpu nor Host has it.
std::optional<FieldWord> find_field(std::string_view key);

}  // namespace rocmtune
