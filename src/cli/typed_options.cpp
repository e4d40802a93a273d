// SPDX-License-Identifier: MIT
#include "cli/typed_options.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/package_name.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "bench/ticks.hpp"
#include "cli/options.hpp"
#include "judge/rules/explain.hpp"
#include "measure/output.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

[[noreturn]] void exclude(std::string_view one, std::string_view other, std::string_view hint) {
    throw Error(fmt::format("{} and {} exclude each other", one, other), std::string(hint));
}

// ---- what several commands have -----------------------------------------------------------------

/// The enumerator of a word that the table of options has let through.
template <class Enumeration, class Words>
Enumeration chosen(Arguments const& arguments, std::string_view option, Words const& all,
                   Enumeration usual) {
    auto const word = arguments.value(option);
    if (!word) return usual;
    return static_cast<Enumeration>(std::ranges::find(all, *word) - std::begin(all));
}

/// The words of lists with commas.
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

Format const* wanted_format(Arguments const& arguments) {
    auto const asked = arguments.value("--format");
    if (arguments.has("--json") && asked && asked != "json")
        throw Error("--json and --format exclude each other",
                    "--json is --format json; --also json:FILE writes it beside another format");
    auto const usual = arguments.command == "env" ? "sh" : "text";
    return format_of(arguments.command, arguments.has("--json") ? "json" : asked.value_or(usual));
}

DataChoice data_of(Arguments const& arguments) {
    return {arguments.value("--profiles"), arguments.milliseconds("--timeout")};
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

// ---- words of single commands -------------------------------------------------------------------

/// The order is that of the document.
constexpr std::array<std::string_view, 5> part_words{"probe", "env", "lint", "check", "bench"};

std::string_view part_of(std::string const& word) {
    auto const found = std::ranges::find(part_words, word);
    if (found != part_words.end()) return *found;
    throw Error(
        fmt::format("--parts knows no part '{}'", printable(word)),
        suggestion(word, part_words, fmt::format("choose some of {}", fmt::join(part_words, ","))));
}

/// The facts of the host are always there: all else rests on them.
std::vector<std::string> parts_of(Arguments const& arguments) {
    std::vector<std::string_view> asked{"probe"};
    auto const wanted = arguments.value("--parts").value_or("probe,env,lint,check");
    for (auto const& word : words_of_lists({wanted})) asked.push_back(part_of(word));
    std::vector<std::string> parts;
    for (auto const word : part_words)
        if (std::ranges::find(asked, word) != asked.end()) parts.emplace_back(word);
    return parts;
}

/// What chooses a host or judges it has no place where both were done before.
void check_report_files(Arguments const& arguments) {
    for (auto const* option :
         {"--root", "--replay", "--parts", "--gpu", "--level", "--workload", "--framework",
          "--time", "--quick", "--wake", "--timeout", "--sources"})
        if (arguments.has(option))
            exclude(option, "report files",
                    "files are shown as they are; without them this host is looked at");
    if (std::ranges::count(arguments.positionals, "-") > 1)
        throw Error("standard input can be one of the reports only",
                    "write the others to files with --json -o FILE");
}

void check_measuring(Arguments const& arguments, ReportCommand const& options) {
    bool const measures = std::ranges::count(options.parts, "bench") > 0;
    // Options of a part that is not asked for would be passed over in silence.
    for (auto const* option : {"--time", "--quick"})
        if (arguments.has(option) && !measures)
            throw Error(fmt::format("{} belongs to the part bench", option),
                        "add --parts env,lint,check,bench");
    if (measures && !options.host.is_live())
        throw Error("a recorded host cannot be measured",
                    "rocmtune bench --json -o bench.json on that host, then rocmtune report "
                    "host.json bench.json");
}

struct Suffix {
    char letter;
    double factor;
};

/// A number with a letter behind it; nothing if it is none.
std::optional<double> scaled(std::string_view text, std::span<Suffix const> suffixes) {
    double factor = 1;
    for (auto const& suffix : suffixes)
        if (!text.empty() && to_upper(text.back()) == suffix.letter) {
            factor = suffix.factor;
            text.remove_suffix(1);
            break;
        }
    auto const number = to_real(text);
    if (!number) return std::nullopt;
    return *number * factor;
}

/// "70B", "8030261248", "1.5T": parameters.
std::uint64_t parameters_in(std::string const& text) {
    constexpr Suffix suffixes[] = {{'K', 1e3}, {'M', 1e6}, {'B', 1e9}, {'G', 1e9}, {'T', 1e12}};
    constexpr double least = 1e3, most = 1e15;
    auto const number = scaled(text, suffixes);
    if (!number || !(*number >= least && *number <= most))
        throw Error(fmt::format("--params needs a number of parameters, not '{}'", printable(text)),
                    "for example --params 70B, or --params 8030261248");
    return static_cast<std::uint64_t>(std::llround(*number));
}

/// "192GiB", "24G", "80GB": bytes; binary units but for those that end in B without an i.
std::uint64_t memory_in(std::string const& text) {
    constexpr Suffix binary[] = {{'M', 0x1p20}, {'G', 0x1p30}, {'T', 0x1p40}};
    constexpr Suffix decimal[] = {{'M', 1e6}, {'G', 1e9}, {'T', 1e12}};
    constexpr double least = 0x1p20, most = 0x1p50;
    auto const shown = lower(text);
    std::string_view digits = shown;
    bool const with_i = digits.ends_with("ib");
    bool const with_b = !with_i && digits.ends_with('b');
    digits.remove_suffix(with_i ? 2 : with_b ? 1 : 0);
    auto const bytes = with_b ? scaled(digits, decimal) : scaled(digits, binary);
    if (!bytes || !(*bytes >= least && *bytes <= most))
        throw Error(fmt::format("--memory needs a size, not '{}'", printable(text)),
                    "for example --memory 192GiB, the memory of one GPU");
    return static_cast<std::uint64_t>(*bytes);
}

/// "3.12".
/// "3.12" of itself and of "3.12.4"; absent for what is no release of Python 3.
std::optional<std::string> python_release(std::string_view text) {
    auto const parts = split_once(text, '.');
    if (!parts || parts->first != "3") return std::nullopt;
    auto const patch = split_once(parts->second, '.');
    auto const minor = patch ? patch->first : parts->second;
    if (minor.size() > 2 || !to_unsigned(minor, 10)) return std::nullopt;
    if (patch && !to_unsigned(patch->second, 10)) return std::nullopt;
    return fmt::format("3.{}", minor);
}

/// What chooses host and GPUs, as it was given.
std::string place_of(Arguments const& arguments) {
    std::string text;
    for (auto const* option :
         {"--root", "--replay", "--sources", "--profiles", "--gpu", "--memory"})
        for (auto const& value : arguments.values(option))
            text += fmt::format(" {} {}", option, shell_word(value));
    return text;
}

PlanWish wish_of(Arguments const& arguments) {
    constexpr std::uint64_t most_rank = 65536, most_tensor = 4096, most_stages = 1024;
    return {.inference = arguments.has("--inference"),
            .recompute = arguments.value("--checkpointing") == "full",
            .chunked_loss = arguments.value("--loss") == "chunked",
            .splits_sequence = arguments.has("--sequence-parallel"),
            .dtype = arguments.value("--dtype"),
            .cache_dtype = arguments.value("--cache-dtype"),
            .optimizer = arguments.value("--optimizer"),
            .shard = arguments.value("--shard"),
            .attention = arguments.value("--attention"),
            .base_dtype = arguments.value("--base-dtype"),
            .lora_rank = arguments.whole_number("--lora", 1, most_rank),
            .gpus = arguments.whole_number("--gpus", 1, most_planned_gpus),
            .batch = arguments.whole_number("--batch", 1, most_planned_batch),
            .sequence = arguments.whole_number("--sequence", 1, most_planned_tokens),
            .tensor = arguments.whole_number("--tensor-parallel", 1, most_tensor),
            .pipeline = arguments.whole_number("--pipeline-parallel", 1, most_stages),
            .place = place_of(arguments)};
}

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

/// What verify and tune share.
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

/// "3%" or "3": a ratio.
double margin_in(std::string const& text) {
    auto digits = std::string_view(text);
    if (digits.ends_with('%')) digits.remove_suffix(1);
    auto const percent = to_real(trim(digits));
    if (!percent || *percent < 0 || *percent >= 100)
        throw Error(fmt::format("--regression needs a percentage of 0 to below 100, not '{}'",
                                printable(text)),
                    "for example --regression 3%");
    return *percent / 100;
}

}  // namespace

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

Verdict least_told(Arguments const& arguments) {
    auto const word = arguments.value("--min-level").value_or("info");
    return word == "fail" ? Verdict::fail : word == "warn" ? Verdict::warn : Verdict::info;
}

/// "torch=2.5.1": of a package that somebody reads settings in.
StatedRelease release_of(std::string_view text) {
    auto const parts = split_once(text, '=');
    auto const package = parts ? normalised_name(parts->first) : std::string();
    auto const version = parts ? trim(parts->second) : std::string_view();
    if (package.empty() || !version_parts(version))
        throw Error(fmt::format("--for takes NAME=VERSION, not '{}'", printable(text)),
                    "rocmtune lint --for torch=2.5.1,rocm=6.4 FILE");
    return {.package = package, .version = std::string(version), .origin = "--for"};
}

std::vector<StatedRelease> releases_of(Arguments const& arguments) {
    std::vector<StatedRelease> releases;
    for (auto const& list : arguments.values("--for"))
        for (auto const one : split(list, ',')) releases.push_back(release_of(trim(one)));
    return releases;
}

/// @throws Error where nothing could be mended, or where what is accepted would be.
Mending mending_of(Arguments const& arguments) {
    bool const fixes = arguments.has("--fix");
    if (!fixes && !arguments.has("--diff")) return Mending::none;
    auto const option = fixes ? "--fix" : "--diff";
    if (fixes && arguments.has("--diff"))
        throw Error("--diff and --fix exclude each other", "--diff shows what --fix would change");
    if (arguments.positionals.empty())
        throw Error(fmt::format("{} needs files", option),
                    "rocmtune env --unset clears settings of an environment");
    if (fixes && std::ranges::find(arguments.positionals, "-") != arguments.positionals.end())
        throw Error("--fix cannot change standard input", "--diff prints what to change");
    if (arguments.has("--baseline"))
        throw Error(fmt::format("{} and --baseline exclude each other", option),
                    "--ignore and comments keep findings from being mended");
    if (!fixes &&
        (arguments.has("--json") || arguments.value("--format").value_or("text") != "text"))
        throw Error("--diff has a format of its own", "--also writes a report beside it");
    return fixes ? Mending::fix : Mending::diff;
}

void fill(LintCommand& command, Arguments const& arguments) {
    command = {.host = host_of(arguments),
               .output = output_of(arguments),
               .files = arguments.positionals,
               .shows_readers = arguments.has("--readers"),
               .baseline = arguments.value("--baseline"),
               .ignore = arguments.value("--ignore"),
               .fail_on = fail_on(arguments)};
    if (arguments.has("--kind"))
        command.kind = chosen(arguments, "--kind", input_kind_words, InputKind::shell);
    for (auto const& text : arguments.values("--process")) {
        auto const pid = to_signed(text);
        if (!pid || *pid < 1) throw Error(fmt::format("'{}' is no process id", printable(text)));
        command.processes.push_back(static_cast<long>(*pid));
    }
    command.releases = releases_of(arguments);
    command.min_level = least_told(arguments);
    command.mending = mending_of(arguments);
    if (command.host.behalf && (!command.files.empty() || !command.processes.empty()))
        throw Error("--unit judges the environment of a unit, and nothing beside it",
                    "give the files or processes without --unit");
    if (command.shows_readers && (command.host.root || command.host.replay))
        throw Error("--readers looks at this machine, not at a recorded one",
                    "leave out --root and --replay");
}

void fill(BenchCommand& command, Arguments const& arguments) {
    command = {output_of(arguments), benchmarks_of(arguments)};
    command.benchmarks.devices = devices_of(arguments);
    if (!arguments.positionals.empty())
        command.benchmarks.benchmark = arguments.positionals.front();
}

void fill(VerifyCommand& command, Arguments const& arguments) {
    command = {.output = output_of(arguments),
               .host = host_of(arguments),
               .advice = advice_of(arguments),
               .settings = arguments.values("--setting"),
               .unset = arguments.values("--unset"),
               .env_file = arguments.value("--env-file"),
               .benchmark = arguments.value("--benchmark"),
               .shell_line = arguments.value("--command"),
               .command = arguments.positionals,
               .metric = arguments.value("--metric"),
               .assume_read = arguments.values("--assume-read"),
               .is_self_test = arguments.has("--self-test"),
               .devices = devices_of(arguments),
               .dtype = arguments.value("--dtype").value_or(""),
               .size = arguments.whole_number("--size", 1, most_bench_size),
               .fail_on = fail_on(arguments)};
    command.advice.settings = {};  // --unset and --force mean something else here
    fill_measuring(command, arguments);
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

void fill(TuneCommand& command, Arguments const& arguments) {
    auto& measured = command.measured;
    measured = {.output = output_of(arguments),
                .host = host_of(arguments),
                .advice = advice_of(arguments),
                .settings = arguments.values("--setting"),
                .benchmark = arguments.value("--benchmark"),
                .shell_line = arguments.value("--command"),
                .command = arguments.positionals,
                .ready = arguments.value("--ready"),
                .load_line = arguments.value("--load"),
                .metric = arguments.value("--metric"),
                .budget_seconds = 600,
                .margin = 0.01,
                .assume_read = arguments.values("--assume-read"),
                .devices = devices_of(arguments),
                .dtype = arguments.value("--dtype").value_or(""),
                .size = arguments.whole_number("--size", 1, most_bench_size)};
    measured.advice.settings = {};
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

void fill(ReportCommand& command, Arguments const& arguments) {
    command = {.host = host_of(arguments),
               .output = output_of(arguments),
               .advice = advice_of(arguments),
               .parts = parts_of(arguments),
               .files = arguments.positionals,
               .benchmarks = benchmarks_of(arguments),
               .fail_on = fail_on(arguments)};
    if (command.files.empty()) check_measuring(arguments, command);
    else check_report_files(arguments);
}

void fill(CompareCommand& command, Arguments const& arguments) {
    command = {.output = output_of(arguments),
               .reports = arguments.positionals,
               .is_gate = arguments.has("--regression"),
               .fail_on = fail_on(arguments)};
    if (command.reports.size() != 2)
        throw Error(fmt::format("compare needs two reports, not {}", command.reports.size()),
                    "rocmtune compare before.json after.json");
    if (command.reports[0] == "-" && command.reports[1] == "-")
        throw Error("standard input can be one of the two reports only",
                    "write the other to a file: rocmtune bench --json -o FILE");
    if (command.is_gate) command.margin = margin_in(*arguments.value("--regression"));
}

void fill(FleetCommand& command, Arguments const& arguments) {
    command = {output_of(arguments), arguments.positionals, fail_on(arguments)};
}

void fill(PlanCommand& command, Arguments const& arguments) {
    command = {.host = host_of(arguments),
               .output = output_of(arguments),
               .wish = wish_of(arguments),
               .models = arguments.values("--model"),
               .fail_on = fail_on(arguments)};
    if (auto const text = arguments.value("--params")) command.parameters = parameters_in(*text);
    if (auto const text = arguments.value("--memory")) command.memory_bytes = memory_in(*text);
    if (command.models.empty() && !command.parameters)
        throw Error("plan needs a model: --model config.json or --params N",
                    "for example rocmtune plan --params 8B --inference");
}

void fill(BuildsCommand& command, Arguments const& arguments) {
    command = {.host = host_of(arguments),
               .output = output_of(arguments),
               .installer = arguments.value("--with").value_or(""),
               .python = arguments.value("--python"),
               .shows_targets = arguments.has("--targets")};
    for (auto const& word : arguments.positionals)
        (is_target_name(word) ? command.targets : command.frameworks).push_back(lower(word));
    if (auto const asked = command.python) {
        command.python = python_release(*asked);
        if (!command.python)
            throw Error(fmt::format("--python needs a version, not '{}'", printable(*asked)),
                        "for example --python 3.12");
    }
    for (auto const* option : {"--gpu", "--root", "--replay"})
        if (!command.targets.empty() && arguments.has(option))
            exclude(option, "a target", "a target stands in place of the GPUs of a host");
}

void fill(CacheCommand& command, Arguments const& arguments) {
    command = {output_of(arguments), arguments.positionals.front() == "clear"};
}

void fill(SchemaCommand& command, Arguments const& arguments) {
    command = {data_of(arguments), output_of(arguments), arguments.positionals.front()};
}

}  // namespace rocmtune
