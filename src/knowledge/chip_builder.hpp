// SPDX-License-Identifier: MIT
// From profiles to what look-ups need: layering, inheritance, and checks across files.
#pragma once

#include <compare>
#include <memory>
#include <vector>

#include "knowledge/chips.hpp"

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

}  // namespace rocmtune
