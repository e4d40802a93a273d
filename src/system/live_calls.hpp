// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "system/host_source.hpp"

namespace rocmtune {

/// Answers of the running system that are no files; keys as in HostRoot::call.
Reply live_call(std::string_view key);

/// The environment of this process as "NAME=VALUE\0" each.
std::string live_environment();

}  // namespace rocmtune
