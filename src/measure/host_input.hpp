// SPDX-License-Identifier: MIT
// Which host a command reads: this one, a directory, a recording or a built-in example.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

#include "measure/arguments.hpp"
#include "measure/recording.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

/// How far the kernel log is read: asking the journal takes longer than all else together.
enum class KernelLog : bool { ring, ring_and_journal };

/// Whether it is the host that this program runs on, and no recorded one.
bool reads_this_host(Arguments const& arguments);

/// Reads the host that --root, --replay and --timeout choose; writes the file of --record or
/// --bug-report, and says in `recording` what it wrote. `usual` is how long reading may take where
/// --timeout does not say; absent: as GuardLimits has it. `left_out`: readers that nobody needs.
/// @throws Error for what cannot be opened or written.
Host read_host(Arguments const& arguments, Recording* recording = nullptr,
               std::optional<std::chrono::milliseconds> usual = {}, KernelLog log = KernelLog::ring,
               std::vector<std::string_view> const& left_out = {});

}  // namespace rocmtune
