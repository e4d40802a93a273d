// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "machine/host_source.hpp"

namespace rocmtune {

/// Answers of the running system that are no files; keys as in HostRoot::call.
Reply live_call(std::string_view key);

/// The environment of this process as "NAME=VALUE\0" each.
std::string live_environment();

/// CPU time that the control groups of this process grant it (cgroups(7)): "QUOTA PERIOD" in
/// microseconds of the group that grants least, or "max". `root` stands before /proc and /sys.
/// Asked as one call, since the names of control groups tell of users and jobs.
Reply cpu_quota(std::string const& root = {});

}  // namespace rocmtune
