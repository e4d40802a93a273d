// SPDX-License-Identifier: MIT
// verify and tune.
#include "cli/typed_options.hpp"

#include <fmt/format.h>

#include "cli/choices.hpp"
#include "cli/options.hpp"
#include "measure/output.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

void check_measured(Arguments const& arguments, VerifyCommand const& options) {
    bool const command = options.measures_command();
    if (options.shell_line && !options.command.empty())
        throw Error("a command stands in --command or behind --, not in both",
                    "behind -- no shell sees it; --command is a line for the shell");
    if (command && options.benchmark)
        exclude("--command", "--benchmark", "one of them is what is measured; leave out the other");
    if (!command && options.lower_is_better)
        throw Error("--better belongs to --command",
                    "what is better in a benchmark is known; leave it out");
    for (auto const* const option : {"--backend", "--gpu", "--dtype", "--size"})
        if (command && arguments.has(option))
            throw Error(fmt::format("{} belongs to --benchmark", option),
                        "the environment says what a command runs on: HIP_VISIBLE_DEVICES");
    bool const named =
        !options.settings.empty() || !options.unset.empty() || options.env_file.has_value();
    if (options.is_self_test && named)
        throw Error("--self-test changes nothing", "leave out the settings");
    if (options.devices.gpus.size() > 1)
        throw Error(fmt::format("{} measures one device: one --gpu", arguments.command),
                    "run it once for each GPU, with --json -o FILE");
}

/// What verify and tune measure, and with which settings.
VerifyCommand what_is_measured(Arguments const& arguments) {
    VerifyCommand command{.output = output_of(arguments),
                          .host = host_of(arguments),
                          .advice = advice_of(arguments),
                          .settings = arguments.values("--setting"),
                          .benchmark = arguments.value("--benchmark"),
                          .shell_line = arguments.value("--command"),
                          .command = arguments.positionals,
                          .metric = arguments.value("--metric"),
                          .assume_read = arguments.values("--assume-read"),
                          .devices = devices_of(arguments),
                          .dtype = arguments.value("--dtype").value_or(""),
                          .size = arguments.whole_number("--size", 1, most_bench_size)};
    command.advice.settings = {};  // --unset and --force mean something else here
    return command;
}

/// By how much, and for how long, of verify and tune alike.
void fill_measuring(VerifyCommand& command, Arguments const& arguments) {
    if (auto const word = arguments.value("--better")) command.lower_is_better = *word == "lower";
    check_measured(arguments, command);
    if (auto const percent = arguments.number("--margin", 0.01)) command.margin = *percent / 100;
    if (command.margin > 10) throw Error("--margin is at most 1000 %");
    command.budget_seconds = arguments.seconds("--budget", 0.01).value_or(command.budget_seconds);
}

void check_tuned(TuneCommand const& command) {
    auto const& measured = command.measured;
    bool const has_command = measured.measures_command();
    if (!has_command && !measured.benchmark)
        throw Error("tune needs a COMMAND behind --, or --benchmark",
                    "for example rocmtune tune -- ./train --steps 20");
    bool const serves = measured.ready || measured.load_line;
    if (!has_command && (command.result.compares() || !command.launches.empty() || serves))
        throw Error("--check, --check-file, --launch, --ready and --load belong to a command",
                    "a benchmark checks its results itself, and runs in this program");
    if (command.only_observes && !has_command)
        throw Error("--observe watches a command", "leave out --benchmark");
    if (measured.ready.has_value() != measured.load_line.has_value())
        throw Error("--ready and --load belong together",
                    "for example --ready 'listening' --load './client --requests 100'");
    if (command.result.tolerance && !command.result.file)
        throw Error("--tolerance needs --check-file FILE", "it is for the numbers in FILE");
}

/// `-o settings.sh` asks for the script, and the terminal gets the rest.
void take_script_by_name(Output& output, Arguments const& arguments) {
    constexpr std::pair<std::string_view, std::string_view> scripts[] = {
        {".sh", "sh"}, {".bash", "bash"}, {".fish", "fish"}, {".csh", "csh"}};
    if (arguments.has("--format") || arguments.has("--json") || !output.file) return;
    for (auto const& [ending, format] : scripts) {
        if (!output.file->ends_with(ending)) continue;
        output.also.push_back({format_of("tune", format), *output.file});
        output.file.reset();
        return;
    }
}

}  // namespace

void fill(VerifyCommand& command, Arguments const& arguments) {
    command = what_is_measured(arguments);
    command.unset = arguments.values("--unset");
    command.env_file = arguments.value("--env-file");
    command.is_self_test = arguments.has("--self-test");
    command.fail_on = fail_on(arguments);
    fill_measuring(command, arguments);
}

void fill(TuneCommand& command, Arguments const& arguments) {
    auto& measured = command.measured;
    measured = what_is_measured(arguments);
    measured.ready = arguments.value("--ready");
    measured.load_line = arguments.value("--load");
    measured.budget_seconds = 600;
    measured.margin = 0.01;
    if (!arguments.has("--level")) measured.advice.selection.level = Level::aggressive;
    fill_measuring(measured, arguments);
    command.launches = arguments.values("--launch");
    command.result = {.pattern = arguments.value("--check"),
                      .file = arguments.value("--check-file")};
    if (auto const percent = arguments.number("--tolerance", 0))
        command.result.tolerance = *percent / 100;
    command.resumes = arguments.has("--resume");
    command.only_observes = arguments.has("--observe");
    command.regions = arguments.values("--region");
    check_tuned(command);
    take_script_by_name(measured.output, arguments);
}

}  // namespace rocmtune
