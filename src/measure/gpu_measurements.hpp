// SPDX-License-Identifier: MIT
// The short benchmarks of the longer levels of check.
#pragma once

#include <chrono>
#include <vector>

#include "judge/checks/check.hpp"
#include "knowledge/chips.hpp"
#include "rocmtune/host.hpp"
#include "rocmtune/measurement.hpp"

namespace rocmtune {

/// How long a level may measure, all GPUs together.
std::chrono::milliseconds measuring_time(CheckLevel level);

/// Measures, one after the other, the GPUs whose trial went well and, unless `force`, that nobody
/// else keeps busy: where processes of others cannot be seen, their load can. Ends within `total`,
/// plus what ending the last worker takes, and as soon as a signal asks for it (HeldSignals); what
/// that leaves has the status `unfinished_status`. The long level copies between all pairs, too.
std::vector<Measurement> measure_gpus(Host const& host, ChipSet const& chips,
                                      std::vector<Trial> const& trials, CheckLevel level,
                                      std::chrono::milliseconds total, bool force);

}  // namespace rocmtune
