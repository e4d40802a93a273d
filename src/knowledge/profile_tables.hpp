// SPDX-License-Identifier: MIT
// From profile texts to look-up tables: layering, inheritance, and checks across files.
#pragma once

#include <compare>
#include <deque>
#include <memory>
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

/// The storage behind a ChipSet that was made at run time, and what compile_profiles prints.
/// Not movable once filled: the tables point into each other.
struct OwnedTables {
    StringPool pool;
    std::deque<Citation> sources;
    std::vector<Citation const*> chip_sources;  ///< lists of all chips, one after the other
    std::vector<Product> products;              ///< in the order of the chips
    std::vector<Chip> chips;
    std::vector<PciName> names;
    std::vector<PciTarget> targets;
    std::vector<Chip> family_chips;
    std::vector<FamilyPrefix> families;
    std::vector<Rule> rules;
    std::vector<TorchWheel> wheels;
    std::vector<DebugVariable> debug_variables;
    std::vector<ProfileView> profiles;

    OwnedTables() = default;
    OwnedTables(OwnedTables const&) = delete;
    OwnedTables& operator=(OwnedTables const&) = delete;

    ChipTables view() const {
        return {chips, names, targets, families, rules, wheels, debug_variables, profiles};
    }
};

/// Builds the tables of profiles given lowest precedence first; see with_overrides for the rules.
/// Throws ProfileError: a wrong file, an unknown parent or source, a circle of parents, a target, a
/// device, a (device, revision), a prefix of targets, the id of a recommendation, the release of
/// a wheel or a variable for debugging that two profiles claim (both are named).
std::shared_ptr<OwnedTables const> build_tables(std::vector<ProfileView> const& profiles);

}  // namespace rocmtune
