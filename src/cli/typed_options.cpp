// SPDX-License-Identifier: MIT
// Commands that look at a host, and what is about rocmtune itself.
#include "cli/typed_options.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "cli/choices.hpp"
#include "cli/options.hpp"
#include "measure/output.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {

void fill(ProbeCommand& command, Arguments const& arguments) {
    command = {.host = host_of(arguments),
               .output = output_of(arguments),
               .is_alone = arguments.command.empty(),
               .visible = arguments.values("--visible"),
               .watch_seconds = arguments.number("--watch", 0.01),
               .names_format = arguments.has("--format") || arguments.has("--json"),
               .count = arguments.whole_number("--count", 1, 1'000'000'000),
               .flight = arguments.value("--flight"),
               .is_bug_report = arguments.has("--bug-report"),
               .measures = arguments.has("--measure")};
    if (command.measures && !command.host.is_live())
        throw Error(
            "--measure lets the GPUs of this host work, and a recorded host or --sources sysfs has "
            "none",
            "leave out --measure");
    if (!command.watch_seconds) return;
    auto const format = arguments.value("--format").value_or("ndjson");
    if (format != "ndjson" && format != "json")
        throw Error("--watch prints a table on a terminal, else JSON lines", "leave out --format");
    command.output.format = format_of(arguments.command, "ndjson");
}

void fill(EnvCommand& command, Arguments const& arguments) {
    command = {host_of(arguments), output_of(arguments), advice_of(arguments)};
}

void fill(RunCommand& command, Arguments const& arguments) {
    command = {.host = host_of(arguments),
               .advice = advice_of(arguments),
               .output = output_of(arguments),
               .command = arguments.positionals,
               .diagnoses = arguments.has("--diagnose"),
               .hang = arguments.milliseconds("--hang"),
               .is_dry = arguments.has("--dry-run"),
               .is_quiet = arguments.has("--quiet"),
               .is_verbose = arguments.has("--verbose")};
    if (command.hang && !command.diagnoses)
        throw Error("--hang says what this host shows, which --diagnose asks for",
                    "rocmtune run --diagnose --hang 60 -- COMMAND...");
}

void fill(ExplainCommand& command, Arguments const& arguments) {
    command = {host_of(arguments), output_of(arguments), advice_of(arguments),
               arguments.positionals.front()};
}

void fill(CheckCommand& command, Arguments const& arguments) {
    command = {.host = host_of(arguments),
               .output = output_of(arguments),
               .level = chosen(arguments, "--level", check_level_words, CheckLevel::quick),
               .only = words_of_lists(arguments.values("--only")),
               .skip = words_of_lists(arguments.values("--skip")),
               .expect_gpus = arguments.values("--expect-gpus"),
               .expect = arguments.value("--expect"),
               .learn = arguments.value("--learn"),
               .baseline = arguments.value("--baseline"),
               .ignore = arguments.value("--ignore"),
               .force = arguments.has("--force"),
               .fail_on = fail_on(arguments)};
}

void fill(DiagnoseCommand& command, Arguments const& arguments) {
    command = {.host = host_of(arguments),
               .output = output_of(arguments),
               .inputs = arguments.positionals,
               .hang = arguments.milliseconds("--hang"),
               .fail_on = fail_on(arguments)};
    auto& inputs = command.inputs;
    auto const behind = inputs.end() - static_cast<std::ptrdiff_t>(arguments.behind);
    command.command.assign(behind, inputs.end());
    inputs.erase(behind, inputs.end());
    if (!inputs.empty() && !command.command.empty())
        throw Error("a text and a command cannot be judged together",
                    "rocmtune diagnose -- COMMAND... judges what the command prints");
    if (command.host.behalf && !command.command.empty())
        throw Error("a command that is watched runs as this user and in this environment",
                    "leave out --user, --process and --unit, or give what it printed as a file");
    if (command.hang && command.command.empty())
        throw Error("--hang is for a command that is watched",
                    "rocmtune diagnose --hang 60 -- COMMAND...");
    if (std::ranges::count(inputs, "-") > 1)
        throw Error("standard input can be one of the texts only", "leave out one of the -");
    if (std::ranges::any_of(inputs, [](auto const& input) { return trim(input).empty(); }))
        throw Error("an empty text says nothing",
                    "rocmtune diagnose without arguments judges the log of this host");
}

void fill(BenchCommand& command, Arguments const& arguments) {
    command = {output_of(arguments), benchmarks_of(arguments)};
    command.benchmarks.devices = devices_of(arguments);
    if (!arguments.positionals.empty())
        command.benchmarks.benchmark = arguments.positionals.front();
}

void fill(CacheCommand& command, Arguments const& arguments) {
    command = {output_of(arguments), arguments.positionals.front() == "clear"};
}

void fill(SchemaCommand& command, Arguments const& arguments) {
    command = {data_of(arguments), output_of(arguments), arguments.positionals.front()};
}

}  // namespace rocmtune
