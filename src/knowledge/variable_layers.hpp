// SPDX-License-Identifier: MIT
// Variables before they become tables: files laid over each other, references still by name.
#pragma once

#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "knowledge/variables_parser.hpp"

namespace rocmtune {

/// A variable and which layer it is from: 0 is the tables below, then the files. On a conflict the
/// later layer is at fault.
struct LayeredVariable {
    ParsedVariable parsed;
    std::vector<std::size_t> sources;  ///< places in VariableLayers::sources
    std::size_t layer = 0;
};

struct VariableLayers {
    std::map<std::string_view, Component> components;       // by id
    std::vector<Citation> sources;                          // of all layers
    std::map<std::string_view, LayeredVariable> variables;  // by name
    std::string_view date;  ///< of the oldest layer that still says something
};

/// Throws ProfileError: a file that cannot be read, a name or a component twice in one file, a
/// source that no bibliography explains, an unknown component.
VariableLayers layer_variables(CatalogueTables const& base, std::vector<ProfileView> const& files,
                               StringPool& pool);

}  // namespace rocmtune
