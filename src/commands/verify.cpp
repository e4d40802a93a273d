// SPDX-License-Identifier: MIT
// rocmtune verify.
#include <algorithm>
#include <chrono>
#include <cstdint>

#include <sys/random.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/gemm.hpp"
#include "commands/verify_settings.hpp"
#include "judge/verify/report.hpp"
#include "judge/verify/runners.hpp"
#include "machine/held_signals.hpp"
#include "measure/output.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::seconds usual_silence{180};
constexpr std::chrono::seconds usual_command_time{60};

/// Not from std::random_device, which in a static libstdc++ of gcc 12 asks for glibc 2.36.
std::uint32_t random_seed() {
    std::uint32_t seed = 0;
    if (::getrandom(&seed, sizeof seed, 0) != sizeof seed)
        throw Error("no random numbers", {}, Exit::internal);
    return seed;
}

verify::ExperimentPlan plan_of(VerifyCommand const& options) {
    verify::ExperimentPlan plan;
    plan.margin = options.margin;
    plan.budget_seconds = options.budget_seconds;
    plan.self_test = options.is_self_test;
    // The time of a command needs no run to tell.
    bool const is_time = options.measures_command() && !options.metric;
    plan.lower_is_better = options.lower_is_better.value_or(is_time);
    plan.direction_by_unit = !options.lower_is_better;
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

/// The figures that may stand for a benchmark, the best one first.
std::vector<std::string> metrics_of(SettingGroup const& group, std::string const& backend,
                                    std::string const& dtype) {
    auto const* const row = bench::find_benchmark(group.benchmark);
    if (row != nullptr && !row->judged_by.empty()) return {std::string(row->judged_by)};
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
bench::Options options_of(VerifyCommand const& asked, SettingGroup const& group,
                          bench::DeviceInfo const& device) {
    bench::Options options;
    options.benchmarks = {group.benchmark};
    options.backend = device.backend;
    options.device = device.index;
    options.matrix_units = bench::matrix_units_of(chips_for(asked.host.data), device.target);
    options.dtype = asked.dtype;
    options.quick = true;
    bool const cpu = device.backend == "cpu";
    options.seconds = cpu ? 0.02 : 0.1;
    if (cpu && group.benchmark == "gemm") options.size = 512;
    if (asked.size) options.size = asked.size;
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
verify::Runner runner_of(VerifyCommand const& asked, SettingGroup const& group,
                         std::vector<ChosenDevice> const& devices, verify::Subject& subject) {
    auto const& device = devices.front();
    auto options = options_of(asked, group, device.info);
    options.others = others_of(devices, device);
    auto metrics = metrics_of(group, device.info.backend, options.dtype);
    if (asked.metric) metrics = {*asked.metric};
    auto const silence = asked.host.data.patience.value_or(usual_silence);
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

std::string shell_text(std::vector<std::string> const& words) {
    std::string text;
    for (auto const& word : words) text += (text.empty() ? "" : " ") + shell_word(word);
    return text;
}

verify::Runner command_of(VerifyCommand const& options, SettingGroup const& group,
                          verify::Subject& subject) {
    auto const& line = options.shell_line;
    auto words = options.command;
    // The only shell that this program starts, for what its user has written for one.
    if (line) words = {"/bin/sh", "-c", *line};
    auto const& metric = options.metric;
    subject.metric = metric.value_or("time");
    subject.name = fmt::format("'{}'", (line ? *line : shell_text(words)).substr(0, 60));
    subject.pattern.backend = "command";
    auto const reader = metric ? std::make_shared<verify::MetricReader const>(*metric) : nullptr;
    return based_on(group.baseline, verify::command_runner(
                                        std::move(words), reader,
                                        options.host.data.patience.value_or(usual_command_time)));
}

// ---- the whole ----------------------------------------------------------------------------------

std::vector<SettingGroup> groups_for(VerifyCommand const& options, Report& report) {
    if (options.is_self_test) return {self_test_group(options)};
    auto const catalogue = catalogue_for(options.host.data);
    auto const settings = named_settings(options);
    if (!settings.empty()) return groups_of(settings, options, catalogue);
    report = advised_report(options.host, options.advice, catalogue);
    report.settings.reset();
    auto groups = groups_of(*report.advice, options, catalogue);
    if (groups.empty())
        throw Error("no recommendation for this host can be measured by a benchmark",
                    "name a setting: --setting NAME=VALUE", Exit::undetermined);
    return groups;
}

void run_group(VerifyCommand const& options, SettingGroup const& group,
               std::vector<ChosenDevice> const& devices, verify::ExperimentPlan plan,
               Report& report) {
    verify::Subject subject{.benchmark = group.benchmark,
                            .self_test = plan.self_test,
                            .findings_count = options.fail_on != Verdict::pass};
    bool const command = group.benchmark == "command";
    auto const runner =
        command ? command_of(options, group, subject) : runner_of(options, group, devices, subject);
    ProgressLine const line(!options.output.is_quiet);
    plan.progress = [&](std::size_t done, std::size_t all) {
        line.show(fmt::format("[{}/{}] blocks of {}", done + 1, all, subject.name));
    };
    verify::add_result(verify::run_experiment(group.candidates, runner, plan), subject, report);
}

}  // namespace

Exit run_verify(VerifyCommand const& options) {
    auto plan = plan_of(options);
    bool const has_command = options.measures_command();
    if (options.metric && has_command)
        (void)verify::MetricReader(*options.metric);  // complains before anything runs
    // From here a signal ends the runs at once, and this program when the rest is printed.
    HeldSignals const signals;
    Report report;
    auto const groups = groups_for(options, report);
    report.command = "verify";
    if (!report.host) report.host = host_for_bench(options.devices, options.host.data.directory);
    report.verify = VerifySummary{.margin = plan.margin,
                                  .budget_seconds = plan.budget_seconds,
                                  .seed = plan.seed,
                                  .asserted = options.assume_read};
    std::vector<ChosenDevice> devices;
    if (!has_command) devices = choose_devices(options.devices, *report.host);
    plan.budget_seconds /= static_cast<double>(groups.size());
    for (auto const& group : groups) {
        if (HeldSignals::waiting()) break;
        try {
            run_group(options, group, devices, plan, report);
        } catch (Error const& error) {
            // What the other groups have shown stands.
            if (groups.size() == 1) throw;
            report.errors.push_back({error.what(), error.hint(), error.code()});
            report.exit_code = graver(report.exit_code, error.code());
        }
    }
    note_signal(HeldSignals::waiting(), "the verdicts rest on the runs before", report);
    write_report(report, options.output);
    return report.exit_code;
}

}  // namespace rocmtune
