// SPDX-License-Identifier: MIT
// One file of variables, checked and taken apart, before it is laid over others. Used at build and
// at run time.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/catalogue.hpp"
#include "knowledge/profile_error.hpp"
#include "knowledge/profile_parser.hpp"

namespace rocmtune {

/// A variable whose readers and sources still are ids. The spans of `variable` that point into
/// lists are set by build_catalogue.
struct ParsedVariable {
    Variable variable;
    std::vector<std::string_view> words, gfx_prefixes, aliases, readers, sources;
    std::vector<FormerDefault> former_defaults;
    std::vector<JudgedValue> judged_values;
    std::vector<Contradiction> contradictions;
    std::string_view file;
    std::string pointer;  ///< of the object
};

struct ParsedComponent {
    Component component;
    std::string pointer;
};

struct ParsedVariables {
    std::string_view file;
    std::string_view date;
    std::vector<ParsedComponent> components;
    std::vector<ParsedVariable> variables;
    std::map<std::string_view, Citation> bibliography;
};

/// Reads and checks one file as profiles/schema/variables.schema.json describes it. Throws
/// ProfileError; references between objects are checked later, by build_catalogue.
ParsedVariables parse_variables(ProfileView const& file, StringPool& pool);

}  // namespace rocmtune
