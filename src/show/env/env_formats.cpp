// SPDX-License-Identifier: MIT
#include "show/env/env_formats.hpp"

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
    {.name = "systemd", .about = "drop-in of a unit", .render = systemd_lines, .elsewhere = true},
    {.name = "docker",
     .about = "docker run with the devices, groups and limits of this host",
     .render = docker_command,
     .elsewhere = true},
    {.name = "k8s",
     .about = "fragment of a Kubernetes pod",
     .render = kubernetes_fragment,
     .elsewhere = true},
    {.name = "dotenv", .about = "NAME=value lines", .render = dotenv_lines, .elsewhere = true},
    {"github", "lines for $GITHUB_ENV", github_lines},
    {.name = "modulefile",
     .about = "modulefile in Tcl for Environment Modules and Lmod",
     .render = modulefile,
     .elsewhere = true},
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
