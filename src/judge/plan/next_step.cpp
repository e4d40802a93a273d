// SPDX-License-Identifier: MIT
#include "judge/plan/next_step.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/shell.hpp"
#include "base/text.hpp"

namespace rocmtune {
namespace {

/// The command that plans `setup`, and why.
std::string command_for(Setup const& setup, std::string const& place, std::string const& why) {
    auto const& shape = setup.shape();
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

}  // namespace

std::string next_step_of(Plan const& plan, std::vector<Setup> const& ways,
                         std::string const& place) {
    auto const& asked = ways.front();
    auto const& reach = plan.options.front();
    if (auto const batch = reach.largest_batch.value_or(0); batch > 0)
        return command_for(asked.with(asked.gpus(), batch, asked.sequence()), place,
                           "a smaller batch would fit");
    if (auto const i = nearest_that_fits(plan); i > 0)
        return command_for(
            ways[i], place,
            fmt::format("would fit: {} on each GPU", human_bytes(plan.options[i].needed_bytes)));
    if (auto const tokens = reach.largest_sequence.value_or(0); tokens > 0)
        return command_for(asked.with(asked.gpus(), asked.batch(), tokens), place,
                           "shorter sequences would fit");
    if (auto const i = with_fewest_gpus(plan))
        return command_for(
            ways[*i].with(*plan.options[*i].least_gpus, ways[*i].batch(), ways[*i].sequence()),
            place, "would fit on so many GPUs of this memory");
    return fmt::format(
        "rocmtune plan --params {}{}   # a smaller model: none of these ways fits on any "
        "number of GPUs of this memory",
        std::max<std::uint64_t>(plan.model.parameters / 10, 1000), place);
}

}  // namespace rocmtune
