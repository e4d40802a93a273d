// SPDX-License-Identifier: MIT
// The formats of `rocmtune env`, one row each.
#pragma once

#include <span>

#include "show/formats.hpp"

namespace rocmtune {

/// The formats that Report::settings can be written in. The scripts (sh, bash, fish, csh) test when
/// they are sourced whether a variable is set, and define rocmtune_deactivate; the others are
/// static. Equal reports give equal bytes. What is set where rocmtune runs counts for the scripts
/// and for steps of GitHub Actions, which share one environment; a container, a unit or a shell
/// that loads a module next week has another one.
std::span<Format const> all_env_formats();

/// The format of this name, or null.
Format const* find_env_format(std::string_view name);

// The rows. Each throws Error for a value that its format cannot carry.
std::string sh_script(Report const& report, TextStyle const& style);
std::string bash_script(Report const& report, TextStyle const& style);
std::string fish_script(Report const& report, TextStyle const& style);
std::string csh_script(Report const& report, TextStyle const& style);
std::string systemd_lines(Report const& report, TextStyle const& style);
std::string docker_command(Report const& report, TextStyle const& style);
std::string kubernetes_fragment(Report const& report, TextStyle const& style);
std::string dotenv_lines(Report const& report, TextStyle const& style);
std::string github_lines(Report const& report, TextStyle const& style);
std::string modulefile(Report const& report, TextStyle const& style);

}  // namespace rocmtune
