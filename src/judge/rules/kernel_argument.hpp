// SPDX-License-Identifier: MIT
// Judgement: where a host keeps the arguments of its kernel, and the command that changes them.
#pragma once

#include <string>
#include <string_view>

#include "rocmtune/host.hpp"

namespace rocmtune {

bool has_program(Host const& host, std::string_view name);

/// The system is an image, whose arguments rpm-ostree keeps.
bool boots_from_ostree(Host const& host);

/// Fedora and RHEL keep the arguments of every kernel in files of their own, which grubby edits.
bool has_grubby(Host const& host);

/// The command that takes an argument off and puts a better one in its place, what follows it
/// behind "#". Both are names of this program's data or of letters, digits, "_" and ".".
/// @param name    "amdgpu.gtt_size", without its value
/// @param better  name of what was meant; empty: nothing takes its place
std::string argument_off_step(Host const& host, std::string_view name, std::string_view better);

}  // namespace rocmtune
