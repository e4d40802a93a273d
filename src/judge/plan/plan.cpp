// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <map>

#include "base/host.hpp"
#include "base/text.hpp"
#include "judge/plan/plan.hpp"
#include "judge/rules/shared_memory.hpp"
#include "knowledge/findings.hpp"

namespace rocmtune {
namespace {

std::string why_missing(std::string_view what, Number const& fact) {
    auto text = fmt::format("{}: {}", what, missing_name(fact.reason()));
    return fact.detail().empty() ? text : text + ", " + fact.detail();
}

/// An APU computes in host memory, as far as KFD lets it; the carve-out is for the screen. Kernels
/// that let it have the carve-out alone state just that (Linux 6.10 changed it). An MI300A states
/// all of its memory as VRAM, of which KFD lets it have less (the default is three quarters).
bool computes_in_host_memory(Gpu const& gpu) {
    if (!gpu.is_apu.value_or(false) || !gpu.compute_memory_bytes) return false;
    return *gpu.compute_memory_bytes != gpu.vram_bytes.value_or(0);
}

void take(Number const& total, Number const& used, PlanGpu& into) {
    if (total) into.total_bytes = *total;
    else into.reason = why_missing("memory", total);
    if (used) into.used_bytes = *used;
    else if (into.reason.empty()) into.reason = why_missing("memory in use", used);
    if (total && used) into.free_bytes = *total - std::min(*total, *used);
}

/// Pages that the host itself needs cannot be had, whatever the driver's limit.
void limit_to_host(Host const& host, PlanGpu& into) {
    if (!host.memory_available_bytes) {
        into.free_bytes.reset();
        if (into.reason.empty())
            into.reason = why_missing("memory available in the host", host.memory_available_bytes);
        return;
    }
    if (into.free_bytes) into.free_bytes = std::min(*into.free_bytes, *host.memory_available_bytes);
}

/// What the limit of a processor's GPU could be, and what of that would be free.
void add_raised_limit(Host const& host, Gpu const& gpu, PlanGpu& into) {
    auto const shared = shared_memory(host, gpu);
    if (!shared || !shared->most || !into.used_bytes || !host.memory_available_bytes) return;
    into.raised_total_bytes = *shared->most;
    into.raised_free_bytes = std::min(*shared->most - std::min(*shared->most, *into.used_bytes),
                                      *host.memory_available_bytes);
    into.raise_step = filled_step(raise_step(host, *shared), places_of(host));
}

/// What a newer driver would let it take: more than any limit of this one.
void add_newer_kernel(Host const& host, Gpu const& gpu, PlanGpu& into) {
    auto const newer = newer_kernel(host, gpu);
    if (!newer || !into.used_bytes || !host.memory_available_bytes) return;
    auto const free = newer->bytes - std::min(newer->bytes, *into.used_bytes);
    bool const is_main_memory = newer->bytes > gpu.vram_bytes.value_or(0);
    into.raised_total_bytes = newer->bytes;
    into.raised_free_bytes = is_main_memory ? std::min(free, *host.memory_available_bytes) : free;
    into.raise_step = newer->step;
}

PlanGpu memory_of(Host const& host, Gpu const& gpu) {
    PlanGpu it;
    if (gpu.row) it.row = *gpu.row;
    it.subject = subject_of(gpu);
    it.name = gpu.marketing_name ? *gpu.marketing_name : gpu.gfx_target.value_or("GPU");
    if (!computes_in_host_memory(gpu)) {
        it.memory = "vram";
        take(gpu.vram_bytes, gpu.vram_used_bytes, it);
        add_newer_kernel(host, gpu, it);
        return it;
    }
    it.memory = "shared";
    take(gpu.compute_memory_bytes, gpu.gtt_used_bytes, it);
    limit_to_host(host, it);
    add_raised_limit(host, gpu, it);
    add_newer_kernel(host, gpu, it);
    return it;
}

/// Name and memory; the last digits of the memory differ between cards of one model.
using Kind = std::pair<std::string, std::uint64_t>;

Kind kind_of(PlanGpu const& gpu) {
    return {gpu.name, gpu.total_bytes.value_or(0) >> 30};
}

/// A processor's own GPU beside a card is meant for the screen, however much it could share.
void choose_a_kind(std::vector<PlanGpu>& gpus) {
    bool const cards = std::ranges::find(gpus, "vram", &PlanGpu::memory) != gpus.end();
    std::map<Kind, std::uint64_t> sums;
    for (auto const& gpu : gpus)
        if (!cards || gpu.memory == "vram") sums[kind_of(gpu)] += gpu.total_bytes.value_or(0);
    if (sums.empty()) return;
    auto const best =
        std::ranges::max_element(sums, {}, [](auto const& entry) { return entry.second; })->first;
    for (auto& gpu : gpus) gpu.chosen = kind_of(gpu) == best && (!cards || gpu.memory == "vram");
}

PlannedModel described(ModelShape const& it) {
    auto const count = count_parameters(it);
    PlannedModel model{
        .name = it.name,
        .architecture = it.architecture,
        .counted = it.counted,
        .parameters = parameters_of(it),
        .active_parameters = it.stated_parameters.value_or(it.file_active.value_or(count.active)),
        .embedding_parameters = std::min(count.tables, parameters_of(it)),
        .layers = it.layers,
        .hidden = it.hidden,
        .heads = it.heads,
        .kv_heads = it.kv_heads,
        .head_size = it.head_size,
        .intermediate = it.intermediate,
        .vocabulary = it.vocabulary,
        .max_positions = it.max_positions,
        .cache_elements_per_token = cache_elements(it),
        .windowed_layers = it.windowed_layers,
        .stored_bytes = it.file_bytes};
    if (it.experts) {
        model.experts = it.experts->count;
        model.experts_per_token = it.experts->per_token;
        model.intermediate = it.experts->intermediate;
    }
    if (it.window > 0) model.window = it.window;
    return model;
}

// ---- memory -------------------------------------------------------------------------------------

/// What of each GPU's memory a program takes at most.
double share_of(Setup const& setup) {
    return setup.is_training ? 1.0 : setup.engine->share_of_total;
}

std::optional<double> budget_of(PlanGpu const& gpu, double share) {
    if (!gpu.total_bytes || !gpu.free_bytes) return std::nullopt;
    auto const most = static_cast<double>(*gpu.total_bytes) * share;
    return std::min(static_cast<double>(*gpu.free_bytes), most);
}

/// The least budget of the chosen GPUs, and whose it is.
struct Budget {
    std::optional<double> bytes = {};
    PlanGpu const* governing = nullptr;
    std::string unknown = {};
};

Budget least_budget(std::vector<PlanGpu> const& gpus, double share) {
    Budget least;
    for (auto const& gpu : gpus) {
        if (!gpu.chosen) continue;
        auto const budget = budget_of(gpu, share);
        if (!budget) return {.unknown = fmt::format("{}: {}", gpu.subject, gpu.reason)};
        if (least.bytes && *least.bytes <= *budget) continue;
        least.bytes = budget;
        least.governing = &gpu;
    }
    return least;
}

/// The least memory in all: what does not fit there fits nowhere, whoever uses what.
std::optional<double> least_total(std::vector<PlanGpu> const& gpus, double share) {
    std::optional<double> least;
    for (auto const& gpu : gpus) {
        if (!gpu.chosen || !gpu.total_bytes) continue;
        auto const total = static_cast<double>(*gpu.total_bytes) * share;
        if (!least || total < *least) least = total;
    }
    return least;
}

// ---- what is planned ----------------------------------------------------------------------------

/// Of the ways to share, the first that fits where nobody asked for one; what is shared costs time.
Setup first_that_fits(Setup const& asked, PlanWish const& wish, std::optional<double> budget) {
    if (!asked.is_training || wish.shard || !budget) return asked;
    auto how = asked;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(asked.last_shard()); ++i) {
        how.shard = static_cast<Shard>(i);
        if (how.needed() <= *budget) break;
    }
    return how;
}

/// The texts that a part rests on; a user's data may lack some that the formulas name.
PlanPart described(Part const& part, PlanData const& data, Plan& plan) {
    PlanPart it{.name = part.name, .bytes = whole_bytes(part.bytes), .formula = part.formula};
    for (auto const& id : part.sources) {
        auto const found = data.sources.find(id);
        if (found == data.sources.end()) continue;
        it.sources.push_back(id);
        plan.sources.insert(*found);
    }
    return it;
}

void add_parts(Setup const& setup, Plan& plan) {
    double sum = 0;
    for (auto const& part : setup.parts()) {
        plan.parts.push_back(described(part, *setup.data, plan));
        sum += part.bytes;
    }
    plan.needed_bytes = whole_bytes(sum);
    auto const& accuracy = setup.data->accuracy;
    plan.error_percent = setup.is_training ? accuracy.training_percent : accuracy.inference_percent;
}

void add_options(std::vector<Setup> const& ways, Plan& plan) {
    for (auto const& way : ways) {
        auto const budget = least_budget(plan.gpus, share_of(way)).bytes;
        plan.options.push_back(option_of(way, budget, &way == &ways.front()));
    }
}

// ---- words --------------------------------------------------------------------------------------

std::string gpus_text(std::uint64_t count) {
    return count == 1 ? "one GPU" : fmt::format("{} GPUs", count);
}

/// One GPU that others use holds back all that work with it.
void note_a_busy_gpu(Plan& plan) {
    std::optional<std::uint64_t> next;
    PlanGpu const* least = nullptr;
    for (auto const& gpu : plan.gpus) {
        if (!gpu.chosen || !gpu.budget_bytes) continue;
        if (gpu.subject == plan.governed_by) least = &gpu;
        else if (!next || *gpu.budget_bytes < *next) next = gpu.budget_bytes;
    }
    if (least == nullptr || !next || *least->budget_bytes > *next / 10 * 9) return;
    plan.notes.push_back(
        fmt::format("{} governs: {} of it are in use; of the others each has {} (--gpu chooses)",
                    least->subject, least->used_bytes ? human_bytes(*least->used_bytes) : "?",
                    human_bytes(*next)));
}

void note_gpus(Plan& plan) {
    std::vector<std::string> out;
    std::uint64_t chosen = 0;
    for (auto const& gpu : plan.gpus) {
        if (gpu.chosen) ++chosen;
        else out.push_back(fmt::format("{} ({})", gpu.subject, gpu.name));
    }
    if (!out.empty())
        plan.notes.push_back(
            fmt::format("left out: {}; --gpu chooses others", fmt::join(out, ", ")));
    if (chosen > 0 && plan.request.gpus > chosen && plan.gpus.front().memory != "given")
        plan.notes.push_back(
            fmt::format("of {} planned for there are {} here: the others are taken to be like {}",
                        gpus_text(plan.request.gpus), chosen, plan.governed_by));
    if (chosen > 0 && plan.request.gpus < chosen)
        plan.notes.push_back(fmt::format("planned for {} of {}; the least free one governs",
                                         gpus_text(plan.request.gpus), chosen));
}

/// What the sums leave out where GPUs share matrices and layers.
void note_parallel(ModelShape const& shape, Setup const& setup, Plan& plan) {
    if (setup.pipeline > 1) {
        plan.notes.push_back(fmt::format(
            "of {} stages the one that needs the most is counted, with one batch for each stage on "
            "its way (1F1B)",
            setup.pipeline));
        if (shape.layers % setup.pipeline != 0)
            plan.notes.push_back(
                fmt::format("the {} layers do not divide by {}: the largest stage "
                            "has {}",
                            shape.layers, setup.pipeline, shape.layers / setup.pipeline + 1));
    }
    if (setup.pipeline > 1 && setup.shard > Shard::zero1)
        plan.notes.push_back(fmt::format(
            "DeepSpeed refuses {} with a pipeline; FSDP of PyTorch takes it", setup.shard_word()));
    if (setup.tensor > 1 && shape.experts)
        plan.notes.emplace_back("experts are split as other matrices are, not dealt out to GPUs");
    if (setup.tensor > 1 && setup.lora_rank)
        plan.notes.emplace_back("adapters are counted as whole on each GPU that shares matrices");
}

void note_limits(ModelShape const& shape, Setup const& setup, Plan& plan) {
    auto const longest = std::ranges::max(plan.options, {}, [](PlanOption const& option) {
                             return option.largest_sequence.value_or(0);
                         }).largest_sequence.value_or(0);
    if (shape.max_positions && std::max(setup.sequence, longest) > *shape.max_positions)
        plan.notes.push_back(fmt::format("the model was made for sequences of up to {} tokens",
                                         *shape.max_positions));
    if (shape.window > 0 && !setup.is_training && setup.sequence > shape.window)
        plan.notes.push_back(
            fmt::format("{} of {} layers look back at {} tokens only: a program that drops older "
                        "ones needs less cache than this",
                        shape.windowed_layers, shape.layers, shape.window));
    if (setup.is_training || !setup.engine->splits_tensors) return;
    if (setup.gpus > 1 && shape.heads % setup.gpus != 0)
        plan.notes.push_back(fmt::format("{} heads cannot be dealt out evenly to {}", shape.heads,
                                         gpus_text(setup.gpus)));
    if (share_of(setup) < 1)
        plan.notes.push_back(fmt::format("{} takes {:g} of a GPU's memory unless told otherwise",
                                         setup.engine->name, share_of(setup)));
}

/// A default that contradicts the file is said.
void note_unknown_format(ModelShape const& shape, Setup const& setup, PlanWish const& wish,
                         Plan& plan) {
    if (setup.is_training || wish.dtype || setup.as_stored || shape.stored_as.empty()) return;
    auto const& methods = setup.format->methods;
    if (std::ranges::find(methods, shape.stored_as) != methods.end()) return;
    plan.notes.push_back(
        fmt::format("what '{}' takes, as the file has its weights, is not known: {} is assumed",
                    printable(shape.stored_as), setup.format->name));
}

std::string no_budget(Plan const& plan, Budget const& budget, std::string unknown) {
    if (!unknown.empty()) return unknown;
    if (!budget.unknown.empty()) return budget.unknown;
    return plan.gpus.empty() ? std::string(no_gpu) : std::string();
}

void judge_fit(Setup const& setup, Budget const& budget, std::string unknown, Plan& plan) {
    if (budget.bytes) {
        plan.budget_bytes = whole_bytes(*budget.bytes);
        plan.governed_by = budget.governing->subject;
        plan.fits = setup.needed() <= *budget.bytes;
        return;
    }
    plan.unknown = no_budget(plan, budget, std::move(unknown));
    auto const total = least_total(plan.gpus, share_of(setup));
    if (total && setup.needed() > *total) plan.fits = false;
}

/// The one chosen GPU whose limit can be raised, or null.
PlanGpu const* raisable(Plan const& plan) {
    PlanGpu const* found = nullptr;
    for (auto const& gpu : plan.gpus) {
        if (!gpu.chosen) continue;
        if (found != nullptr || !gpu.raised_total_bytes) return nullptr;
        found = &gpu;
    }
    return found;
}

/// The command that raises the limit, if that is enough: it costs nothing of the model.
std::string raised_limit_step(Plan const& plan, Setup const& setup) {
    auto const* const gpu = raisable(plan);
    if (gpu == nullptr) return {};
    auto const most = static_cast<double>(*gpu->raised_total_bytes) * share_of(setup);
    auto const budget = std::min(most, static_cast<double>(*gpu->raised_free_bytes));
    if (setup.needed() > budget) return {};
    return fmt::format("{}; then it fits", gpu->raise_step);
}

void note_a_limit(Plan& plan) {
    auto const* const gpu = raisable(plan);
    if (gpu == nullptr) return;
    plan.notes.push_back(fmt::format(
        "{} may take {} now; {} can be allowed: "
        "rocmtune explain RT3206",
        gpu->subject, human_bytes(*gpu->total_bytes), human_bytes(*gpu->raised_total_bytes)));
}

std::uint64_t chosen_gpus(std::vector<PlanGpu> const& gpus) {
    return static_cast<std::uint64_t>(std::ranges::count_if(gpus, &PlanGpu::chosen));
}

}  // namespace

std::vector<PlanGpu> gpu_memory(Host const& host, std::vector<std::uint64_t> const& rows) {
    std::vector<PlanGpu> gpus;
    for (auto const& gpu : host.gpus) gpus.push_back(memory_of(host, gpu));
    if (rows.empty()) choose_a_kind(gpus);
    else
        for (auto& gpu : gpus)
            gpu.chosen = gpu.row && std::ranges::find(rows, *gpu.row) != rows.end();
    return gpus;
}

std::vector<PlanGpu> given_memory(std::uint64_t bytes) {
    PlanGpu it;
    it.subject = "given";
    it.name = "GPU";
    it.memory = "given";
    it.chosen = true;
    it.total_bytes = it.free_bytes = bytes;
    it.used_bytes = 0;
    return {it};
}

Plan make_plan(ModelShape const& shape, PlanWish const& wish, PlanData const& data,
               std::vector<PlanGpu> gpus, std::string unknown) {
    auto const first = setup_of(wish, chosen_gpus(gpus), shape, data);
    auto const share = share_of(first);
    for (auto& gpu : gpus)
        if (auto const bytes = budget_of(gpu, share)) gpu.budget_bytes = whole_bytes(*bytes);
    Plan plan{.model = described(shape), .gpus = std::move(gpus)};
    auto const budget = least_budget(plan.gpus, share);
    auto const setup = first_that_fits(first, wish, budget.bytes);
    plan.request = request_of(setup, wish);
    add_parts(setup, plan);
    judge_fit(setup, budget, std::move(unknown), plan);
    auto const ways = ways_of(setup);
    add_options(ways, plan);
    if (plan.fits == false) plan.next_step = raised_limit_step(plan, setup);
    if (plan.fits == false && plan.next_step.empty())
        plan.next_step = next_step_of(plan, ways, wish.place);
    plan.notes = shape.notes;
    note_gpus(plan);
    note_a_busy_gpu(plan);
    note_a_limit(plan);
    note_limits(shape, setup, plan);
    note_parallel(shape, setup, plan);
    note_unknown_format(shape, setup, wish, plan);
    return plan;
}

}  // namespace rocmtune
