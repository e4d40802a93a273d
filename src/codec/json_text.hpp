// SPDX-License-Identifier: MIT
// JSON of others: the library parses it without recursion, but copies and writes it with one call
// for each level. A kilobyte of brackets, packed, would exhaust the stack.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

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

/// The library's message without its own prefix "[json.exception...] ", and without what it quotes:
/// a file may be one that its reader could not see otherwise.
inline std::string_view plain_json_error(std::string_view what) {
    constexpr std::string_view end_of_prefix = "] ";
    auto const end = what.find(end_of_prefix);
    auto const message = end == what.npos ? what : what.substr(end + end_of_prefix.size());
    auto const quote = std::min(message.find("; last read: "), message.find(" parsing '"));
    return message.substr(0, quote);
}

/// The last part of it, without place and grammar: "unexpected ','; expected string literal".
inline std::string_view json_mistake(std::string_view what) {
    constexpr std::string_view end_of_place = " - ";
    auto const message = plain_json_error(what);
    auto const end = message.find(end_of_place);
    return end == message.npos ? message : message.substr(end + end_of_place.size());
}

/// Parses `text` into `document`. What is wrong with it, with line and column; empty if nothing is.
template <class Json>
std::string parse_json(std::string_view text, Json& document) try {
    document = Json::parse(text);
    return {};
} catch (typename Json::exception const& error) {
    return std::string(plain_json_error(error.what()));
}

/// The text member of this key; empty if there is none, or if it is no text.
template <class Json>
std::string text_member(Json const& object, char const* key) {
    auto const found = object.find(key);
    return found != object.end() && found->is_string() ? found->template get<std::string>()
                                                       : std::string();
}

/// A member of an object as it is written: the key with its quotes, the value without white space
/// around it.
struct WrittenMember {
    std::string_view key;
    std::string_view value;
};

/// The members of an object in their order. Looks for quotes and brackets alone, which is several
/// times quicker than reading: the text must be known to be a JSON object.
std::vector<WrittenMember> written_members(std::string_view object);

/// The same; the members of the object that stands under `key`, as it is written, are found in the
/// same pass.
std::vector<WrittenMember> written_members(std::string_view object, std::string_view key,
                                           std::vector<WrittenMember>& of_key);

}  // namespace rocmtune
