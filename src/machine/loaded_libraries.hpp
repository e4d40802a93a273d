// SPDX-License-Identifier: MIT
// What the dynamic loader has loaded into this process.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <link.h>

namespace rocmtune {

/// DT_SONAME of a loaded object; empty if it has none.
std::string soname_of(link_map const& map);

/// Those of all loaded objects: a library that needs one of them gets it, and nothing is searched.
std::set<std::string> loaded_sonames();

/// Files of this library (libamdhip64) that are loaded into this process, links followed, sorted.
/// More than one means that two versions of it share the process.
std::vector<std::string> loaded_files_of(std::string_view library);

}  // namespace rocmtune
