// SPDX-License-Identifier: MIT
#include "commands/measured_subject.hpp"

#include <algorithm>
#include <memory>

#include <sys/random.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/gemm.hpp"
#include "judge/verify/line_pattern.hpp"
#include "measure/gpu_watch.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::seconds usual_silence{180};
constexpr std::chrono::seconds usual_command_time{60};

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

}  // namespace

verify::Runner benchmark_of(VerifyCommand const& asked, SettingGroup const& group,
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

std::vector<std::string> shell_words(std::string const& line) {
    return {"/bin/sh", "-c", line};
}

namespace {

/// "numactl --membind=0" before the words of a command.
std::vector<std::string> with_prefix(std::string_view prefix,
                                     std::vector<std::string> const& words) {
    std::vector<std::string> all;
    for (auto const word : split(prefix, ' '))
        if (!word.empty()) all.emplace_back(word);
    all.insert(all.end(), words.begin(), words.end());
    return all;
}

}  // namespace

std::string shell_text(std::vector<std::string> const& words) {
    std::string text;
    for (auto const& word : words) text += (text.empty() ? "" : " ") + shell_word(word);
    return text;
}

std::vector<std::string> words_of(VerifyCommand const& options) {
    return options.shell_line ? shell_words(*options.shell_line) : options.command;
}

milliseconds command_time(VerifyCommand const& options) {
    return options.host.data.patience.value_or(usual_command_time);
}

verify::Runner command_of(VerifyCommand const& options,
                          std::vector<EnvironmentChange> const& baseline, verify::Subject& subject,
                          verify::OutputCheck check) {
    auto const& line = options.shell_line;
    auto const words = words_of(options);
    auto const& metric = options.metric;
    subject.metric = metric.value_or("time");
    subject.name = fmt::format("'{}'", (line ? *line : shell_text(words)).substr(0, 60));
    subject.pattern.backend = "command";
    auto const reader = metric ? std::make_shared<verify::MetricReader const>(*metric) : nullptr;
    verify::ServerLoad const load{.ready = options.ready.value_or(""),
                                  .words = shell_words(options.load_line.value_or("")),
                                  .watch_memory = [] {
                                      auto const gpus = std::make_shared<GpuWatch>(::getpid());
                                      return [gpus] { return gpus->wait_for_memory(); };
                                  }};
    bool const serves = options.ready.has_value();
    if (serves) (void)verify::LinePattern("--ready", load.ready);
    return [=, deadline = command_time(options)](std::span<EnvironmentChange const> changes,
                                                 bool watch) {
        auto all = baseline;
        auto launched = words;
        for (auto const& change : changes)
            if (change.name != launch_choice) all.push_back(change);
            else launched = with_prefix(change.value.value_or(""), words);
        auto const runner = serves ? verify::server_runner(launched, load, reader, deadline, check)
                                   : verify::command_runner(launched, reader, deadline, check);
        return runner(all, watch);
    };
}

std::uint32_t random_seed() {
    std::uint32_t seed = 0;
    if (::getrandom(&seed, sizeof seed, 0) != sizeof seed)
        throw Error("no random numbers", {}, Exit::internal);
    return seed;
}

}  // namespace rocmtune
