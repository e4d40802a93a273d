// SPDX-License-Identifier: MIT
// The checks of a host as check and report run them: letting the GPUs work, then judging.
#pragma once

#include <chrono>
#include <vector>

#include "judge/checks/checks.hpp"
#include "knowledge/chips.hpp"
#include "measure/host_input.hpp"
#include "rocmtune/report.hpp"

namespace rocmtune {

/// What a check of this level needs of the host, and how long reading it may take.
HostNeeds needs_of_check(HostChoice const& choice, CheckLevel level);

/// Lets the GPUs of a live host work as the level of the selection says, and judges: the device map
/// first, then the checks by id. `start` is when the command began: its time is bounded as a whole.
/// `force`: also where a job computes.
std::vector<Finding> check_host(HostChoice const& choice, Host const& host, ChipSet const& chips,
                                std::chrono::steady_clock::time_point start,
                                CheckSelection selection, bool force = false);

/// Fills Report::check from its findings, and says which exit code they stand for.
Exit summarise(CheckSelection const& selection, Verdict fail_on, Report& report);

/// Puts findings behind others.
void append(std::vector<Finding>& findings, std::vector<Finding> more);

}  // namespace rocmtune
