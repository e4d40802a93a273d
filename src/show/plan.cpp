// SPDX-License-Identifier: MIT
// What fits into the memory of GPUs.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "judge/plan/setup.hpp"
#include "show/documents.hpp"

namespace rocmtune {
namespace {

std::string bytes_text(std::optional<std::uint64_t> const& bytes) {
    return bytes ? human_bytes(*bytes) : "?";
}

/// A search ends somewhere: numbers up there say "at least".
std::string count_text(std::optional<std::uint64_t> const& count, std::uint64_t end) {
    if (!count) return "?";
    if (*count == 0) return "none";
    return fmt::format("{}{}", *count, *count >= end ? "+" : "");
}

std::string model_text(PlannedModel const& it) {
    auto const billions = static_cast<double>(it.parameters) / 1e9;
    auto text = fmt::format("{}, {}{:.4g} billion parameters", it.name, it.counted ? "" : "about ",
                            billions);
    if (it.active_parameters < it.parameters)
        text += fmt::format(", {:.4g} billion of them work on a token",
                            static_cast<double>(it.active_parameters) / 1e9);
    return text;
}

/// What was chosen, with what nobody asked for in brackets.
std::string request_text(PlanRequest const& it) {
    std::vector<std::string> words{it.dtype};
    auto const add = [&](std::string_view what, std::string const& value) {
        if (!value.empty()) words.push_back(fmt::format("{} {}", what, value));
    };
    add("cache", it.cache_dtype);
    add("as", it.engine);
    if (!it.optimizer.empty()) words.push_back(it.optimizer);
    if (it.lora_rank)
        words.push_back(fmt::format("LoRA rank {} on {}", *it.lora_rank, *it.base_dtype));
    auto const replicas = it.gpus / (it.tensor * it.pipeline);
    if (it.tensor > 1) words.push_back(fmt::format("matrices over {} GPUs", it.tensor));
    if (it.splits_sequence) words.emplace_back("sequence parallel");
    if (it.pipeline > 1) words.push_back(fmt::format("pipeline of {} stages", it.pipeline));
    if (replicas > 1 && !it.shard.empty()) words.push_back(it.shard);
    if (it.checkpointing == "full") words.emplace_back("full checkpointing");
    if (it.loss == "chunked") words.emplace_back("chunked loss");
    words.push_back(it.attention + " attention");
    auto const* const where =
        it.tensor * it.pipeline > 1 ? " at a time of each replica" : " on each GPU";
    words.push_back(fmt::format("{} of {} tokens{}", counted(it.batch, "sequence"), it.sequence,
                                it.mode == "training" && it.gpus > 1 ? where : ""));
    if (it.assumed.empty()) return joined(words);
    return fmt::format("{} (not asked, so assumed: {})", joined(words), joined(it.assumed));
}

std::string verdict_text(Plan const& it) {
    auto const where = it.request.gpus == 1 ? std::string("one GPU")
                                            : fmt::format("each of {} GPUs", it.request.gpus);
    auto const needed = fmt::format("{} needed on {}", human_bytes(it.needed_bytes), where);
    auto const there = it.budget_bytes
                           ? fmt::format("{} may be taken", human_bytes(*it.budget_bytes))
                           : std::string();
    if (it.fits.value_or(false)) return fmt::format("it fits: {}, {}", needed, there);
    if (it.fits == false)
        return fmt::format("it does not fit: {}, {}", needed,
                           there.empty() ? "no chosen GPU has that much" : there);
    return fmt::format("{}; whether that fits is not known: {}", needed, it.unknown);
}

Rows part_rows(Plan const& it) {
    Rows rows;
    for (auto const& part : it.parts)
        rows.push_back({part.name, human_bytes(part.bytes), part.formula});
    rows.push_back({"sum", human_bytes(it.needed_bytes), ""});
    return rows;
}

/// GPUs that say the same share a line.
Rows gpu_rows(Plan const& it, bool each) {
    Rows rows;
    std::vector<std::vector<std::string>> subjects;
    for (auto const& gpu : it.gpus) {
        std::vector<std::string> row{"",
                                     gpu.name,
                                     gpu.memory,
                                     bytes_text(gpu.total_bytes),
                                     bytes_text(gpu.used_bytes),
                                     bytes_text(gpu.budget_bytes),
                                     gpu.chosen ? "yes" : "no"};
        auto const same = each ? rows.end() : std::ranges::find(rows, row);
        auto const at = static_cast<std::size_t>(same - rows.begin());
        if (same == rows.end()) rows.push_back(row), subjects.emplace_back();
        subjects[at].push_back(gpu.subject);
    }
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i][0] = subjects[i].size() == 1
                         ? subjects[i].front()
                         : fmt::format("{} x {}", subjects[i].size(), subjects[i].front());
    return rows;
}

Rows option_rows(Plan const& it) {
    Rows rows;
    for (auto const& option : it.options)
        rows.push_back({option.name + (option.asked ? " (asked)" : ""),
                        human_bytes(option.needed_bytes),
                        option.fits ? (*option.fits ? "yes" : "no") : "?",
                        count_text(option.largest_batch, most_planned_batch),
                        count_text(option.largest_sequence, most_planned_tokens),
                        option.least_gpus ? fmt::format("{}", *option.least_gpus)
                                          : (option.fits ? "never" : "?")});
    return rows;
}

std::string shape_text(PlannedModel const& it) {
    auto text = fmt::format(
        "{} layers, width {}, {} heads of {}, {} of keys and values, MLP {}, {} tokens known, {} "
        "parameters in tables, {} cached numbers a token",
        it.layers, it.hidden, it.heads, it.head_size, it.kv_heads, it.intermediate, it.vocabulary,
        it.embedding_parameters, it.cache_elements_per_token);
    if (it.experts > 0)
        text += fmt::format(", {} of {} experts at work", it.experts_per_token, it.experts);
    if (it.max_positions) text += fmt::format(", up to {} tokens", *it.max_positions);
    if (it.window)
        text += fmt::format(", {} layers with a window of {}", it.windowed_layers, *it.window);
    return text;
}

std::string error_text(Plan const& it) {
    return fmt::format("such sums were up to {:g} % off published figures of {}", it.error_percent,
                       it.request.mode);
}

/// The shape of the model, the parts in bytes, and what it all rests on.
void add_details(Plan const& it, std::vector<Line>& foot) {
    foot.push_back({"shape", shape_text(it.model)});
    foot.push_back(
        {"parameters",
         fmt::format("{}{}", it.model.parameters,
                     it.model.architecture.empty() ? "" : " (" + it.model.architecture + ')')});
    for (auto const& part : it.parts)
        foot.push_back({part.name, fmt::format("{} bytes: {}", part.bytes, part.formula)});
    for (auto const& gpu : it.gpus)
        if (!gpu.reason.empty()) foot.push_back({"not known", gpu.subject + ": " + gpu.reason});
    for (auto const& [id, source] : it.sources)
        foot.push_back({"source", fmt::format("{}{} {}", source.title,
                                              source.version ? " (" + *source.version + ")" : "",
                                              source.url.value_or(""))});
}

constexpr std::size_t label_width = 11;

void show_one(Plan const& it, std::vector<Finding> const& findings, Printer& out) {
    out.lines({{"model", model_text(it.model)},
               {it.request.mode, request_text(it.request)},
               {"verdict", verdict_text(it), it.fits == false ? Emphasis::notable : Emphasis::none},
               {"next", it.next_step}},
              label_width);
    out.table({.columns = {{"part"}, {"each GPU", true}, {"how", false, false, true}},
               .rows = part_rows(it)});
    out.table({.columns = {{"GPU", false, false, true},
                           {"name", false, false, true},
                           {"memory"},
                           {"in all", true},
                           {"in use", true},
                           {"may take", true},
                           {"planned", false, true}},
               .rows = gpu_rows(it, out.is_verbose())});
    auto const* const batch = it.request.mode == "training" ? "largest batch" : "most sequences";
    out.table({.columns = {{"way", false, false, true},
                           {"each GPU", true},
                           {"fits"},
                           {batch, true},
                           {"longest sequence", true},
                           {"least GPUs", true}},
               .rows = option_rows(it)});
    std::vector<Line> foot{{"error", error_text(it)}};
    for (auto const& note : it.notes) foot.push_back({"note", note});
    for (auto const& finding : findings)
        foot.push_back({finding.id, finding.message, Emphasis::notable});
    if (out.is_verbose()) add_details(it, foot);
    out.lines(foot, label_width);
}

/// What several models take together, if all of them are for inference.
std::string together_text(std::vector<Plan> const& plans) {
    std::uint64_t needed = 0;
    for (auto const& plan : plans) {
        if (plan.request.mode != "inference") return {};
        needed += plan.needed_bytes;
    }
    return fmt::format("{} models need {} on each GPU", plans.size(), human_bytes(needed));
}

}  // namespace

void show_plan(Report const& report, Printer& out) {
    out.title("rocmtune plan", "");
    if (report.plan) return show_one(*report.plan, report.findings, out);
    for (auto const& plan : report.plans) show_one(plan, {}, out);
    std::vector<Line> foot{{"together", together_text(report.plans)}};
    for (auto const& finding : report.findings)
        foot.push_back({finding.id, finding.message, Emphasis::notable});
    out.lines(foot, label_width);
}

}  // namespace rocmtune
