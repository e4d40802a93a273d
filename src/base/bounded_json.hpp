// SPDX-License-Identifier: MIT
// JSON of others: the library parses it without recursion, but copies and writes it with one call
// for each level. A kilobyte of brackets, packed, would exhaust the stack.
#pragma once

#include <cstddef>
#include <string_view>

namespace rocmtune {

/// Our own documents stay below ten.
inline constexpr std::size_t most_json_levels = 64;

/// Whether objects and lists of a JSON text stand in each other more than `levels` deep. What comes
/// behind the first mistake of a text that is no JSON does not matter: no parser gets there.
bool nests_deeper(std::string_view text, std::size_t levels = most_json_levels);

/// The document, for whichever of the library's JSON types; discarded if the text is no JSON or
/// nests deeper.
template <class Json>
Json parse_bounded(std::string_view text, std::size_t levels = most_json_levels) {
    if (nests_deeper(text, levels)) return Json(Json::value_t::discarded);
    return Json::parse(text, nullptr, false);
}

}  // namespace rocmtune
