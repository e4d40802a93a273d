// SPDX-License-Identifier: MIT
// rocmtune verify.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "commands/measured_subject.hpp"
#include "judge/verify/report.hpp"
#include "judge/verify/runners.hpp"
#include "machine/held_signals.hpp"
#include "measure/output.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

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
    auto const runner = command ? command_of(options, group.baseline, subject)
                                : benchmark_of(options, group, devices, subject);
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
