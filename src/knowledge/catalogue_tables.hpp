// SPDX-License-Identifier: MIT
// From files of variables to look-up tables: layering, references, checks across objects.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "knowledge/catalogue.hpp"
#include "knowledge/profile_parser.hpp"

namespace rocmtune {

/// The storage behind a Catalogue that was made at run time, and what compile_variables prints.
/// Not movable once filled: the tables point into each other.
struct OwnedCatalogue {
    StringPool pool;
    std::vector<Citation> sources;
    std::vector<Component> components;
    /// Lists of all variables, one after the other, in the order of the variables.
    std::vector<std::string_view> words, gfx_prefixes, aliases;
    std::vector<FormerDefault> former_defaults;
    std::vector<JudgedValue> judged_values;
    std::vector<Contradiction> contradictions;
    std::vector<Component const*> readers;
    std::vector<Citation const*> variable_sources;
    std::vector<Variable> variables;
    std::vector<Alias> alias_table;
    std::string_view date;

    OwnedCatalogue() = default;
    OwnedCatalogue(OwnedCatalogue const&) = delete;
    OwnedCatalogue& operator=(OwnedCatalogue const&) = delete;

    CatalogueTables view() const { return {variables, alias_table, components, sources, date}; }
};

/// Lays files of variables over tables (which may be empty and must outlive the result), lowest
/// precedence first; see with_overrides for the rules. Throws ProfileError.
std::shared_ptr<OwnedCatalogue> build_catalogue(CatalogueTables const& base,
                                                std::vector<ProfileView> const& files);

}  // namespace rocmtune
