// SPDX-License-Identifier: MIT
// The first namespace of each kind, by its link in /proc/self/ns.
#pragma once

#include <string_view>

namespace rocmtune {

// include/linux/proc_ns.h: these have fixed numbers since Linux 3.8 (cgroup: 4.6).
inline constexpr std::string_view first_pid_namespace = "pid:[4026531836]";
inline constexpr std::string_view first_cgroup_namespace = "cgroup:[4026531835]";
inline constexpr std::string_view first_user_namespace = "user:[4026531837]";

}  // namespace rocmtune
