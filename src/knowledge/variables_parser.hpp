// SPDX-License-Identifier: MIT
// One file of variables, checked and taken apart, before it is laid over others.
#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "codec/json_node.hpp"
#include "knowledge/catalogue.hpp"

namespace rocmtune {

/// A variable whose readers and sources still are ids.
struct ParsedVariable {
    Variable variable;
    std::vector<std::string_view> readers, sources;
    JsonNode node;
};

struct ParsedComponent {
    Component component;
    JsonNode node;
};

struct ParsedVariables {
    std::string_view date;
    std::vector<ParsedComponent> components;
    std::vector<ParsedVariable> variables;
    std::map<std::string_view, Citation> bibliography;
};

/// Reads and checks one file as profiles/schema/variables.schema.json describes it; the pool keeps
/// it. Throws ProfileError; references between objects are checked later, by lay_variables.
ParsedVariables parse_variables(std::string_view file, std::string_view text, StringPool& pool);

/// Lays files of variables over others (which may be none), lowest precedence first; see
/// with_overrides for the rules. Throws ProfileError: a file that cannot be read, a name or a
/// component twice in one file, a source that no bibliography explains, an unknown component or
/// variable, new names in a circle, an alias of two variables.
std::shared_ptr<CatalogueData const> lay_variables(std::shared_ptr<CatalogueData const> base,
                                                   std::vector<ProfileView> const& files);

}  // namespace rocmtune
