// SPDX-License-Identifier: MIT
// Which packages of a Python environment would no longer have what they ask for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/host.hpp"

namespace rocmtune {

/// A requirement of a package (PEP 508), or what pip is told to install.
struct Requirement {
    std::string name = {};        ///< normalised (PEP 503)
    std::string specifiers = {};  ///< "==2.9.1", ">=2.4,<3"; empty: any version
    bool is_conditional = false;  ///< a marker decides whether it holds, or it names an address
};

/// "torch (==2.9.1) ; python_version < '3.9'"; absent for what names no package.
std::optional<Requirement> parse_requirement(std::string_view text);

/// Whether a version fits specifiers (PEP 440), by their numbers and, where a specifier has one,
/// the local version. Absent where that cannot be told: `===`, a text that is no version.
std::optional<bool> fits(std::string_view version, std::string_view specifiers);

/// What is installed and would not fit what is to be installed: "vllm 0.14.0 asks for torch
/// ==2.9.1". Packages that are replaced themselves, and requirements that a marker decides, are
/// left out.
/// @param installed  of pip, with exact versions where the data has them
std::vector<std::string> broken_by(std::vector<std::string> const& installed, Host const& host);

/// Packages whose metadata could not be read; empty if all could, or nobody looked.
std::vector<std::string> unread_packages(Host const& host);

}  // namespace rocmtune
