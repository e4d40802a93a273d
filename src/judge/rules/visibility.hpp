// SPDX-License-Identifier: MIT
// Which GPUs a process sees under mask variables: judged from a host, nothing is opened.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "rocmtune/host.hpp"
#include "rocmtune/visibility.hpp"

namespace rocmtune {

/// What a process with these variables sees on a settled host. Variables of other names are
/// ignored. Devices that libhsakmt leaves out (hidden by a cgroup, no render node) are left out;
/// where a fact is missing the notes say what is assumed, or the list stays empty of a value.
/// Not judged: whether a runtime supports a GPU's instruction set at all.
Visibility simulate_visibility(Host const& host,
                               std::map<std::string, std::string> const& variables);

/// The GPUs that a process here can use, whatever masks are set, in the order of their rows; where
/// no process can (permissions), those that the driver runs. Pointers into `host`.
std::vector<Gpu const*> usable_gpus(Host const& host);

}  // namespace rocmtune
