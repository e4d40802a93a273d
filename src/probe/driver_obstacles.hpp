// SPDX-License-Identifier: MIT
// What keeps amdgpu from loading, and which loaded modules disturb it.
#pragma once

#include <string_view>

#include "machine/host_root.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

/// True where the files under /etc, /lib and /var are a container's own and say nothing of the
/// kernel's modules.
inline bool in_container(Host const& host) {
    return host.container && *host.container != "none";
}

/// driver_blacklists: "PATH: LINE", from modprobe.d(5) and the kernel's arguments.
void read_blacklists(HostRoot const& root, std::string_view reader, Host& host);

/// driver_conflicts: "MODULE: why it is in the way".
void read_conflicts(HostRoot const& root, std::string_view reader, Host& host);

}  // namespace rocmtune
