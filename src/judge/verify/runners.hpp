// SPDX-License-Identifier: MIT
// What is measured: one of our benchmarks, or a command of the user. Each run is a process of its
// own; whatever becomes of it is a Run.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/session.hpp"
#include "judge/verify/experiment.hpp"
#include "judge/verify/input.hpp"

namespace rocmtune::verify {

/// One metric of one benchmark on one device (Options::metric names it).
/// @param silence  how long a run may say nothing; it may take four times that in all
/// @param last     gets the latest measurement that was made, if it is not null
Runner benchmark_runner(bench::Options options, std::chrono::milliseconds silence,
                        std::shared_ptr<Measurement> last = nullptr);

/// A command (CommandRequest::words) and the number that it prints; without a metric the time it
/// takes, in seconds.
Runner command_runner(std::vector<std::string> words, std::shared_ptr<MetricReader const> metric,
                      std::chrono::milliseconds deadline);

}  // namespace rocmtune::verify
