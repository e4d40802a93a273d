// SPDX-License-Identifier: MIT
#include "judge/verify/experiment.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune::verify {
namespace {

/// Arms of one block may differ by so much; beyond it the block is repeated. The rule knows no
/// arm, so it leaves the coin fair.
constexpr double most_clock_apart = 0.05;
constexpr double most_celsius_apart = 10;

/// Runs of the baseline before the blocks, besides the one that warms up.
constexpr int pilots = 3;
/// What runs may take more than planned: a setting may slow down.
constexpr double most_overrun = 1.25;

double mean(std::optional<double> a, std::optional<double> b) {
    return (*a + *b) / 2;
}

/// How far the two runs of one arm are from those of the other.
double apart(std::optional<double> Conditions::*field, std::array<Run, 4> const& runs) {
    for (auto const& run : runs)
        if (!(run.conditions.*field)) return 0;
    auto const at = [&](std::size_t i) { return runs[i].conditions.*field; };
    return std::abs(mean(at(1), at(2)) - mean(at(0), at(3)));
}

bool is_uneven(std::array<Run, 4> const& runs) {
    auto const& clock = runs[0].conditions.clock_mhz;
    auto const has_slept = [](Run const& run) { return run.conditions.slept_seconds > most_slept; };
    return std::ranges::any_of(runs, has_slept) ||
           apart(&Conditions::others_load, runs) > most_load_apart ||
           apart(&Conditions::temperature_celsius, runs) > most_celsius_apart ||
           (clock && apart(&Conditions::clock_mhz, runs) > most_clock_apart * *clock);
}

class Experiment {
  public:
    Experiment(std::vector<Candidate> const& candidates, Runner const& run,
               ExperimentPlan const& plan)
        : run_(run), plan_(plan), random_(plan.seed) {
        for (auto const& candidate : candidates) result_.trials.push_back({.candidate = candidate});
        result_.lower_is_better = plan.lower_is_better;
    }

    ExperimentResult finish() {
        if (warm_up() && look_at_candidates() && plan_blocks()) run_blocks();
        judge_all();
        return std::move(result_);
    }

  private:
    // ---- single runs ----------------------------------------------------------------------------

    Run start(std::span<EnvironmentChange const> changes, bool watch = false) {
        auto run = run_(changes, watch);
        spent_ += run.seconds;
        result_.interrupted = result_.interrupted || run.interrupted;
        if (run.ok && !unit_) unit_ = run.unit;
        if (run.ok && run.unit != *unit_) {
            run.ok = false;
            run.problem =
                fmt::format("it printed another unit: '{}', and '{}' before", run.unit, *unit_);
        }
        return run;
    }

    Run start_baseline(bool watch = false) {
        auto run = start({}, watch);
        if (!run.ok && !run.interrupted) ++result_.baseline_failed;
        return run;
    }

    Run start_candidate(Trial& trial, bool watch = false) {
        auto run = start(trial.candidate.changes, watch);
        if (!run.ok && !run.interrupted) {
            ++trial.runs_failed;
            ++result_.candidates_failed;
        }
        return run;
    }

    // ---- before the blocks ----------------------------------------------------------------------

    /// The first run also fills caches, of files and of compiled kernels: its figure does not
    /// count.
    bool warm_up() {
        auto const first = start_baseline(true);
        if (!first.ok) return give_up(first);
        mapped_ = first.mapped;
        result_.unit = first.unit;
        std::vector<double> logs;
        for (int i = 0; i < pilots; ++i) {
            auto const run = start_baseline();
            if (!run.ok) return give_up(run);
            logs.push_back(std::log(run.value));
            seconds_.push_back(run.seconds);
        }
        noise_ = scatter_of(logs);
        if (plan_.direction_by_unit.value_or(false))
            result_.lower_is_better = is_time_unit(first.unit);
        return true;
    }

    bool give_up(Run const& run) {
        result_.failure = run.interrupted ? "interrupted" : run.problem;
        return false;
    }

    bool look_at_candidates() {
        for (auto& trial : result_.trials) {
            // It is the last one, and still open itself.
            if (trial.candidate.together && open_trials().size() < 3) {
                close(trial, SettingVerdict::not_measurable,
                      "fewer than two of the settings can be measured");
                continue;
            }
            look_at(trial);
            if (result_.interrupted) return false;
        }
        std::erase_if(result_.trials, [](Trial const& trial) {
            return trial.candidate.together &&
                   trial.judgement.verdict == SettingVerdict::not_measurable;
        });
        return !open_trials().empty();
    }

    void look_at(Trial& trial) {
        auto const& candidate = trial.candidate;
        auto run = start_candidate(trial, true);
        auto files = mapped_;
        files.insert(run.mapped.begin(), run.mapped.end());
        if (!run.ok) run = try_again(trial, run, true);
        if (result_.interrupted || trial.closed) return;
        files.insert(run.mapped.begin(), run.mapped.end());
        if (plan_.self_test || candidate.together || candidate.own) {
            trial.seen_reader = "none is needed";
        } else {
            trial.seen_reader = seen_reader(candidate.readers, files);
            if (trial.seen_reader.empty() && candidate.assume_read) trial.seen_reader = "asserted";
            if (trial.seen_reader.empty()) return close_unseen(trial, run);
        }
        if (run.ok) candidate_seconds_.push_back(run.seconds);
    }

    /// Nothing that reads the setting was seen. Of a program that failed that says little.
    void close_unseen(Trial& trial, Run const& run) {
        if (run.ok) close(trial, SettingVerdict::not_measurable, "no witness");
        else
            close(trial, SettingVerdict::inconclusive,
                  "runs failed before anything that reads it was seen: " + run.problem);
    }

    /// After a failed run: lets baseline and candidate take turns until it is clear whether the
    /// setting is to blame; the trial is closed then. Gives the last run of the candidate.
    Run try_again(Trial& trial, Run const& first, bool watch = false) {
        auto run = first;
        for (std::size_t failures = 1; failures < failures_that_tell; ++failures) {
            bool const baseline_first = coin();
            if (baseline_first) (void)start_baseline();
            run = start_candidate(trial, watch);
            if (!baseline_first) (void)start_baseline();
            if (result_.interrupted || run.ok || result_.baseline_failed > 0) return run;
        }
        close(trial, SettingVerdict::harmful,
              fmt::format(
                  "it makes the measured program fail ({} times in a row, never without it): {}",
                  failures_that_tell, first.problem));
        return run;
    }

    bool coin() { return (random_() & 1U) != 0; }

    void close(Trial& trial, SettingVerdict verdict, std::string reason) {
        trial.judgement.verdict = verdict;
        trial.judgement.reason = std::move(reason);
        trial.closed = true;
    }

    std::vector<Trial*> open_trials() {
        std::vector<Trial*> open;
        for (auto& trial : result_.trials)
            if (!trial.closed) open.push_back(&trial);
        return open;
    }

    static double middle(std::vector<double> values) {
        if (values.empty()) return 0;
        std::ranges::sort(values);
        return values[values.size() / 2];
    }

    bool plan_blocks() {
        auto const open = open_trials().size();
        auto const alone = middle(seconds_);
        auto const with = candidate_seconds_.empty() ? alone : middle(candidate_seconds_);
        result_.seconds_per_block = std::max(2 * alone + 2 * with, 1e-6);
        auto const left = std::max(plan_.budget_seconds - spent_, 0.0);
        auto const fitting = static_cast<std::size_t>(
            std::min(left / result_.seconds_per_block / static_cast<double>(open), 1e6));
        // Half again as much noise as was seen: of few runs it is easily underestimated.
        auto const wanted = plan_.blocks.value_or(blocks_for(1.5 * noise_, plan_.margin, open));
        result_.blocks = std::min(wanted, fitting);
        if (result_.blocks >= least_blocks(open)) return true;
        result_.blocks = 0;
        auto const least = least_blocks(open);
        auto const cost = static_cast<double>(open * least) * result_.seconds_per_block + spent_;
        for (auto* const trial : open_trials()) {
            close(*trial, SettingVerdict::inconclusive,
                  fmt::format("the budget of {:.3g} s holds {} blocks of four runs of {:.2g} s, "
                              "and {} are the least: --budget {:.0f} would do",
                              plan_.budget_seconds, fitting, alone, least,
                              std::ceil(1.2 * cost + 1)));
            trial->judgement.blocks_needed = std::max(wanted, least);
        }
        return false;
    }

    // ---- blocks ---------------------------------------------------------------------------------

    void run_blocks() {
        auto const all = result_.blocks * open_trials().size();
        std::size_t done = 0;
        for (std::size_t round = 0; round < result_.blocks; ++round) {
            auto open = open_trials();
            std::shuffle(open.begin(), open.end(), random_);
            for (auto* const trial : open) {
                if (result_.interrupted || is_late()) return;
                if (plan_.progress) plan_.progress(done++, all);
                run_block(*trial);
            }
        }
    }

    bool is_late() const { return spent_ > most_overrun * plan_.budget_seconds; }

    /// One block that counts, after as many repetitions as it may have.
    void run_block(Trial& trial) {
        auto const most = std::max<std::size_t>(result_.blocks / 4, 2);
        while (true) {
            Block block{.candidate_first = coin()};
            std::array<Run, 4> runs;
            if (!run_four(trial, block, runs)) {
                bool const over = result_.interrupted || is_late() || trial.closed;
                if (over || ++trial.repeated >= most + 2) return;
                continue;
            }
            if (is_uneven(runs)) {
                if (trial.repeated < most && !is_late()) {
                    ++trial.repeated;
                    continue;
                }
                ++trial.uneven;
            }
            return keep(trial, block);
        }
    }

    bool run_four(Trial& trial, Block& block, std::array<Run, 4>& runs) {
        for (std::size_t i = 0; i < 4; ++i) {
            bool const inner = i == 1 || i == 2;
            bool const with = inner != block.candidate_first;
            runs[i] = with ? start_candidate(trial) : start_baseline();
            if (result_.interrupted) return false;
            if (!runs[i].ok) {
                if (with) (void)try_again(trial, runs[i]);
                last_problem_ = runs[i].problem;
                return false;
            }
            block.values[i] = runs[i].value;
        }
        return true;
    }

    void keep(Trial& trial, Block const& block) const {
        auto const& v = block.values;
        auto& outer = block.candidate_first ? trial.with : trial.baseline;
        auto& inner = block.candidate_first ? trial.baseline : trial.with;
        outer.insert(outer.end(), {v[0], v[3]});
        inner.insert(inner.end(), {v[1], v[2]});
        trial.orders += trial.orders.empty() ? "" : " ";
        trial.orders += block.candidate_first ? "BAAB" : "ABBA";
        auto const difference = difference_of(block);
        trial.differences.push_back(result_.lower_is_better ? -difference : difference);
    }

    // ---- after them -----------------------------------------------------------------------------

    void judge_all() {
        auto const open = open_trials();
        std::vector<std::vector<double>> differences;
        for (auto const* const trial : open) differences.push_back(trial->differences);
        auto judgements = judge(differences, plan_.margin);
        for (std::size_t i = 0; i < open.size(); ++i) {
            open[i]->judgement = std::move(judgements[i]);
            explain_missing(*open[i]);
        }
    }

    /// An inconclusive verdict for want of blocks says why they are missing.
    void explain_missing(Trial& trial) const {
        auto& it = trial.judgement;
        if (it.verdict != SettingVerdict::inconclusive) return;
        if (!result_.failure.empty()) it.reason = "without it: " + result_.failure;
        else if (result_.interrupted) it.reason = "interrupted; " + it.reason;
        else if (trial.differences.size() < result_.blocks && !last_problem_.empty())
            it.reason = fmt::format("runs failed ({} with it, {} without), the last: {}",
                                    trial.runs_failed, result_.baseline_failed, last_problem_);
        else if (trial.differences.size() < result_.blocks) it.reason = "out of time; " + it.reason;
    }

    Runner const& run_;
    ExperimentPlan const& plan_;
    std::mt19937_64 random_;
    ExperimentResult result_;
    std::optional<std::string> unit_;
    std::set<std::string> mapped_;
    std::vector<double> seconds_;
    std::vector<double> candidate_seconds_;
    std::string last_problem_;
    double noise_ = 0;
    double spent_ = 0;
};

}  // namespace

ExperimentResult run_experiment(std::vector<Candidate> const& candidates, Runner const& run,
                                ExperimentPlan const& plan) {
    return Experiment(candidates, run, plan).finish();
}

}  // namespace rocmtune::verify
