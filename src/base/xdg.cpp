// SPDX-License-Identifier: MIT
#include "base/xdg.hpp"

namespace rocmtune {
namespace {

bool is_absolute(char const* path) {
    return path != nullptr && *path == '/';
}

}  // namespace

std::optional<std::string> config_home(char const* xdg_config_home, char const* home) {
    if (is_absolute(xdg_config_home)) return xdg_config_home;
    if (is_absolute(home)) return std::string(home) + "/.config";
    return std::nullopt;
}

}  // namespace rocmtune
