// SPDX-License-Identifier: MIT
// Lists of host names as Slurm writes and reads them (hostlist expressions of scontrol(1)).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

/// Whether a name can stand in such a list: letters, digits, '-', '_' and '.', not at its start.
bool is_node_name(std::string_view name);

/// "node[01-03,07],other": names with the same front and numbers of the same width share brackets.
/// Sorted; a name that occurs twice is written once. Only names for which is_node_name() holds.
std::string hostlist(std::vector<std::string> names);

}  // namespace rocmtune
