// SPDX-License-Identifier: MIT
// rocmtune verify.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>

#include <sys/random.h>

#include <fmt/format.h>

#include "base/exit_order.hpp"
#include "base/shell.hpp"
#include "base/text.hpp"
#include "bench/gemm_libraries.hpp"
#include "commands/advice.hpp"
#include "commands/commands.hpp"
#include "commands/fail_on.hpp"
#include "commands/report_output.hpp"
#include "commands/signal_note.hpp"
#include "commands/verify_settings.hpp"
#include "judge/verify/report.hpp"
#include "judge/verify/runners.hpp"
#include "machine/held_signals.hpp"
#include "measure/bench_devices.hpp"
#include "measure/data_files.hpp"
#include "measure/gpu_selector.hpp"
#include "measure/numbers.hpp"
#include "measure/progress_line.hpp"

namespace rocmtune {
namespace {

using std::chrono::milliseconds;

constexpr double usual_budget_seconds = 120;
constexpr double usual_margin_percent = 2;
constexpr std::chrono::seconds usual_silence{180};
constexpr std::chrono::seconds usual_command_time{60};

void check_words(Arguments const& arguments) {
    bool const command = measures_command(arguments);
    if (arguments.has("--command") && !arguments.positionals.empty())
        throw Error("a command stands in --command or behind --, not in both",
                    "behind -- no shell sees it; --command is a line for the shell");
    if (command && arguments.has("--benchmark"))
        throw Error("--command and --benchmark exclude each other",
                    "one of them is what is measured; leave out the other");
    if (!command && arguments.has("--better"))
        throw Error("--better belongs to --command",
                    "what is better in a benchmark is known; leave it out");
    for (auto const* const option : {"--backend", "--gpu", "--dtype", "--size"})
        if (command && arguments.has(option))
            throw Error(fmt::format("{} belongs to --benchmark", option),
                        "the environment says what a command runs on: HIP_VISIBLE_DEVICES");
    bool const named =
        arguments.has("--setting") || arguments.has("--unset") || arguments.has("--env-file");
    if (arguments.has("--self-test") && named)
        throw Error("--self-test changes nothing", "leave out the settings");
    if (parse_gpu_selectors(arguments.values("--gpu")).size() > 1)
        throw Error("verify measures one device: one --gpu",
                    "run it once for each GPU, with --json -o FILE");
    (void)whole_number(arguments, "--size", 1, most_bench_size);
}

/// Not from std::random_device, which in a static libstdc++ of gcc 12 asks for glibc 2.36.
std::uint32_t random_seed() {
    std::uint32_t seed = 0;
    if (::getrandom(&seed, sizeof seed, 0) != sizeof seed)
        throw Error("no random numbers", {}, Exit::internal);
    return seed;
}

verify::ExperimentPlan plan_of(Arguments const& arguments) {
    verify::ExperimentPlan plan;
    auto const margin = arguments.number("--margin", 0.01).value_or(usual_margin_percent);
    if (margin > 1000) throw Error("--margin is at most 1000 %");
    plan.margin = margin / 100;
    plan.budget_seconds = std::min(
        arguments.number("--budget", 0.01).value_or(usual_budget_seconds), longest_seconds);
    plan.self_test = arguments.has("--self-test");
    auto const better = arguments.value("--better");
    // The time of a command needs no run to tell.
    bool const is_time = measures_command(arguments) && !arguments.has("--metric");
    plan.lower_is_better = better ? *better == "lower" : is_time;
    plan.direction_by_unit = !better;
    plan.seed = random_seed();
    return plan;
}

/// The runner whose runs also have what the baseline differs in from our environment.
verify::Runner based_on(std::vector<EnvironmentChange> baseline, verify::Runner runner) {
    return [baseline = std::move(baseline), runner = std::move(runner)](
               std::span<EnvironmentChange const> changes, bool watch) {
        auto all = baseline;
        all.insert(all.end(), changes.begin(), changes.end());
        return runner(all, watch);
    };
}

// ---- benchmarks ---------------------------------------------------------------------------------

/// The figures that may stand for a benchmark, the best witness first.
std::vector<std::string> metrics_of(SettingGroup const& group, std::string const& backend,
                                    std::string const& dtype) {
    if (group.benchmark == "bandwidth") return {"triad"};
    if (group.benchmark == "vpoc") return {"1000-bins-uniform"};
    if (group.benchmark == "collectives") return {"all-reduce-bus"};
    auto const is_precision = [](verify::Candidate const& candidate) {
        return candidate.own && candidate.changes.front().name == precision_choice;
    };
    // Precisions are compared with fp32.
    bool const single = backend == "cpu" ||
                        std::any_of(group.candidates.begin(), group.candidates.end(), is_precision);
    std::vector<std::string> types{!dtype.empty() ? dtype : single ? "fp32" : "fp16"};
    if (dtype.empty()) types.emplace_back("fp32");
    std::vector<std::string> metrics;
    auto const is_read_by = [&](std::string_view library) {
        for (auto const& candidate : group.candidates)
            for (auto const& reader : candidate.readers)
                if (reader.package == "lib" + std::string(library)) return true;
        return false;
    };
    for (auto const& type : types)
        for (auto const& library : bench::gemm_libraries()) {
            if (library.backend != backend || !library.has(type)) continue;
            auto const place = is_read_by(library.name) ? metrics.begin() : metrics.end();
            metrics.insert(place, fmt::format("{}-{}", type, library.name));
        }
    metrics.push_back(types.back() + "-own");
    return metrics;
}

/// Small data and short sampling: many short runs say more than a few long ones.
bench::Options options_of(Arguments const& arguments, SettingGroup const& group,
                          bench::DeviceInfo const& device) {
    bench::Options options;
    options.benchmarks = {group.benchmark};
    options.backend = device.backend;
    options.device = device.index;
    options.dtype = arguments.value("--dtype").value_or("");
    options.quick = true;
    bool const cpu = device.backend == "cpu";
    options.seconds = cpu ? 0.02 : 0.1;
    if (cpu && group.benchmark == "gemm") options.size = 512;
    if (arguments.has("--size"))
        options.size = whole_number(arguments, "--size", 1, most_bench_size);
    return options;
}

/// Runs the metric that the changes choose, with the rest of them.
verify::Runner choosing_runner(SettingGroup const& group, bench::Options const& options,
                               milliseconds silence, std::shared_ptr<Measurement> const& last) {
    return [baseline = group.baseline, options, silence, last](
               std::span<EnvironmentChange const> changes, bool watch) {
        auto chosen = options;
        chosen.metric = chosen_metric(options.metric, changes);
        auto all = baseline;
        for (auto const& change : changes)
            if (!change.name.starts_with(':')) all.push_back(change);
        return verify::benchmark_runner(std::move(chosen), silence, last)(all, watch);
    };
}

/// A precision or library that is not there is no harmful setting. `earlier`: why metrics that
/// would have been better are not measured.
void check_choices(SettingGroup const& group, verify::Runner const& runner,
                   ChosenDevice const& device, std::string const& earlier) {
    for (auto const& candidate : group.candidates) {
        if (!candidate.own) continue;
        auto const run = runner(candidate.changes, false);
        if (!run.ok && !run.interrupted)
            throw Error(
                fmt::format("{}={} cannot be measured on {}:{}: {}{}{}", candidate.name,
                            candidate.value.value_or(""), device.info.backend, device.info.index,
                            run.problem, earlier.empty() ? "" : "; ", earlier),
                "rocmtune bench gemm shows what this device can do", Exit::undetermined);
    }
}

/// A runner of the first metric that the first device has, and what it measured first. The others
/// take part where a benchmark is between devices.
verify::Runner runner_of(Arguments const& arguments, SettingGroup const& group,
                         std::vector<ChosenDevice> const& devices, verify::Subject& subject) {
    auto const& device = devices.front();
    auto options = options_of(arguments, group, device.info);
    options.others = others_of(devices, device);
    auto metrics = metrics_of(group, device.info.backend, options.dtype);
    if (auto const metric = arguments.value("--metric")) metrics = {*metric};
    auto const silence = arguments.seconds("--timeout").value_or(usual_silence);
    auto const last = std::make_shared<Measurement>();
    std::string problem;
    bool failed = false;
    for (auto const& metric : metrics) {
        options.metric = metric;
        auto runner = choosing_runner(group, options, silence, last);
        auto const run = runner({}, false);
        if (run.ok || run.interrupted) {
            subject.metric = metric;
            subject.name = fmt::format("{} {} on {}:{}", group.benchmark, metric,
                                       device.info.backend, device.info.index);
            subject.pattern = *last;
            if (device.gpu != nullptr) subject.pattern.gpu = device.gpu->row.value();
            if (run.ok) check_choices(group, runner, device, problem);
            return runner;
        }
        problem += fmt::format("{}{}: {}", problem.empty() ? "" : "; ", metric, run.problem);
        failed = failed || !run.unsupported;
    }
    throw Error(fmt::format("{} cannot be measured on {}:{}: {}", group.benchmark,
                            device.info.backend, device.info.index, problem),
                "rocmtune bench shows what this device can do",
                failed ? Exit::findings : Exit::undetermined);
}

// ---- commands -----------------------------------------------------------------------------------

std::string shell_line(std::vector<std::string> const& words) {
    std::string line;
    for (auto const& word : words) line += (line.empty() ? "" : " ") + shell_word(word);
    return line;
}

verify::Runner command_of(Arguments const& arguments, SettingGroup const& group,
                          verify::Subject& subject) {
    auto const line = arguments.value("--command");
    auto words = arguments.positionals;
    // The only shell that this program starts, for what its user has written for one.
    if (line) words = {"/bin/sh", "-c", *line};
    auto const metric = arguments.value("--metric");
    subject.metric = metric.value_or("time");
    subject.name = fmt::format("'{}'", (line ? *line : shell_line(words)).substr(0, 60));
    subject.pattern.backend = "command";
    auto const reader = metric ? std::make_shared<verify::MetricReader const>(*metric) : nullptr;
    return based_on(
        group.baseline,
        verify::command_runner(std::move(words), reader,
                               arguments.seconds("--timeout").value_or(usual_command_time)));
}

// ---- the whole ----------------------------------------------------------------------------------

std::vector<SettingGroup> groups_for(Arguments const& arguments, Report& report) {
    if (arguments.has("--self-test")) return {self_test_group(arguments)};
    auto const catalogue = catalogue_for(arguments);
    auto const settings = named_settings(arguments);
    if (!settings.empty()) return groups_of(settings, arguments, catalogue);
    report = advised_report(arguments, catalogue);
    report.settings.reset();
    auto groups = groups_of(*report.advice, arguments, catalogue);
    if (groups.empty())
        throw Error("no recommendation for this host can be measured by a benchmark",
                    "name a setting: --setting NAME=VALUE", Exit::undetermined);
    return groups;
}

void run_group(Arguments const& arguments, SettingGroup const& group,
               std::vector<ChosenDevice> const& devices, verify::ExperimentPlan plan,
               Report& report) {
    verify::Subject subject{.benchmark = group.benchmark,
                            .self_test = plan.self_test,
                            .findings_count = fail_on(arguments) != Verdict::pass};
    bool const command = group.benchmark == "command";
    auto const runner = command ? command_of(arguments, group, subject)
                                : runner_of(arguments, group, devices, subject);
    ProgressLine const line(!arguments.has("--quiet"));
    plan.progress = [&](std::size_t done, std::size_t all) {
        line.show(fmt::format("[{}/{}] blocks of {}", done + 1, all, subject.name));
    };
    verify::add_result(verify::run_experiment(group.candidates, runner, plan), subject, report);
}

}  // namespace

Exit run_verify(Arguments const& arguments) {
    check_words(arguments);
    auto plan = plan_of(arguments);
    if (auto const metric = arguments.value("--metric"); metric && measures_command(arguments))
        (void)verify::MetricReader(*metric);  // complains before anything runs
    // From here a signal ends the runs at once, and this program when the rest is printed.
    HeldSignals const signals;
    Report report;
    auto const groups = groups_for(arguments, report);
    report.command = "verify";
    if (!report.host) report.host = host_for_bench(arguments);
    report.verify = VerifySummary{.margin = plan.margin,
                                  .budget_seconds = plan.budget_seconds,
                                  .seed = plan.seed,
                                  .asserted = arguments.values("--assume-read")};
    std::vector<ChosenDevice> devices;
    if (!measures_command(arguments)) devices = choose_devices(arguments, *report.host);
    plan.budget_seconds /= static_cast<double>(groups.size());
    for (auto const& group : groups) {
        if (HeldSignals::waiting()) break;
        try {
            run_group(arguments, group, devices, plan, report);
        } catch (Error const& error) {
            // What the other groups have shown stands.
            if (groups.size() == 1) throw;
            report.errors.push_back({error.what(), error.hint(), error.code()});
            report.exit_code = graver(report.exit_code, error.code());
        }
    }
    note_signal(HeldSignals::waiting(), "the verdicts rest on the runs before", report);
    write_report(report, arguments);
    return report.exit_code;
}

}  // namespace rocmtune
