// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <thread>

#include "base/text.hpp"
#include "bench/runner.hpp"
#include "judge/verify/experiment.hpp"
#include "judge/verify/line_pattern.hpp"
#include "judge/verify/runners.hpp"
#include "machine/held_signals.hpp"
#include "machine/processes.hpp"

namespace rocmtune::verify {
namespace {

/// Libraries whose files have other names, too. Debian and OpenBLAS name the threading
/// (libopenblasp, libopenblaso), wheels of NumPy and SciPy rename it. glibc had libc-2.31.so up to
/// 2.33, libc.so.6 since; libc10.so of PyTorch and libc++.so are others.
struct OtherName {
    std::string_view package;
    std::string_view name;
};
constexpr std::array other_names{
    OtherName{"libopenblas", "libopenblasp"},
    OtherName{"libopenblas", "libopenblaso"},
    OtherName{"libopenblas", "libscipy_openblas"},
    OtherName{"libmkl_rt", "libmkl_core"},
    OtherName{"libc.so", "libc-2"},
};

/// libcuda is libcuda.so.1 and not libcudart.so.12.
bool is_named(std::string_view file_name, std::string_view name) {
    if (!file_name.starts_with(name)) return false;
    auto const rest = file_name.substr(name.size());
    return !rest.empty() && !is_letter(rest.front());
}

bool is_package_directory(std::string_view file, std::string_view package) {
    for (std::string_view const packages : {"/site-packages/", "/dist-packages/"}) {
        auto const place = file.find(packages);
        if (place == file.npos) continue;
        auto const rest = file.substr(place + packages.size());
        if (rest.starts_with(package) && rest.substr(package.size()).starts_with('/')) return true;
    }
    return false;
}

void add(std::string_view title, std::string_view package, std::vector<Reader>& readers) {
    auto const same = [&](Reader const& reader) { return reader.package == package; };
    if (package.empty() || std::ranges::none_of(readers, same))
        readers.push_back({std::string(title), std::string(package)});
}

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

std::vector<Reader> readers_of(std::string_view name, Catalogue const& catalogue) {
    std::vector<Reader> readers;
    if (auto const* const variable = catalogue.find(name))
        for (auto const* const component : variable->readers)
            add(component->title, component->package, readers);
    for (auto const& known : catalogue.readers(name))
        if (known.absent_by.empty() && known.scope == "runtime")
            add(known.component->title, known.component->package, readers);
    return readers;
}

bool belongs_to(std::string_view file, std::string_view package) {
    if (package.empty()) return false;
    if (!package.starts_with("lib")) return is_package_directory(file, package);
    auto const file_name = file.substr(file.rfind('/') + 1);
    if (is_named(file_name, package)) return true;
    return std::ranges::any_of(other_names, [&](OtherName const& other) {
        return other.package == package && is_named(file_name, other.name);
    });
}

std::string seen_reader(std::vector<Reader> const& readers, std::set<std::string> const& mapped) {
    for (auto const& reader : readers)
        for (auto const& file : mapped)
            if (belongs_to(file, reader.package)) return file;
    return {};
}

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
        run.conditions.slept_seconds = load.slept();
        if (HeldSignals::waiting() && !run.ok) run.interrupted = true;
        if (last != nullptr && run.ok) *last = outcome.measurements.front();
        return run;
    };
}

namespace {

/// The figure of a run that is over, and whether it gives the right result.
void read_result(CommandRequest const& request, CommandOutcome const& outcome,
                 MetricReader const* metric, OutputCheck const& check, Run& run) {
    read_metric(request, outcome, metric, run);
    if (check && run.ok) run.problem = check(&outcome);
    run.wrong = run.ok && !run.problem.empty();
    run.ok = run.ok && !run.wrong;
}

}  // namespace

std::string wait_until_ready(BackgroundCommand& server, CommandRequest const& request,
                             LinePattern const& ready) {
    while (server.is_in_time()) {
        server.turn();
        auto const& printed = server.so_far();
        if (ready.is_in(printed.output) || ready.is_in(printed.complaints)) return {};
        if (server.has_ended()) return "the server ended: " + end_text(server.stop(), request);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    if (HeldSignals::waiting()) return "it was interrupted";
    return fmt::format("the server did not print '{}' within {:.3g} s", printable(ready.text()),
                       std::chrono::duration<double>(request.deadline).count());
}

Runner command_runner(std::vector<std::string> words, std::shared_ptr<MetricReader const> metric,
                      std::chrono::milliseconds deadline, OutputCheck check) {
    return [words = std::move(words), metric = std::move(metric), deadline,
            check = std::move(check)](std::span<EnvironmentChange const> changes, bool watch) {
        CommandRequest const request{.words = words,
                                     .changes = {changes.begin(), changes.end()},
                                     .deadline = deadline,
                                     .watch = watch};
        if (check) (void)check(nullptr);
        LoadMeter const load;
        auto outcome = run_command(request);
        Run run;
        run.seconds = outcome.seconds;
        run.conditions.others_load = load.others();
        run.conditions.slept_seconds = load.slept();
        read_result(request, outcome, metric.get(), check, run);
        run.mapped = std::move(outcome.mapped);
        return run;
    };
}

Runner server_runner(std::vector<std::string> words, ServerLoad load,
                     std::shared_ptr<MetricReader const> metric, std::chrono::milliseconds deadline,
                     OutputCheck check) {
    LinePattern const ready("--ready", load.ready);
    return [words = std::move(words), load = std::move(load), ready, metric = std::move(metric),
            deadline,
            check = std::move(check)](std::span<EnvironmentChange const> changes, bool watch) {
        CommandRequest const serving{.words = words,
                                     .changes = {changes.begin(), changes.end()},
                                     .deadline = deadline,
                                     .watch = watch};
        if (check) (void)check(nullptr);
        auto const start = Clock::now();
        auto const memory_in_use = load.watch_memory ? load.watch_memory() : nullptr;
        BackgroundCommand server(serving);
        Run run;
        run.problem = wait_until_ready(server, serving, ready);
        run.interrupted = HeldSignals::waiting().has_value();
        if (run.problem.empty()) {
            CommandRequest const loading{
                .words = load.words, .deadline = deadline, .on_turn = [&] { server.turn(); }};
            auto const outcome = run_command(loading);
            read_result(loading, outcome, metric.get(), check, run);
            run.mapped = server.stop().mapped;
            if (memory_in_use && run.ok) run.problem = memory_in_use();
            run.ok = run.ok && run.problem.empty();
        }
        run.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        return run;
    };
}

}  // namespace rocmtune::verify
