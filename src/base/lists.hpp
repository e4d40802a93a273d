// SPDX-License-Identifier: MIT
// Lists as others write them: CPUs of the kernel, host names of Slurm (hostlist expressions of
// scontrol(1)).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

/// CPU numbers of the kernel's list format ("0-3,8", cpumask_pr_args), ascending. Empty text is an
/// empty list; overlapping or descending ranges and numbers above 65535 are refused.
std::optional<std::vector<std::uint32_t>> parse_cpu_list(std::string_view text);

/// Whether a name can stand in such a list: letters, digits, '-', '_' and '.', not at its start.
bool is_node_name(std::string_view name);

/// "node[01-03,07],other": names with the same front and numbers of the same width share brackets.
/// Sorted; a name that occurs twice is written once. Only names for which is_node_name() holds.
std::string hostlist(std::vector<std::string> names);

}  // namespace rocmtune
