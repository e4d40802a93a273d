// SPDX-License-Identifier: MIT
// A run of the benchmarks as bench and report make it.
#pragma once

#include <vector>

#include "measure/arguments.hpp"
#include "rocmtune/error.hpp"
#include "rocmtune/host.hpp"
#include "rocmtune/measurement.hpp"

namespace rocmtune {

/// Measures what the arguments of bench say, on the devices that they say: at most a minute on each
/// where they name neither benchmark nor ticks nor how long to sample (bench_time.hpp).
/// @throws Error for arguments that are wrong and devices that are not there.
std::vector<Measurement> run_benchmarks(Arguments const& arguments, Host const& host);

/// 1 if a figure is missing or wrong that was asked for, 3 if there is none at all or there was no
/// time for one. What is unsupported was not asked of this device.
Exit exit_of(std::vector<Measurement> const& all);

}  // namespace rocmtune
