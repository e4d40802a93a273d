// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "judge/verify/search_runs.hpp"

namespace rocmtune::verify {
namespace {

/// Rounds before the worse half leaves.
constexpr std::size_t rounds_a_heat = 5;
/// Rounds before an arm can be surely worse than the best one, and by how many errors of their
/// difference it then is.
constexpr std::size_t fewest_rounds = 3;
constexpr double surely_worse = 4;
/// Errors by which a setting must help, in the race or in the screening, to be in the winner.
constexpr double shown_to_help = 2;

/// Of a program that always prints the same figure any difference is sure.
double errors_apart(double difference, double error) {
    if (error > 0) return difference / error;
    return difference > 0 ? std::numeric_limits<double>::infinity() : 0;
}

/// Errors of their difference by which one arm is better than another.
double errors_ahead(Arm const& one, Arm const& other, double noise) {
    return errors_apart(one.mean() - other.mean(),
                        std::hypot(one.error(noise), other.error(noise)));
}

/// Whether what this arm gains is less than the margin, for sure.
bool is_surely_below(Arm const& arm, double margin, double noise) {
    return arm.values.size() >= fewest_rounds &&
           errors_apart(margin - arm.mean(), arm.error(noise)) >= surely_worse;
}

double deviation(std::vector<double> const& values, double mean) {
    double sum = 0;
    for (auto const value : values) sum += (value - mean) * (value - mean);
    return values.size() < 2 ? 0 : std::sqrt(sum / static_cast<double>(values.size() - 1));
}

}  // namespace

double Arm::mean() const {
    double sum = 0;
    for (auto const value : values) sum += value;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double Arm::error(double noise) const {
    // A value is the difference of two runs.
    auto const scatter = std::max(noise * std::sqrt(2.0), deviation(values, mean()));
    return scatter / std::sqrt(static_cast<double>(std::max<std::size_t>(values.size(), 1)));
}

Race::Race(SearchRuns& runs) : runs_(runs) {
    std::vector<Chosen> sets{{}};
    for (auto const& values : runs.open_names()) {
        auto const before = sets;
        for (auto const place : values)
            for (auto set : before) {
                set.insert(place);
                sets.push_back(std::move(set));
            }
    }
    for (auto& set : sets)
        if (!set.empty()) arms_.push_back({.chosen = std::move(set)});
}

std::vector<Arm*> Race::open_arms() {
    std::vector<Arm*> open;
    for (auto& arm : arms_)
        if (arm.open) open.push_back(&arm);
    return open;
}

std::optional<Arm> Race::best(double share) {
    auto const has_time = [&] { return !runs_.is_over(share, open_arms().size() + 1); };
    while (!open_arms().empty() && has_time()) {
        for (std::size_t i = 0; i < rounds_a_heat && has_time(); ++i) {
            run_round();
            if (leave_surely_worse() && open_arms().size() <= 2) break;
        }
        note_effects();
        auto open = open_arms();
        if (open.size() <= 2) break;
        std::ranges::sort(open, std::greater(), [](Arm const* arm) { return arm->mean(); });
        for (std::size_t i = (open.size() + 1) / 2; i < open.size(); ++i) open[i]->open = false;
    }
    Arm const* best = nullptr;
    for (auto const* const arm : open_arms())
        if (!arm->values.empty() && (best == nullptr || arm->mean() > best->mean())) best = arm;
    if (best == nullptr) return std::nullopt;
    auto const* simplest = best;
    while (auto const* const smaller = without_passenger(*simplest)) simplest = smaller;
    runs_.best_so_far = simplest->mean();
    return *simplest;
}

void Race::make_sure(double share, double error, double margin) {
    for (auto& arm : arms_)
        arm.open = arm.chosen.size() == 1 && runs_.result.tried[*arm.chosen.begin()].open;
    while (!open_arms().empty() && !runs_.is_over(share, open_arms().size() + 1)) {
        run_round();
        for (auto& arm : arms_)
            if (arm.error(runs_.noise) <= error || is_surely_below(arm, margin, runs_.noise))
                arm.open = false;
    }
    note_effects();
}

/// The same arm less the setting that helps least surely, if neither this race nor the screening
/// shows that it helps; else null.
Arm const* Race::without_passenger(Arm const& arm) const {
    Arm const* without = nullptr;
    double least = shown_to_help;
    for (auto const place : arm.chosen) {
        auto rest = arm.chosen;
        rest.erase(place);
        auto const smaller = std::ranges::find(arms_, rest, &Arm::chosen);
        if (smaller == arms_.end() || smaller->values.empty()) continue;
        auto const before =
            errors_apart(runs_.result.tried[place].effect.estimate, runs_.error_of(place));
        auto const shown = std::max(errors_ahead(arm, *smaller, runs_.noise), before);
        if (shown >= least) continue;
        least = shown;
        without = &*smaller;
    }
    return without;
}

bool Race::leave_surely_worse() {
    auto const open = open_arms();
    if (open.empty()) return false;
    auto const* const best =
        *std::ranges::max_element(open, {}, [](Arm* arm) { return arm->mean(); });
    if (best->values.size() < fewest_rounds) return false;
    bool some = false;
    for (auto* const arm : open) {
        if (errors_ahead(*best, *arm, runs_.noise) < surely_worse) continue;
        arm->open = false;
        some = true;
    }
    return some;
}

/// Every open arm once and the baseline once, in an order by chance.
void Race::run_round() {
    auto open = open_arms();
    Arm without;
    open.push_back(&without);
    std::ranges::shuffle(open, runs_.random);
    std::vector<std::pair<Arm*, double>> scores;
    std::optional<double> base;
    for (auto* const arm : open) {
        runs_.tell(fmt::format("{} combinations", open.size() - 1));
        auto const run = runs_.start(arm->chosen);
        if (run.interrupted || (!run.ok && arm == &without)) return;
        if (!run.ok) {
            arm->open = false;
            if (arm->chosen.size() == 1) runs_.close_failed(*arm->chosen.begin(), run);
        } else if (arm == &without) {
            base = runs_.score(run);
        } else {
            scores.emplace_back(arm, runs_.score(run));
        }
    }
    for (auto const& [arm, value] : scores) {
        arm->values.push_back(value - *base);
        for (auto const place : arm->chosen) runs_.result.tried[place].stage = TuningStage::race;
    }
}

/// What the race shows of those that ran alone.
void Race::note_effects() {
    for (auto const& arm : arms_)
        if (arm.chosen.size() == 1 && arm.values.size() > 1)
            runs_.note_effect(*arm.chosen.begin(), {arm.mean(), arm.error(runs_.noise)});
}

}  // namespace rocmtune::verify
