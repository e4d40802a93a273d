// SPDX-License-Identifier: MIT
// rocmtune plan.
#include "judge/plan/plan.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/shell.hpp"
#include "base/text.hpp"
#include "commands/commands.hpp"
#include "commands/fail_on.hpp"
#include "commands/report_output.hpp"
#include "commands/rights.hpp"
#include "host/subject.hpp"
#include "judge/plan/model.hpp"
#include "knowledge/json_node.hpp"
#include "knowledge/profile_error.hpp"
#include "measure/data_files.hpp"
#include "measure/host_input.hpp"
#include "measure/numbers.hpp"
#include "measure/selected_rows.hpp"
#include "measure/user_file.hpp"

namespace rocmtune {
namespace {

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
    constexpr std::uint64_t most_rank = 65536;
    return {.inference = arguments.has("--inference"),
            .recompute = arguments.value("--checkpointing") == "full",
            .chunked_loss = arguments.value("--loss") == "chunked",
            .dtype = arguments.value("--dtype"),
            .cache_dtype = arguments.value("--cache-dtype"),
            .optimizer = arguments.value("--optimizer"),
            .shard = arguments.value("--shard"),
            .attention = arguments.value("--attention"),
            .base_dtype = arguments.value("--base-dtype"),
            .lora_rank = whole_number(arguments, "--lora", 1, most_rank),
            .gpus = whole_number(arguments, "--gpus", 1, most_planned_gpus),
            .batch = whole_number(arguments, "--batch", 1, most_planned_batch),
            .sequence = whole_number(arguments, "--sequence", 1, most_planned_tokens),
            .place = place_of(arguments)};
}

ModelShape shape_for(Arguments const& arguments, PlanData const& data) {
    auto const file = arguments.value("--model");
    auto const parameters = arguments.value("--params");
    if (file && parameters)
        throw Error("--model and --params exclude each other", "the file says how many there are");
    if (!file && !parameters)
        throw Error("plan needs a model: --model config.json or --params N",
                    "for example rocmtune plan --params 8B --inference");
    if (parameters) return assumed_shape(parameters_in(*parameters), data);
    try {
        return read_model_config(*file, user_file(arguments, *file, max_data_file_bytes), data);
    } catch (ProfileError const& error) {
        throw Error(error.what(),
                    "--model takes the config.json of a model (Hugging Face Transformers)");
    }
}

/// @throws Error also for a wish that cannot be met.
ModelShape possible_shape(Arguments const& arguments, PlanWish const& wish, PlanData const& data) {
    auto shape = shape_for(arguments, data);
    (void)setup_of(wish, 1, shape, data);
    return shape;
}

/// GPUs that nobody has are planned for without looking at this host.
bool is_given(Arguments const& arguments) {
    if (!arguments.has("--memory")) return false;
    for (auto const* other : {"--root", "--replay", "--gpu"})
        if (arguments.has(other))
            throw Error(fmt::format("--memory and {} exclude each other", other),
                        "--memory plans for GPUs that this host may not have");
    return true;
}

std::vector<PlanGpu> gpus_for(Arguments const& arguments, Report& report, std::string& unknown) {
    if (is_given(arguments)) return given_memory(memory_in(*arguments.value("--memory")));
    report.host = read_host(arguments);
    unknown = why_gpus_are_unread(*report.host).value_or("");
    return gpu_memory(*report.host, selected_rows(arguments, *report.host));
}

Exit code_of(std::vector<Finding> const& findings, Arguments const& arguments) {
    if (fails(findings, arguments)) return Exit::findings;
    for (auto const& finding : findings)
        if (finding.verdict == Verdict::unknown) return Exit::undetermined;
    return Exit::ok;
}

}  // namespace

Exit run_plan(Arguments const& arguments) {
    auto const data = plan_data_for(arguments);
    auto const wish = wish_of(arguments);
    Report report;
    report.command = "plan";
    std::optional<ModelShape> shape;
    if (!arguments.has("--model")) shape = possible_shape(arguments, wish, data);
    std::string unknown;
    auto gpus = gpus_for(arguments, report, unknown);
    // A file may be of others: it is parsed when no rights are needed any more.
    give_up_rights(arguments, Moment::host_is_read);
    if (!shape) shape = possible_shape(arguments, wish, data);
    report.plan = make_plan(*shape, wish, data, std::move(gpus), std::move(unknown));
    report.findings = judge_plan(*report.plan);
    report.exit_code = code_of(report.findings, arguments);
    write_report(report, arguments);
    return report.exit_code;
}

}  // namespace rocmtune
