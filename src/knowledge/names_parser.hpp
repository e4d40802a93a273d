// SPDX-License-Identifier: MIT
// profiles/names.json, checked and made into tables. Used at build and at run time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "knowledge/chips.hpp"
#include "knowledge/known_names.hpp"
#include "knowledge/profile_parser.hpp"

namespace rocmtune {

/// The storage behind KnownNames that were read at run time, and what compile_names prints.
/// Not movable once filled.
struct OwnedNames {
    StringPool strings;  ///< behind components, families and the date
    std::string pool;    ///< behind everything else
    std::vector<NameEntry> names;
    std::vector<ReaderEntry> readers;
    std::vector<Component> components;
    std::vector<NameFamily> families;
    std::string_view date;

    OwnedNames() = default;
    OwnedNames(OwnedNames const&) = delete;
    OwnedNames& operator=(OwnedNames const&) = delete;

    NameTables view() const { return {pool, names, readers, components, families, date}; }
};

/// Reads one file as profiles/schema/names.schema.json describes it. Throws ProfileError.
std::shared_ptr<OwnedNames const> parse_names(ProfileView const& file);

}  // namespace rocmtune
