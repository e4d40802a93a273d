// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "machine/host_source.hpp"

namespace rocmtune {

/// How much of a file the call "head.PATH" gives: the header of an SQLite database (100 bytes) and
/// the validators at the start of TunableOp's results fit.
inline constexpr std::size_t file_head_bytes = 512;

/// Answers of the running system that are no files; keys as in HostRoot::call.
Reply live_call(std::string_view key);

/// The environment of this process as "NAME=VALUE\0" each.
std::string live_environment();

}  // namespace rocmtune
