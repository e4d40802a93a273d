// SPDX-License-Identifier: MIT
#include "render/env/env_formats.hpp"

namespace rocmtune {
namespace {

std::string json(Report const& report, TextStyle const& style) {
    return find_format("json", "env")->render(report, style);
}

constexpr Format formats[] = {
    {"sh", "script for any POSIX shell", sh_script},
    {"bash", "script for bash", bash_script},
    {"fish", "script for fish", fish_script},
    {"csh", "script for csh and tcsh", csh_script},
    {"systemd", "drop-in of a unit", systemd_lines},
    {"docker", "docker run with the devices, groups and limits of this host", docker_command},
    {"k8s", "fragment of a Kubernetes pod", kubernetes_fragment},
    {"dotenv", "NAME=value lines", dotenv_lines},
    {"github", "lines for $GITHUB_ENV", github_lines},
    {"modulefile", "modulefile in Tcl for Environment Modules and Lmod", modulefile},
    {"json", "one indented document", json},
};

}  // namespace

std::span<Format const> all_env_formats() {
    return formats;
}

Format const* find_env_format(std::string_view name) {
    for (auto const& format : formats)
        if (format.name == name) return &format;
    return nullptr;
}

}  // namespace rocmtune
