// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace rocmtune {

/// CPU numbers of the kernel's list format ("0-3,8", cpumask_pr_args), ascending. Empty text is an
/// empty list; overlapping or descending ranges and numbers above 65535 are refused.
std::optional<std::vector<std::uint32_t>> parse_cpu_list(std::string_view text);

}  // namespace rocmtune
