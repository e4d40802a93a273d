// SPDX-License-Identifier: MIT
// Reading documents of others, for whichever of the library's JSON types.
#pragma once

#include <string>

namespace rocmtune {

/// The text member of this key; empty if there is none, or if it is no text.
template <class Json>
std::string text_member(Json const& object, char const* key) {
    auto const found = object.find(key);
    return found != object.end() && found->is_string() ? found->template get<std::string>()
                                                       : std::string();
}

}  // namespace rocmtune
