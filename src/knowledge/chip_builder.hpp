// SPDX-License-Identifier: MIT
// From profiles to what look-ups need: files laid over each other, chains of parents, and checks
// across files.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "knowledge/chips.hpp"
#include "knowledge/profile_parser.hpp"

namespace rocmtune {

/// The order of the table of names: an entry for every revision stands before the revisions.
struct PciKey {
    std::uint16_t device;
    std::optional<std::uint8_t> revision;
    auto operator<=>(PciKey const&) const = default;
};

inline PciKey pci_key(PciName const& name) {
    return {name.device, name.revision};
}

/// Joins profiles, which are given lowest precedence first; see with_overrides for the rules.
/// Throws ProfileError: a wrong file, an unknown parent or source, a circle of parents, a target, a
/// device, a (device, revision), a prefix of targets, the id of a recommendation, the release of
/// a wheel or a variable for debugging that two profiles claim (both are named).
std::shared_ptr<ChipData const> join_profiles(std::vector<ProfileView> const& profiles);

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
