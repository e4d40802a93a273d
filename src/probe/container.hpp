// SPDX-License-Identifier: MIT
// Which kind of container surrounds this process, if any.
#pragma once

#include <string_view>

#include "machine/host_root.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

/// States kubernetes, docker, podman, lxc, systemd-nspawn, apptainer, singularity, other or none.
/// `none` only if the namespaces say so, or if every place that would show a container was looked
/// at; a file or variable alone may be left over from an image or set by hand.
void find_container(HostRoot const& root, std::string_view reader, Text& fact);

// include/linux/proc_ns.h: these have fixed numbers since Linux 3.8 (cgroup: 4.6).
inline constexpr std::string_view first_pid_namespace = "pid:[4026531836]";
inline constexpr std::string_view first_cgroup_namespace = "cgroup:[4026531835]";
inline constexpr std::string_view first_user_namespace = "user:[4026531837]";

}  // namespace rocmtune
