// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace rocmtune {

/// Whether the kernel knows without asking a disk or a server that nothing has this path. Never
/// waits. False says nothing: the path may be there, or the kernel (before Linux 5.12), a container
/// or this moment does not let us know.
bool is_known_absent(std::string const& path);

}  // namespace rocmtune
