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

}  // namespace rocmtune
