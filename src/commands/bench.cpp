// SPDX-License-Identifier: MIT
// rocmtune bench: chooses devices, runs the benchmarks in workers, prints the figures.
#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/gemm_data.hpp"
#include "bench/runner.hpp"
#include "bench/ticks.hpp"
#include "commands/bench_run.hpp"
#include "commands/commands.hpp"
#include "commands/report_output.hpp"
#include "commands/signal_note.hpp"
#include "host/gpu_use.hpp"
#include "machine/held_signals.hpp"
#include "measure/bench_devices.hpp"
#include "measure/bench_peaks.hpp"
#include "measure/bench_time.hpp"
#include "measure/data_files.hpp"
#include "measure/gpu_selector.hpp"
#include "measure/numbers.hpp"
#include "measure/output.hpp"
#include "measure/progress_line.hpp"
#include "measure/time_left.hpp"

namespace rocmtune {
namespace {

using Clock = DeviceMinute::Clock;

/// How long a worker may say nothing: making and checking the largest data takes that long.
std::chrono::milliseconds silence_of(double measuring_seconds) {
    return std::chrono::milliseconds(
        static_cast<std::int64_t>((180 + 10 * measuring_seconds) * 1000));
}

bench::Options options_of(Arguments const& arguments) {
    bench::Options options;
    auto const what =
        arguments.positionals.empty() ? std::string("all") : arguments.positionals.front();
    for (auto const& row : bench::all_benchmarks())
        if (what == "all" || what == row.name) options.benchmarks.emplace_back(row.name);
    options.dtype = arguments.value("--dtype").value_or("");
    options.size = whole_number(arguments, "--size", 1, most_bench_size);
    options.bins = whole_number(arguments, "--bins", 1, bench::most_bins);
    options.ticks_file = arguments.value("--ticks").value_or("");
    if (arguments.has("--tick") && options.ticks_file.empty())
        throw Error("--tick needs --ticks", "it is the step of your own prices");
    if (arguments.has("--tick") && arguments.has("--bins"))

        throw Error("--tick and --bins exclude each other",
                    "rows are either a multiple of --tick or --bins of them");
    options.tick_size = arguments.number("--tick", 1e-12);
    options.quick = arguments.has("--quick");
    options.seconds = std::min(
        arguments.number("--time", 0.001).value_or(options.quick ? 0.1 : 0.2), longest_seconds);
    if (!options.ticks_file.empty()) {
        if (what != "all" && what != "vpoc")
            throw Error("--ticks belongs to vpoc", "rocmtune bench vpoc --ticks FILE");
        options.benchmarks = {"vpoc"};
        // Complains about the file before anything runs.
        (void)bench::read_ticks(options.ticks_file, options.bins.value_or(1000), options.tick_size);
    }
    return options;
}

// ---- running ------------------------------------------------------------------------------------

bool is_shared(Host const& host, Gpu const* gpu) {
    return gpu != nullptr && is_held(host, *gpu);
}

/// Asked for by name it says why there is no figure.
bool is_left_out(std::string const& benchmark, std::size_t benchmarks, std::size_t devices) {
    return devices == 1 && benchmarks > 1 && bench::find_benchmark(benchmark)->between_devices;
}

std::vector<Measurement> measure(Arguments const& arguments, Host const& host,
                                 std::vector<ChosenDevice> const& devices, bench::Options options,
                                 std::optional<Clock::time_point> minute_from = {}) {
    std::erase_if(options.benchmarks, [&, count = options.benchmarks.size()](auto const& name) {
        return is_left_out(name, count, devices.size());
    });
    ProgressLine const line(!arguments.has("--quiet"));
    TimeLeft left(devices.size() * options.benchmarks.size());
    auto const start = Clock::now();
    auto const progress = [&](Measurement const& current, std::size_t index, std::size_t count) {
        std::chrono::duration<double> const used = Clock::now() - start;
        left.begin(index, count, used.count());
        line.show(fmt::format("[{}/{}{}] {} {} on {}", index + 1, count, left.text(),
                              current.benchmark, current.metric,
                              current.parameters.device.value_or(current.backend)));
    };
    auto const deadline = arguments.seconds("--timeout").value_or(silence_of(options.seconds));
    auto const chips = chips_for(arguments);
    auto const benchmarks = options.benchmarks;
    std::vector<Measurement> all;
    for (auto const& device : devices) {
        // The minute of the first device began when the program did.
        bool const first = &device == &devices.front();
        DeviceMinute const minute(minute_from.has_value(),
                                  first ? minute_from.value_or(start) : Clock::now());
        for (std::size_t i = 0; i < benchmarks.size(); ++i) {
            if (HeldSignals::waiting()) return all;
            options.benchmarks = {benchmarks[i]};
            options.time_seconds = minute.seconds(i, benchmarks.size(), Clock::now());
            options.backend = device.info.backend;
            options.device = device.info.index;
            set_memory_bounds(chips, device.gpu, options);
            options.gemm_peaks = gemm_peaks_of(chips, device.gpu);
            options.compute_dies = compute_dies_of(device.gpu);
            options.notes = doubts_of(device.gpu);
            options.first = first;
            options.others = others_of(devices, device);
            auto const lifetime = DeviceMinute::lifetime(options.time_seconds);
            auto results = bench::run_benchmark(options, deadline, progress, {}, lifetime);
            if (lifetime.count() > 0 && lifetime < deadline) excuse_late(results);
            for (auto& result : results) {
                if (device.gpu != nullptr) result.gpu = device.gpu->row.value();
                if (is_shared(host, device.gpu)) result.labels.emplace_back("shared");
                all.push_back(std::move(result));
            }
        }
    }
    return all;
}

/// An exit code without a figure would be a riddle.
void note_unmeasured(bench::Options const& options, Report& report) {
    if (!report.measurements.empty()) return;
    auto const what = fmt::format("{}", fmt::join(options.benchmarks, ", "));
    auto const message =
        options.dtype.empty()
            ? "nothing was measured: " + what + " has nothing for what was asked"
            : fmt::format("nothing was measured: {} has nothing of the type {} here", what,
                          printable(options.dtype));
    constexpr auto hint = "without --dtype a benchmark measures every type that it has here";
    report.errors.push_back({message, hint, report.exit_code});
    tell(message, hint);
}

}  // namespace

/// What is unsupported was not asked of this device; but a run in which nothing else is left has
/// determined nothing, and what had no time is undetermined.
Exit exit_of(std::vector<Measurement> const& all) {
    auto const count = [&](std::string_view status) {
        return std::count_if(all.begin(), all.end(),
                             [&](Measurement const& one) { return one.status == status; });
    };
    auto const ok = count("ok");
    auto const unfinished = count("unfinished");
    auto const excused = count("unsupported") + unfinished;
    if (ok + excused < static_cast<std::ptrdiff_t>(all.size())) return Exit::findings;
    return ok > 0 && unfinished == 0 ? Exit::ok : Exit::undetermined;
}

std::vector<Measurement> run_benchmarks(Arguments const& arguments, Host const& host) {
    auto const start = Clock::now();
    auto const options = options_of(arguments);
    return measure(arguments, host, choose_devices(arguments, host), options,
                   is_bounded(arguments) ? std::optional(start) : std::nullopt);
}

Exit run_bench(Arguments const& arguments) {
    // A signal ends the workers at once and this program when the rest is printed.
    HeldSignals const signals;
    auto const start = Clock::now();
    (void)parse_gpu_selectors(arguments.values("--gpu"));  // complains before anything runs
    auto const options = options_of(arguments);
    Report report;
    report.command = "bench";
    report.host = host_for_bench(arguments);
    auto const devices = choose_devices(arguments, *report.host);
    report.measurements = measure(arguments, *report.host, devices, options,
                                  is_bounded(arguments) ? std::optional(start) : std::nullopt);
    report.exit_code = exit_of(report.measurements);
    if (!note_end_by_signal("what was not measured has no figure", report))
        note_unmeasured(options, report);
    write_report(report, arguments);
    return report.exit_code;
}

}  // namespace rocmtune
