// SPDX-License-Identifier: MIT
#include "cli/choices.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/ticks.hpp"
#include "cli/options.hpp"
#include "measure/output.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

Format const* wanted_format(Arguments const& arguments) {
    auto const asked = arguments.value("--format");
    if (arguments.has("--json") && asked && asked != "json")
        throw Error("--json and --format exclude each other",
                    "--json is --format json; --also json:FILE writes it beside another format");
    auto const usual = arguments.command == "env" ? "sh" : "text";
    return format_of(arguments.command, arguments.has("--json") ? "json" : asked.value_or(usual));
}

/// The processes of lint are texts of their own; there the option may be repeated.
std::optional<Behalf> behalf_of(Arguments const& arguments) {
    std::vector<Behalf> all;
    for (auto const& [option, of] :
         {std::pair("--user", Behalf::Of::user), std::pair("--process", Behalf::Of::process),
          std::pair("--unit", Behalf::Of::unit)})
        if (arguments.command != "lint" || of != Behalf::Of::process)
            for (auto const& name : arguments.values(option)) all.push_back({of, name});
    if (all.size() > 1)
        throw Error("a host is judged for one process at a time",
                    "give one of --user, --process and --unit");
    if (all.empty()) return std::nullopt;
    return all.front();
}

}  // namespace

void exclude(std::string_view one, std::string_view other, std::string_view hint) {
    throw Error(fmt::format("{} and {} exclude each other", one, other), std::string(hint));
}

std::vector<std::string> words_of_lists(std::vector<std::string> const& values) {
    std::vector<std::string> result;
    for (auto const& value : values)
        for (auto const part : split(value, ',')) result.emplace_back(trim(part));
    return result;
}

Verdict fail_on(Arguments const& arguments) {
    auto const word = arguments.value("--fail-on").value_or("fail");
    return word == "never" ? Verdict::pass : word == "warn" ? Verdict::warn : Verdict::fail;
}

DataChoice data_of(Arguments const& arguments) {
    return {arguments.value("--profiles"), arguments.milliseconds("--timeout")};
}

HostChoice host_of(Arguments const& arguments) {
    auto const bug_report = arguments.value("--bug-report");
    RecordingChoice const recording{
        .file = bug_report ? *bug_report : arguments.value("--record").value_or(""),
        .redacts = arguments.has("--redact") || bug_report,
        .is_quiet = arguments.has("--quiet")};
    return {.root = arguments.value("--root"),
            .replay = arguments.value("--replay"),
            .data = data_of(arguments),
            .sysfs_only = arguments.value("--sources") == "sysfs",
            .is_watched = arguments.has("--watch"),
            .wake = arguments.has("--wake"),
            .gpus = parse_gpu_selectors(arguments.values("--gpu")),
            .recording = recording,
            .behalf = behalf_of(arguments)};
}

AdviceChoice advice_of(Arguments const& arguments) {
    AdviceChoice choice;
    auto& selection = choice.selection;
    selection.level = chosen(arguments, "--level", level_words, selection.level);
    selection.workload = chosen(arguments, "--workload", workload_words, selection.workload);
    selection.framework = chosen(arguments, "--framework", framework_words, selection.framework);
    choice.settings = {.force = arguments.has("--force"), .clear = arguments.has("--unset")};
    choice.verified = arguments.value("--verified");
    return choice;
}

DeviceChoice devices_of(Arguments const& arguments) {
    return {arguments.value("--backend").value_or("auto"),
            parse_gpu_selectors(arguments.values("--gpu"))};
}

BenchmarkChoice benchmarks_of(Arguments const& arguments) {
    return {.dtype = arguments.value("--dtype").value_or(""),
            .size = arguments.whole_number("--size", 1, most_bench_size),
            .bins = arguments.whole_number("--bins", 1, bench::most_bins),
            .ticks_file = arguments.value("--ticks").value_or(""),
            .tick_size = arguments.number("--tick", 1e-12),
            .seconds = arguments.seconds("--time"),
            .quick = arguments.has("--quick"),
            .data = data_of(arguments),
            .is_quiet = arguments.has("--quiet")};
}

Output output_of(Arguments const& arguments) {
    Output output{.format = wanted_format(arguments),
                  .file = arguments.value("--output"),
                  .is_quiet = arguments.has("--quiet"),
                  .allows_color = !arguments.has("--no-color"),
                  .verbosity = arguments.count("--verbose")};
    for (auto const* option : {"--output", "--record", "--bug-report", "--learn"})
        if (auto const name = arguments.value(option); name && *name != "-")
            output.written.push_back({option, *name});
    for (auto const& text : arguments.values("--also")) {
        output.also.push_back(parse_also(arguments.command, text));
        output.written.push_back({"--also", output.also.back().file});
    }
    refuse_shared_files(output.written);
    return output;
}

}  // namespace rocmtune
