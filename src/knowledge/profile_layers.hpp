// SPDX-License-Identifier: MIT
// Profiles before they become tables: files laid over each other, and chains of parents.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "knowledge/profile_parser.hpp"

namespace rocmtune {

/// A profile and where it stood in the list of files: on a conflict the later file is at fault.
struct Layered {
    ParsedProfile profile;
    std::size_t layer = 0;
};

using Profiles = std::map<std::string_view, Layered>;  // by name
using Chain = std::vector<ParsedProfile const*>;       // the profile itself first, its root last

/// Parses all files, lowest precedence first; a later one replaces, or adds to, one of its name.
Profiles parse_layers(std::vector<ProfileView> const& files, StringPool& pool);

/// A profile and its parents. Throws ProfileError for an unknown parent and for a circle.
Chain chain_of(ParsedProfile const& profile, Profiles const& profiles);

/// The value of the nearest profile that states one; a stated null ends the search.
template <class T>
std::optional<T> resolve(Chain const& chain, Stated<T> ParsedProfile::*member) {
    for (auto const* profile : chain) {
        if (auto const& stated = profile->*member) {
            return *stated;
        }
    }
    return std::nullopt;
}

template <class T>
std::optional<T> resolve(Chain const& chain, Stated<T> ParsedFacts::*member) {
    for (auto const* profile : chain) {
        if (auto const& stated = profile->facts.*member) {
            return *stated;
        }
    }
    return std::nullopt;
}

/// The facts of the hardware, without expectations, which are not inherited.
ChipFacts resolve_facts(Chain const& chain);

}  // namespace rocmtune
