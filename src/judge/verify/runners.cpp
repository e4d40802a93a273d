// SPDX-License-Identifier: MIT
#include "judge/verify/runners.hpp"

#include <cmath>

#include <fmt/format.h>

#include "bench/runner.hpp"
#include "machine/command.hpp"
#include "machine/held_signals.hpp"
#include "machine/load_meter.hpp"

namespace rocmtune::verify {
namespace {

using Clock = std::chrono::steady_clock;

std::optional<double> middle(std::optional<double> before, std::optional<double> after) {
    if (before && after) return (*before + *after) / 2;
    return before ? before : after;
}

void take_states(Measurement const& from, Conditions& conditions) {
    auto const& before = from.state_before;
    auto const& after = from.state_after;
    if (!before || !after) return;
    conditions.clock_mhz = middle(before->clock_mhz, after->clock_mhz);
    conditions.temperature_celsius =
        middle(before->temperature_celsius, after->temperature_celsius);
}

std::string problem_of(Measurement const& one) {
    return one.detail ? fmt::format("{}: {}", one.status, *one.detail) : one.status;
}

Run run_of(bench::BenchRun const& outcome) {
    Run run;
    auto const& one = outcome.measurements.front();
    run.ok = one.status == "ok" && one.value && std::isfinite(*one.value) && *one.value > 0;
    if (run.ok) run.value = *one.value;
    else run.problem = problem_of(one);
    run.unsupported = one.status == "unsupported";
    run.unit = one.unit;
    run.mapped.insert(outcome.libraries.begin(), outcome.libraries.end());
    take_states(one, run.conditions);
    return run;
}

/// The figure, or why it is none.
void read_metric(CommandRequest const& request, CommandOutcome const& outcome,
                 MetricReader const* metric, Run& run) {
    run.interrupted = outcome.end == CommandEnd::interrupted;
    if (outcome.end != CommandEnd::exited || outcome.code != 0) {
        run.problem = end_text(outcome, request);
        return;
    }
    auto const reading = metric != nullptr ? metric->read(outcome.output)
                                           : Reading{.value = outcome.seconds, .unit = "s"};
    run.ok = reading.value.has_value();
    run.value = reading.value.value_or(0);
    run.unit = reading.unit;
    run.problem = reading.problem;
    if (!run.ok && outcome.cut) run.problem += " (of much output only the end was kept)";
}

}  // namespace

Runner benchmark_runner(bench::Options options, std::chrono::milliseconds silence,
                        std::shared_ptr<Measurement> last) {
    return [options = std::move(options), silence, last = std::move(last)](
               std::span<EnvironmentChange const> changes, bool) {
        WorkerMachinery machinery;
        machinery.changes.assign(changes.begin(), changes.end());
        LoadMeter const load;
        auto const start = Clock::now();
        auto const outcome =
            bench::watch_benchmark(options, silence, {}, std::move(machinery), 4 * silence);
        auto run = run_of(outcome);
        run.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        run.conditions.others_load = load.others();
        if (HeldSignals::waiting() && !run.ok) run.interrupted = true;
        if (last != nullptr && run.ok) *last = outcome.measurements.front();
        return run;
    };
}

Runner command_runner(std::vector<std::string> words, std::shared_ptr<MetricReader const> metric,
                      std::chrono::milliseconds deadline) {
    return [words = std::move(words), metric = std::move(metric), deadline](
               std::span<EnvironmentChange const> changes, bool watch) {
        CommandRequest const request{.words = words,
                                     .changes = {changes.begin(), changes.end()},
                                     .deadline = deadline,
                                     .watch = watch};
        LoadMeter const load;
        auto outcome = run_command(request);
        Run run;
        run.seconds = outcome.seconds;
        run.conditions.others_load = load.others();
        read_metric(request, outcome, metric.get(), run);
        run.mapped = std::move(outcome.mapped);
        return run;
    };
}

}  // namespace rocmtune::verify
