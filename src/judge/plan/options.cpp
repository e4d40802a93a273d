// SPDX-License-Identifier: MIT
// What a plan says as findings.
#include <fmt/format.h>
#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "judge/plan/plan.hpp"
#include "knowledge/findings.hpp"

namespace rocmtune {
namespace {

constexpr std::uint64_t usual_rank = 16;

/// The largest number up to `most` for which `fits` holds, if it holds for all below it; 0: none.
template <class Fits>
std::uint64_t largest(std::uint64_t most, Fits fits) {
    std::uint64_t low = 0;
    auto high = most + 1;
    while (high - low > 1) {
        auto const middle = low + (high - low) / 2;
        (fits(middle) ? low : high) = middle;
    }
    return low;
}

/// The least number of GPUs that do, in whole replicas; an engine splits matrices by powers of two.
std::optional<std::uint64_t> least_gpus(Setup const& setup, double budget) {
    auto const each = setup.gpus_of_replica();
    auto const fits = [&](std::uint64_t replicas) {
        return setup.with(replicas * each, setup.batch, setup.sequence).needed() <= budget;
    };
    std::uint64_t enough = 1;
    while (enough * each <= most_planned_gpus && !fits(enough)) enough *= 2;
    if (enough * each > most_planned_gpus) return std::nullopt;
    bool const powers = !setup.is_training && setup.engine->splits_tensors;
    while (!powers && enough > 1 && fits(enough - 1)) --enough;
    return enough * each;
}

void add_shards(Setup const& asked, std::vector<Setup>& ways) {
    for (auto const recompute : {false, true})
        for (std::size_t i = 0; i < shard_words.size(); ++i) {
            auto const shard = static_cast<Shard>(i);
            if (shard > asked.last_shard()) continue;
            if (shard == asked.shard && recompute == asked.recompute) continue;
            auto way = asked;
            way.shard = shard;
            way.recompute = recompute;
            ways.push_back(way);
        }
}

/// Fewer bytes for each parameter, with all else as thrifty as it can be.
void add_thrifty(Setup const& asked, std::vector<Setup>& ways) {
    auto thrifty = asked;
    thrifty.recompute = true;
    thrifty.shard = asked.last_shard();
    if (auto const* small = find_named(asked.data->optimizers, "adamw-8bit");
        small != nullptr && !asked.lora_rank && asked.optimizer->name == "adamw") {
        auto way = thrifty;
        way.optimizer = small;
        ways.push_back(way);
    }
    for (auto const* const name : {"bf16", "nf4"}) {
        auto const* const base = find_named(asked.data->weight_formats, name);
        if (base == nullptr) continue;
        for (auto const shard : {Shard::ddp, Shard::zero1, Shard::zero3}) {
            if (shard != Shard::ddp && shard != thrifty.shard) continue;
            auto way = thrifty;
            way.shard = shard;
            way.lora_rank = asked.lora_rank.value_or(usual_rank);
            way.base = base;
            bool const same = asked.lora_rank && asked.base == base && asked.recompute;
            if (!(same && asked.shard == shard)) ways.push_back(way);
        }
    }
}

void add_formats(Setup const& asked, std::vector<Setup>& ways) {
    for (auto const& format : asked.data->weight_formats) {
        if (!format.listed || &format == asked.format) continue;
        auto way = asked;
        way.format = &format;
        way.as_stored = false;
        way.engine = find_named(asked.data->engines, format.engine);
        ways.push_back(way);
    }
}

/// The command that plans `setup`, and why.
std::string command_for(Setup const& setup, std::string const& place, std::string const& why) {
    auto const& shape = *setup.shape;
    auto const model = shape.stated_parameters
                           ? fmt::format("--params {}", *shape.stated_parameters)
                           : "--model " + shell_word(shape.name);
    return fmt::format("rocmtune plan {} {}{}   # {}", model, options_of(setup), place, why);
}

/// Index of the other way that fits and is nearest to the asked one: training lists them so; of
/// formats it is the largest. 0: none fits.
std::size_t nearest_that_fits(Plan const& plan) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < plan.options.size(); ++i) {
        if (!plan.options[i].fits.value_or(false)) continue;
        if (plan.request.mode == "training") return i;
        if (best == 0 || plan.options[i].needed_bytes > plan.options[best].needed_bytes) best = i;
    }
    return best;
}

std::optional<std::size_t> with_fewest_gpus(Plan const& plan) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < plan.options.size(); ++i) {
        auto const& count = plan.options[i].least_gpus;
        if (count && (!best || *count < *plan.options[*best].least_gpus)) best = i;
    }
    return best;
}

void add_evidence(Plan const& plan, Finding& finding) {
    finding.evidence.push_back({"needed on each GPU", human_bytes(plan.needed_bytes)});
    if (plan.budget_bytes)
        finding.evidence.push_back({"may be taken", human_bytes(*plan.budget_bytes)});
    for (auto const& gpu : plan.gpus) {
        if (!gpu.chosen || (!plan.governed_by.empty() && gpu.subject != plan.governed_by)) continue;
        if (gpu.total_bytes) finding.evidence.push_back({"in all", human_bytes(*gpu.total_bytes)});
        if (gpu.used_bytes) finding.evidence.push_back({"in use", human_bytes(*gpu.used_bytes)});
        break;
    }
    if (!plan.unknown.empty()) finding.evidence.push_back({"not known", plan.unknown});
}

std::string subject_of_plan(Plan const& plan) {
    bool const real = std::ranges::any_of(
        plan.gpus, [&](PlanGpu const& gpu) { return gpu.row && gpu.subject == plan.governed_by; });
    return real ? plan.governed_by : "host";
}

Finding finding_of(Plan const& plan, std::string_view id, Verdict verdict, std::string message) {
    auto finding = make_finding(id, verdict, subject_of_plan(plan), std::move(message));
    add_evidence(plan, finding);
    for (auto const& [name, source] : plan.sources) finding.sources.push_back(source);
    return finding;
}

Finding does_not_fit(Plan const& plan) {
    auto const there = plan.budget_bytes ? human_bytes(*plan.budget_bytes) + " may be taken"
                                         : std::string("no GPU has that much");
    auto finding =
        finding_of(plan, "RT7201", Verdict::fail,
                   fmt::format("the {} does not fit: {} needed on each GPU, {}", plan.request.mode,
                               human_bytes(plan.needed_bytes), there));
    finding.next_step = plan.next_step;
    return finding;
}

/// Whether an error of the estimate could make it too much.
bool is_close(Plan const& plan) {
    auto const most = static_cast<double>(plan.needed_bytes) / (1 - plan.error_percent / 100);
    return plan.budget_bytes && most > static_cast<double>(*plan.budget_bytes);
}

}  // namespace

std::vector<Setup> ways_of(Setup const& asked) {
    std::vector<Setup> ways{asked};
    if (asked.is_training) add_shards(asked, ways), add_thrifty(asked, ways);
    else add_formats(asked, ways);
    // With adapters asked for, some of the thrifty ways are among the others already.
    std::set<std::string> names;
    std::erase_if(ways, [&](Setup const& way) { return !names.insert(way.name()).second; });
    return ways;
}

PlanOption option_of(Setup const& setup, std::optional<double> budget, bool asked) {
    PlanOption it{.name = setup.name(), .asked = asked};
    auto const needed = setup.needed();
    it.needed_bytes = whole_bytes(needed);
    if (!budget) return it;
    auto const fits = [&](std::uint64_t batch, std::uint64_t sequence) {
        return setup.with(setup.gpus, batch, sequence).needed() <= *budget;
    };
    it.fits = needed <= *budget;
    it.largest_batch =
        largest(most_planned_batch, [&](std::uint64_t n) { return fits(n, setup.sequence); });
    it.largest_sequence =
        largest(most_planned_tokens, [&](std::uint64_t n) { return fits(setup.batch, n); });
    it.least_gpus = least_gpus(setup, *budget);
    return it;
}

std::string next_step_of(Plan const& plan, std::vector<Setup> const& ways,
                         std::string const& place) {
    auto const& asked = ways.front();
    auto const& reach = plan.options.front();
    if (auto const batch = reach.largest_batch.value_or(0); batch > 0)
        return command_for(asked.with(asked.gpus, batch, asked.sequence), place,
                           "a smaller batch would fit");
    if (auto const i = nearest_that_fits(plan); i > 0)
        return command_for(
            ways[i], place,
            fmt::format("would fit: {} on each GPU", human_bytes(plan.options[i].needed_bytes)));
    if (auto const tokens = reach.largest_sequence.value_or(0); tokens > 0)
        return command_for(asked.with(asked.gpus, asked.batch, tokens), place,
                           "shorter sequences would fit");
    if (auto const i = with_fewest_gpus(plan))
        return command_for(
            ways[*i].with(*plan.options[*i].least_gpus, ways[*i].batch, ways[*i].sequence), place,
            "would fit on so many GPUs of this memory");
    return fmt::format(
        "rocmtune plan --params {}{}   # a smaller model: none of these ways fits on any number of "
        "GPUs of this memory",
        std::max<std::uint64_t>(plan.model.parameters / 10, 1000), place);
}

std::vector<Finding> judge_plan(Plan const& plan) {
    if (plan.fits == false) return {does_not_fit(plan)};
    if (!plan.fits) {
        // Then the need is the answer.
        if (plan.unknown == no_gpu) return {};
        return {finding_of(plan, "RT7202", Verdict::unknown,
                           "whether it fits cannot be told: " + plan.unknown)};
    }
    if (!is_close(plan)) return {};
    return {finding_of(plan, "RT7203", Verdict::warn,
                       fmt::format("the {} fits only if the estimate is right: {} needed of {}; "
                                   "such sums were up to {:g} % wrong",
                                   plan.request.mode, human_bytes(plan.needed_bytes),
                                   human_bytes(*plan.budget_bytes), plan.error_percent))};
}

std::vector<Finding> judge_plans(std::vector<Plan> const& plans) {
    std::vector<Finding> findings;
    for (auto const& plan : plans)
        for (auto& finding : judge_plan(plan)) findings.push_back(std::move(finding));
    auto const fits = [](Plan const& plan) {
        return plan.request.mode == "inference" && plan.fits.value_or(false) && plan.budget_bytes;
    };
    if (plans.size() < 2 || !std::ranges::all_of(plans, fits)) return findings;
    std::uint64_t needed = 0;
    auto budget = *plans.front().budget_bytes;
    for (auto const& plan : plans) {
        needed += plan.needed_bytes;
        budget = std::min(budget, *plan.budget_bytes);
    }
    if (needed <= budget) return findings;
    auto finding = make_finding(
        "RT7201", Verdict::fail, subject_of_plan(plans.front()),
        fmt::format("each of the {} models fits, all at the same time do not: {} needed on each "
                    "GPU, {} may be taken",
                    plans.size(), human_bytes(needed), human_bytes(budget)));
    finding.evidence = {{"needed together", human_bytes(needed)},
                        {"may be taken", human_bytes(budget)}};
    finding.next_step =
        "rocmtune plan --help   # plan them one at a time, with a smaller --dtype or --sequence";
    findings.push_back(std::move(finding));
    return findings;
}

}  // namespace rocmtune
