// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace rocmtune {

/// A release that somebody says the settings are for: a text, by what it installs or runs, or a
/// command line.
struct StatedRelease {
    std::string package = {};  ///< as it is installed ("torch"), or "rocm", "ollama"; lower case
    std::string version = {};  ///< begins with a number
    std::string origin = {};   ///< "line 3", "--for"
    bool is_fork = false;      ///< AMD's images hold forks, which read some names before others do
};

}  // namespace rocmtune
