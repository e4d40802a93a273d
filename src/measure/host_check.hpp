// SPDX-License-Identifier: MIT
// The checks of a host as check and report run them: letting the GPUs work, then judging.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "judge/checks/checks.hpp"
#include "knowledge/chips.hpp"
#include "measure/arguments.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

/// Whether the host is this machine with its GPUs: a recording has none to try, and neither has a
/// tree of files.
bool is_live(Arguments const& arguments);

/// How long reading may take before a check of this level; absent: as usual.
std::optional<std::chrono::milliseconds> reading_time_of_check(Arguments const& arguments,
                                                               CheckLevel level);

/// Lets the GPUs of a live host work as the level of the selection says, and judges: the device map
/// first, then the checks by id. `start` is when the command began: its time is bounded as a whole.
std::vector<Finding> check_host(Arguments const& arguments, Host const& host, ChipSet const& chips,
                                std::chrono::steady_clock::time_point start,
                                CheckSelection selection);

/// Puts findings behind others.
void append(std::vector<Finding>& findings, std::vector<Finding> more);

}  // namespace rocmtune
