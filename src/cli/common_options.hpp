// SPDX-License-Identifier: MIT
// The options that every command is expected to take, and why some commands do not.
#pragma once

#include <span>
#include <string_view>

namespace rocmtune {

/// Options that people know from one command and try with the next, in the order of the manual.
std::span<std::string_view const> common_options();

/// A reason for which commands do not take options.
struct LackingOption {
    std::string_view options;   ///< blank-separated
    std::string_view commands;  ///< blank-separated
    std::string_view why;       ///< as it goes on behind "not in these, "
};

/// Every pair of a common option and a command that does not take it stands in one row.
std::span<LackingOption const> lacking_options();

}  // namespace rocmtune
