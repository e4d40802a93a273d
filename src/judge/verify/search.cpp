// SPDX-License-Identifier: MIT
#include "judge/verify/search.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "judge/verify/search_runs.hpp"

namespace rocmtune::verify {
namespace {

/// Shares of the budget after which a stage ends: looking at each candidate alone, screening, the
/// race. The rest is the confirmation's; where nothing is to be confirmed, what makes sure takes
/// it.
constexpr double until_looked = 0.35;
constexpr double until_screened = 0.5;
constexpr double until_raced = 0.65;
constexpr double until_sure = 0.95;

/// Runs that a search takes at least, be there one candidate.
constexpr double fewest_search_runs = 8;
/// Runs of the baseline, after one that warms up.
constexpr int first_runs = 4;
/// A candidate that is slower by so much, twice, is tried no further: it would cost every second
/// run of the screening that time.
constexpr double much_slower = 0.25;
constexpr double surely_slower = 4;  ///< a factor that nobody has to see twice
constexpr double seen_at_once = 8;   ///< scatters of a run by which a look alone tells
/// "Nothing to win" is said if a gain of so many margins would have been seen.
constexpr double most_unseen = 2;
/// An effect is to be shown though it be a fifth smaller than it looked.
constexpr double believed = 0.8;
/// 99.6 % one-sided, the limit of verify against no effect at all.
constexpr double z_none = 2.65;
/// The confirmation shows that there is a gain; whether it is worth having is read off its
/// estimate.
constexpr double confirmation_margin = 0.001;

class Search {
  public:
    Search(std::vector<Candidate> const& candidates, Runner const& run, SearchPlan const& plan)
        : runs_(candidates, run, plan), result_(runs_.result), run_(run), plan_(plan) {}

    SearchResult finish() {
        if (warm_up() && leave_time_to_confirm()) {
            look_at_all();
            screen(runs_, share_ * until_screened);
            find_best();
        }
        if (result_.interrupted && result_.answer == TuningAnswer::not_decided)
            result_.reason = "it was interrupted before the answer: --resume goes on";
        for (std::size_t i = 0; i < result_.tried.size(); ++i)
            if (result_.tried[i].open && result_.tried[i].runs == 0) leave_out(i, "it had no turn");
        if (result_.answer == TuningAnswer::not_decided) leave_undecided();
        result_.spent_seconds = runs_.spent;
        return std::move(result_);
    }

  private:
    // ---- the baseline ---------------------------------------------------------------------------

    /// The first run also fills caches: its figure does not count.
    bool warm_up() {
        std::vector<double> scores;
        double load = 0;
        for (int i = 0; i <= first_runs; ++i) {
            runs_.tell("the program as it is");
            auto const run = runs_.start({}, i == 0);
            if (!run.ok) return give_up(run);
            if (i == 0) take_first(run);
            else scores.push_back(runs_.score(run));
            if (i > 0) load += run.conditions.others_load.value_or(0) / first_runs;
        }
        runs_.usual_load = load;
        for (auto const score : scores) runs_.baseline += score / first_runs;
        runs_.seconds_a_run = runs_.spent / (first_runs + 1);
        runs_.noise = scatter_of(scores);
        result_.noise = runs_.noise;
        result_.baseline = std::exp(result_.lower_is_better ? -runs_.baseline : runs_.baseline);
        return true;
    }

    void take_first(Run const& run) {
        mapped_ = run.mapped;
        result_.unit = run.unit;
        if (plan_.direction_by_unit.value_or(false))
            result_.lower_is_better = is_time_unit(run.unit);
    }

    bool give_up(Run const& run) {
        result_.answer = run.interrupted ? TuningAnswer::not_decided : TuningAnswer::failed;
        result_.reason = "without any candidate: " + run.problem;
        return false;
    }

    /// Of a short budget the search gets less, down to one run of each candidate and a race of two.
    bool leave_time_to_confirm() {
        auto const confirming = runs_.seconds_a_run * static_cast<double>(4 * least_blocks(1) + 6);
        auto const left = 1 - confirming / plan_.budget_seconds;
        share_ = std::min(1.0, left / until_raced);
        auto const least = runs_.spent + fewest_search_runs * runs_.seconds_a_run;
        if (left * plan_.budget_seconds >= least) return true;
        auto const all = static_cast<double>(result_.tried.size() + 40) * runs_.seconds_a_run;
        result_.reason = fmt::format(
            "the budget of {:.3g} s holds {:.0f} runs of {:.2g} s, too few to confirm anything: "
            "--budget {:.0f} would do",
            plan_.budget_seconds, std::floor(plan_.budget_seconds / runs_.seconds_a_run),
            runs_.seconds_a_run, std::ceil(confirming + runs_.spent + all));
        for (std::size_t i = 0; i < result_.tried.size(); ++i)
            leave_out(i, "there was no time to try it");
        return false;
    }

    // ---- each candidate alone -------------------------------------------------------------------

    void look_at_all() {
        for (std::size_t i = 0; i < result_.tried.size(); ++i) {
            runs_.tell(fmt::format("a look at candidate {} of {}", i + 1, result_.tried.size()));
            if (runs_.is_over(share_ * until_looked)) leave_out(i, "there was no time to try it");
            else look_at(i);
        }
    }

    void look_at(std::size_t place) {
        auto& tried = result_.tried[place];
        auto const& candidate = tried.candidate;
        auto run = runs_.start({place}, !candidate.own);
        if (!run.ok && !run.interrupted) run = try_again(place, run);
        if (!tried.open || run.interrupted) return;
        auto files = mapped_;
        files.insert(run.mapped.begin(), run.mapped.end());
        if (!candidate.own) tried.seen_reader = seen_reader(candidate.readers, files);
        if (tried.seen_reader.empty() && candidate.assume_read) tried.seen_reader = "asserted";
        if (tried.seen_reader.empty() && !candidate.own)
            return leave_out(place, why_unread(candidate));
        if (!run.ok) return;
        runs_.alone[place] = runs_.score(run) - runs_.baseline;
        if (!is_much_slower(run)) return;
        bool const surely =
            runs_.alone[place] < -std::max(std::log(surely_slower), seen_at_once * runs_.noise);
        if (!surely) run = runs_.start({place});
        if (!run.ok || !is_much_slower(run)) return;
        tried.effect.estimate = runs_.alone[place];
        runs_.close(place, CandidateVerdict::slower,
                    surely ? fmt::format("by a factor of {:.2g}", std::exp(-runs_.alone[place]))
                           : "twice in a row");
    }

    static std::string why_unread(Candidate const& candidate) {
        if (!candidate.readers.empty())
            return "nothing that is known to read it is in this program";
        return fmt::format("nothing is known to read it: --assume-read {} tries it",
                           candidate.name);
    }

    /// One disturbed run of the baseline makes the noise look large: a factor is enough, twice.
    bool is_much_slower(Run const& run) const {
        auto const least =
            std::clamp(seen_at_once * runs_.noise, much_slower, std::log(surely_slower));
        return runs_.score(run) < runs_.baseline - least;
    }

    /// After a failed run: whether it fails again and again, and never without the candidate.
    Run try_again(std::size_t place, Run const& first) {
        auto run = first;
        for (std::size_t failures = 1; failures < failures_that_tell; ++failures) {
            if (auto const without = runs_.start({}); !without.ok) return run;
            run = runs_.start({place}, true);
            if (run.ok || run.interrupted) return run;
        }
        runs_.close_failed(place, run);
        return run;
    }

    void leave_out(std::size_t place, std::string reason) {
        runs_.close(place, CandidateVerdict::left_out, std::move(reason));
    }

    /// Whether nothing that was seen says that it gains less than the margin.
    bool may_win(Tried const& tried) const {
        return !tried.effect.high || *tried.effect.high >= std::log1p(plan_.margin);
    }

    void leave_undecided() {
        for (auto& tried : result_.tried)
            if (tried.verdict == CandidateVerdict::not_better && may_win(tried))
                tried.verdict = CandidateVerdict::not_decided;
    }

    // ---- the race and what it came to -----------------------------------------------------------

    void find_best() {
        race_.emplace(runs_);
        best_ = race_->best(share_ * until_raced);
        note_smallest();
        if (result_.interrupted) return;
        auto const margin = std::log1p(plan_.margin);
        if (best_ && best_->mean() + 2 * best_->error(runs_.noise) >= margin) return confirm();
        decide_without();
    }

    /// Error times this: what is shown in 19 of 20 searches.
    static constexpr double z_shown = 2 * z_one_sided;

    /// The largest of the effects that would have been shown, of candidates that count.
    template <class Counts>
    std::optional<double> largest_shown(Counts const& counts) const {
        std::optional<double> largest;
        for (std::size_t i = 0; i < result_.tried.size(); ++i) {
            if (!result_.tried[i].effect.high || !counts(result_.tried[i])) continue;
            largest = std::max(largest.value_or(0), std::expm1(z_shown * runs_.error_of(i)));
        }
        return largest;
    }

    /// The largest effect that a candidate may have without having been seen.
    void note_smallest() {
        result_.smallest_effect = largest_shown([](Tried const&) { return true; });
    }

    void confirm() {
        result_.best.assign(best_->chosen.begin(), best_->chosen.end());
        Candidate winner{.name = "together", .own = true};
        for (auto const place : result_.best) {
            result_.tried[place].stage = TuningStage::confirmation;
            auto const& changes = result_.tried[place].candidate.changes;
            winner.changes.insert(winner.changes.end(), changes.begin(), changes.end());
        }
        ExperimentPlan plan{.margin = confirmation_margin,
                            .budget_seconds = std::max(plan_.budget_seconds - runs_.spent, 0.0),
                            .lower_is_better = result_.lower_is_better,
                            .seed = runs_.random(),
                            .blocks = blocks_wanted()};
        plan.progress = [&](std::size_t done, std::size_t all) {
            runs_.tell(fmt::format("confirming, block {} of {}", done + 1, all));
        };
        auto experiment = run_experiment({winner}, confirming_runner(), plan);
        result_.confirmation = std::move(experiment.trials.front());
        decide();
    }

    Runner confirming_runner() {
        return [this](std::span<EnvironmentChange const> changes, bool watch) {
            auto const run = run_(changes, watch);
            runs_.count(run);
            if (!changes.empty())
                for (auto const place : result_.best) ++result_.tried[place].runs;
            return run;
        };
    }

    std::size_t blocks_wanted() const {
        auto const effect = believed * std::max(best_->mean(), std::log1p(plan_.margin));
        auto const one_value =
            best_->error(runs_.noise) * std::sqrt(static_cast<double>(best_->values.size()) / 2);
        auto const count = 1.1 * std::pow((z_none + z_one_sided) * one_value / effect, 2);
        return static_cast<std::size_t>(std::clamp(std::ceil(count), 10.0, 200.0));
    }

    void decide() {
        auto const& trial = *result_.confirmation;
        auto const& it = trial.judgement;
        auto const margin = std::log1p(plan_.margin);
        bool const wins = it.verdict == SettingVerdict::confirmed && it.shift.estimate >= margin;
        for (auto const place : result_.best)
            result_.tried[place].verdict =
                wins ? CandidateVerdict::winner : CandidateVerdict::not_confirmed;
        if (wins) {
            result_.answer = TuningAnswer::winner;
        } else if (it.shift.high && *it.shift.high < margin) {
            decide_without();
        } else {
            result_.reason = "what looked best was not confirmed";
            if (!it.reason.empty()) result_.reason += ": " + it.reason;
        }
    }

    /// Whether the search can say that nothing is to be won is a matter of what it would have seen.
    void decide_without() {
        if (best_)
            race_->make_sure(until_sure, std::log1p(most_unseen * plan_.margin) / z_shown,
                             std::log1p(plan_.margin));
        note_smallest();
        auto const untried = std::ranges::count_if(result_.tried, [](Tried const& tried) {
            return tried.verdict == CandidateVerdict::left_out && tried.runs == 0;
        });
        auto const unseen =
            largest_shown([this](Tried const& tried) { return may_win(tried); }).value_or(0);
        bool const nothing_was_tried = std::ranges::all_of(result_.tried, [](Tried const& tried) {
            return tried.verdict == CandidateVerdict::left_out;
        });
        if (nothing_was_tried && untried == 0) {
            result_.reason = "no candidate could be tried: the reasons stand at each";
        } else if (untried > 0) {
            result_.reason = fmt::format("{} candidates could not be tried in the time", untried);
        } else if (unseen <= most_unseen * plan_.margin + 1e-9) {
            result_.answer = TuningAnswer::nothing;
            result_.reason = "no candidate makes this program better by more than the margin";
        } else {
            result_.reason = fmt::format(
                "nothing was found; a gain of less than {:.2g} % could not be seen in this time",
                100 * unseen);
        }
    }

    SearchRuns runs_;
    SearchResult& result_;
    Runner const& run_;
    SearchPlan const& plan_;
    std::set<std::string> mapped_;
    double share_ = 1;  ///< of the usual shares of the budget
    std::optional<Race> race_;
    std::optional<Arm> best_;
};

}  // namespace

SearchResult search(std::vector<Candidate> const& candidates, Runner const& run,
                    SearchPlan const& plan) {
    return Search(candidates, run, plan).finish();
}

}  // namespace rocmtune::verify
