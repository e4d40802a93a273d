// SPDX-License-Identifier: MIT
#include "judge/plan/options.hpp"

#include <algorithm>

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

/// The least number of GPUs that do; matrices are split by powers of two.
std::optional<std::uint64_t> least_gpus(Setup const& setup, double budget) {
    auto const fits = [&](std::uint64_t gpus) {
        return setup.with(gpus, setup.batch(), setup.sequence()).needed() <= budget;
    };
    std::uint64_t enough = 1;
    while (enough <= most_planned_gpus && !fits(enough)) enough *= 2;
    if (enough > most_planned_gpus) return std::nullopt;
    bool const powers = !setup.is_training() && setup.inference().engine->splits_tensors;
    while (!powers && enough > 1 && fits(enough - 1)) --enough;
    return enough;
}

void add_shards(TrainingSetup const& asked, Setup const& setup, std::vector<Setup>& ways) {
    for (auto const recompute : {false, true})
        for (std::size_t i = 0; i < shard_words.size(); ++i) {
            auto const shard = static_cast<Shard>(i);
            if (asked.gpus == 1 && shard != Shard::ddp) continue;
            if (shard == asked.shard && recompute == asked.recompute) continue;
            auto way = asked;
            way.shard = shard;
            way.recompute = recompute;
            ways.emplace_back(setup.shape(), setup.data(), way);
        }
}

/// Fewer bytes for each parameter, with all else as thrifty as it can be.
void add_thrifty(TrainingSetup const& asked, Setup const& setup, std::vector<Setup>& ways) {
    auto thrifty = asked;
    thrifty.recompute = true;
    thrifty.shard = asked.gpus > 1 ? Shard::zero3 : Shard::ddp;
    auto const add = [&](TrainingSetup const& way) {
        ways.emplace_back(setup.shape(), setup.data(), way);
    };
    if (auto const* small = find_named(setup.data().optimizers, "adamw-8bit");
        small != nullptr && !asked.lora_rank && asked.optimizer->name == "adamw") {
        auto way = thrifty;
        way.optimizer = small;
        add(way);
    }
    for (auto const* const name : {"bf16", "nf4"}) {
        auto const* const base = find_named(setup.data().weight_formats, name);
        if (base == nullptr) continue;
        for (auto const shard : {Shard::ddp, Shard::zero3}) {
            auto way = thrifty;
            way.shard = shard;
            way.lora_rank = asked.lora_rank.value_or(usual_rank);
            way.base = base;
            bool const same = asked.lora_rank && asked.base == base && asked.recompute;
            if ((shard == Shard::ddp || asked.gpus > 1) && !(same && asked.shard == shard))
                add(way);
        }
    }
}

void add_formats(InferenceSetup const& asked, Setup const& setup, std::vector<Setup>& ways) {
    for (auto const& format : setup.data().weight_formats) {
        if (!format.listed || &format == asked.format) continue;
        auto way = asked;
        way.format = &format;
        way.engine = find_named(setup.data().engines, format.engine);
        ways.emplace_back(setup.shape(), setup.data(), way);
    }
}

}  // namespace

std::vector<Setup> ways_of(Setup const& asked) {
    std::vector<Setup> ways{asked};
    if (!asked.is_training()) {
        add_formats(asked.inference(), asked, ways);
        return ways;
    }
    add_shards(asked.training(), asked, ways);
    add_thrifty(asked.training(), asked, ways);
    return ways;
}

PlanOption option_of(Setup const& setup, std::optional<double> budget, bool asked) {
    PlanOption it{.name = setup.name(), .asked = asked};
    auto const needed = setup.needed();
    it.needed_bytes = whole_bytes(needed);
    if (!budget) return it;
    auto const fits = [&](std::uint64_t batch, std::uint64_t sequence) {
        return setup.with(setup.gpus(), batch, sequence).needed() <= *budget;
    };
    it.fits = needed <= *budget;
    it.largest_batch =
        largest(most_planned_batch, [&](std::uint64_t n) { return fits(n, setup.sequence()); });
    it.largest_sequence =
        largest(most_planned_tokens, [&](std::uint64_t n) { return fits(setup.batch(), n); });
    it.least_gpus = least_gpus(setup, *budget);
    return it;
}

}  // namespace rocmtune
