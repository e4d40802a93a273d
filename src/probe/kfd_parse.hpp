// SPDX-License-Identifier: MIT
// The text formats of /sys/class/kfd/kfd/topology, apart from the reading of files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rocmtune {

/// "key value" lines of a properties file as numbers, in their order; lines that are none are left
/// out. A host of 32 partitions has 2700 such files: a list costs a quarter of a map.
using KfdProperties = std::vector<std::pair<std::string, std::uint64_t>>;
KfdProperties parse_kfd_properties(std::string_view text);

/// The value of one key, if the kernel printed it; of several the last.
std::optional<std::uint64_t> kfd_property(KfdProperties const& properties, std::string_view key);

/// gfx_target_version (major * 10000 + minor * 100 + stepping, in decimal) as LLVM writes the
/// target, minor and stepping as one hexadecimal digit each: 90010 is gfx90a.
/// Nothing for 0 (a CPU) and for parts that do not fit a digit.
std::optional<std::string> gfx_target_name(std::uint64_t gfx_target_version);

/// A link type of io_links and p2p_links in words: "xgmi", "pcie", or "type-N".
std::string link_kind(std::uint64_t type);

}  // namespace rocmtune
