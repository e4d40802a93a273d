// SPDX-License-Identifier: MIT
#include "judge/verify/search_runs.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace rocmtune::verify {
namespace {

/// One look at a candidate alone counts, less so many deviations of a run: of a hundred that are
/// nothing one looks that good.
constexpr double z_alone = 2.5;
/// One run in so many may be repeated.
constexpr std::size_t runs_a_repetition = 4;

}  // namespace

SearchRuns::SearchRuns(std::vector<Candidate> const& candidates, Runner const& run,
                       SearchPlan const& plan_of_search)
    : plan(plan_of_search), random(plan_of_search.seed), run_(run) {
    for (auto const& candidate : candidates) result.tried.push_back({.candidate = candidate});
    alone.assign(candidates.size(), -std::numeric_limits<double>::infinity());
    result.lower_is_better = plan.lower_is_better;
}

Run SearchRuns::start(Chosen const& chosen, bool watch) {
    auto run = start_once(chosen, watch);
    while (is_uneven(run) && result.repeated < result.runs / runs_a_repetition) {
        ++result.repeated;
        run = start_once(chosen, watch);
    }
    if (is_uneven(run)) ++result.uneven;
    return run;
}

bool SearchRuns::is_uneven(Run const& run) const {
    auto const& load = run.conditions.others_load;
    bool const is_crowded = load && usual_load && *load > *usual_load + most_load_apart;
    return run.ok && (is_crowded || run.conditions.slept_seconds > most_slept);
}

Run SearchRuns::start_once(Chosen const& chosen, bool watch) {
    std::vector<EnvironmentChange> changes;
    for (auto const place : chosen) {
        auto& tried = result.tried[place];
        ++tried.runs;
        changes.insert(changes.end(), tried.candidate.changes.begin(),
                       tried.candidate.changes.end());
    }
    auto run = run_(changes, watch);
    if (run.ok && !unit_) unit_ = run.unit;
    if (run.ok && run.unit != *unit_) {
        run.ok = false;
        run.problem =
            fmt::format("it printed another unit: '{}', and '{}' before", run.unit, *unit_);
    }
    count(run);
    return run;
}

void SearchRuns::count(Run const& run) {
    ++result.runs;
    spent += run.seconds;
    result.interrupted = result.interrupted || run.interrupted;
    if (!run.ok && !run.interrupted) ++result.failed;
}

double SearchRuns::score(Run const& run) const {
    auto const log = std::log(run.value);
    return result.lower_is_better ? -log : log;
}

bool SearchRuns::is_over(double share, std::size_t runs) const {
    auto const then = spent + static_cast<double>(runs) * seconds_a_run;
    return result.interrupted || then > share * plan.budget_seconds;
}

void SearchRuns::tell(std::string const& stage) const {
    if (plan.progress) plan.progress(stage, spent / plan.budget_seconds, best_so_far);
}

void SearchRuns::close(std::size_t place, CandidateVerdict verdict, std::string reason) {
    auto& tried = result.tried[place];
    tried.open = false;
    tried.verdict = verdict;
    tried.reason = std::move(reason);
}

void SearchRuns::close_failed(std::size_t place, Run const& run, std::string const& when) {
    close(place, run.wrong ? CandidateVerdict::wrong_result : CandidateVerdict::failed,
          when + run.problem);
}

void SearchRuns::note_effect(std::size_t place, ScreenedEffect const& it) {
    auto& known = result.tried[place].effect;
    auto const half = z_interval * it.error;
    if (it.error <= 0 || (known.high && *known.high - known.estimate < half)) return;
    known = {.estimate = it.estimate, .low = it.estimate - half, .high = it.estimate + half};
}

double SearchRuns::promise_of(std::size_t place) const {
    auto const& effect = result.tried[place].effect;
    auto const look = alone[place] - z_alone * noise;
    return effect.high ? std::max(effect.estimate, look) : look;
}

double SearchRuns::error_of(std::size_t place) const {
    auto const& effect = result.tried[place].effect;
    if (!effect.high) return std::numeric_limits<double>::infinity();
    return (*effect.high - effect.estimate) / z_interval;
}

std::vector<std::vector<std::size_t>> SearchRuns::open_names() const {
    std::vector<std::vector<std::size_t>> names;
    for (std::size_t i = 0; i < result.tried.size(); ++i) {
        if (!result.tried[i].open) continue;
        auto const& name = result.tried[i].candidate.name;
        auto const same = std::ranges::find_if(names, [&](auto const& places) {
            return result.tried[places.front()].candidate.name == name;
        });
        if (same == names.end()) names.push_back({i});
        else same->push_back(i);
    }
    return names;
}

}  // namespace rocmtune::verify
