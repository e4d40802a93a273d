// SPDX-License-Identifier: MIT
// Where a user keeps files of a program (XDG Base Directory Specification 0.8).
#pragma once

#include <optional>
#include <string>

namespace rocmtune {

/// $XDG_CONFIG_HOME, else $HOME/.config. The arguments are what getenv gave. As the specification
/// wants it, a relative path does not count; absent if neither is there.
std::optional<std::string> config_home(char const* xdg_config_home, char const* home);

}  // namespace rocmtune
