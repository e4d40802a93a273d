// SPDX-License-Identifier: MIT
// Commands that read texts, reports and models: lint, report, compare, fleet, plan, builds.
#include "cli/typed_options.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "base/package_name.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "cli/choices.hpp"
#include "cli/options.hpp"
#include "judge/rules/explain.hpp"
#include "measure/output.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

// ---- lint ---------------------------------------------------------------------------------------

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

// ---- report and compare -------------------------------------------------------------------------

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

// ---- plan and builds ----------------------------------------------------------------------------

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

}  // namespace

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

}  // namespace rocmtune
