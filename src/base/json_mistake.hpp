// SPDX-License-Identifier: MIT
// What the JSON library says of a text that is none, as a user can use it. Header only, so that
// whoever reads JSON needs no other part of this folder.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace rocmtune {

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

}  // namespace rocmtune
