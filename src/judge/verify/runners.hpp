// SPDX-License-Identifier: MIT
// What is measured: one of our benchmarks, or a command of the user. Each run is a process of its
// own; whatever becomes of it is a Run.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/session.hpp"
#include "judge/verify/experiment.hpp"
#include "judge/verify/input.hpp"
#include "judge/verify/line_pattern.hpp"
#include "machine/command.hpp"

namespace rocmtune::verify {

/// One metric of one benchmark on one device (Options::metric names it).
/// @param silence  how long a run may say nothing; it may take four times that in all
/// @param last     gets the latest measurement that was made, if it is not null
Runner benchmark_runner(bench::Options options, std::chrono::milliseconds silence,
                        std::shared_ptr<Measurement> last = nullptr);

/// Says in what a run that ended well differs from what it is to give; empty: in nothing. It is
/// called before each run, without an outcome, and after it.
using OutputCheck = std::function<std::string(CommandOutcome const* outcome)>;

/// A command (CommandRequest::words) and the number that it prints; without a metric the time it
/// takes, in seconds.
Runner command_runner(std::vector<std::string> words, std::shared_ptr<MetricReader const> metric,
                      std::chrono::milliseconds deadline, OutputCheck check = {});

/// A server and what loads it.
struct ServerLoad {
    std::string ready = {};               ///< expression of the line that says that it is up
    std::vector<std::string> words = {};  ///< the program that loads it and prints the figure
    /// Called before a start. What it gives is called after the end, waits until the server's
    /// device memory is free, and says where it is not; empty: it is.
    std::function<std::function<std::string()>()> watch_memory = {};
};

/// Waits until the server has printed a line with `ready`. Empty: it has. Else why it will not.
std::string wait_until_ready(BackgroundCommand& server, CommandRequest const& request,
                             LinePattern const& ready);

/// Starts the server (`words`) with the changes, waits until it is ready, lets the load run in our
/// own environment, and ends it. The figure is the load's; so is the time of a run without metric.
/// A run that leaves device memory in use would slow down the next one, and has failed.
/// @throws Error for an expression that is none.
Runner server_runner(std::vector<std::string> words, ServerLoad load,
                     std::shared_ptr<MetricReader const> metric, std::chrono::milliseconds deadline,
                     OutputCheck check = {});

}  // namespace rocmtune::verify
