// SPDX-License-Identifier: MIT
// What the stages of a search share: its runs with what they cost, and what is known of each
// candidate.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "judge/verify/screening.hpp"
#include "judge/verify/search.hpp"

namespace rocmtune::verify {

/// Two-sided 95 % of the normal distribution; 95 % one-sided.
inline constexpr double z_interval = 1.96;
inline constexpr double z_one_sided = 1.645;

using Chosen = std::set<std::size_t>;  ///< places of candidates

class SearchRuns {
  public:
    SearchRuns(std::vector<Candidate> const& candidates, Runner const& run, SearchPlan const& plan);

    /// One run with some of the candidates. A figure in another unit is none. Repeated while others
    /// use more processors than beside the baseline, or the machine sleeps, as long as few runs
    /// are.
    Run start(Chosen const& chosen, bool watch = false);
    /// Log of better.
    double score(Run const& run) const;

    /// Whether a share of the budget does not hold so many runs more, or the search was
    /// interrupted.
    bool is_over(double share, std::size_t runs = 1) const;
    void tell(std::string const& stage) const;
    bool coin() { return (random() & 1U) != 0; }

    void close(std::size_t place, CandidateVerdict verdict, std::string reason);
    /// The candidate is to blame for this run.
    void close_failed(std::size_t place, Run const& run, std::string const& when = {});
    /// Takes an estimate, unless a surer one is known.
    void note_effect(std::size_t place, ScreenedEffect const& it);
    /// The best that speaks for a candidate: its effect among others, or its look alone less what
    /// chance would give. What spoils others, and is good alone, would else be lost.
    double promise_of(std::size_t place) const;
    /// Standard error of a candidate's effect; infinite if none is known.
    double error_of(std::size_t place) const;
    /// The open candidates by name, each with its values.
    std::vector<std::vector<std::size_t>> open_names() const;

    SearchPlan const& plan;
    SearchResult result = {};
    std::mt19937_64 random;
    double spent = 0;                       ///< seconds
    double seconds_a_run = 0;               ///< of the program as it is
    double baseline = 0;                    ///< log of better
    double noise = 0;                       ///< standard deviation of a single run's log
    std::optional<double> usual_load = {};  ///< of others beside the baseline
    std::vector<double> alone = {};  ///< log of better over the baseline, of one look at each
    std::optional<double> best_so_far = {};

    void count(Run const& run);

  private:
    Run start_once(Chosen const& chosen, bool watch);
    bool is_uneven(Run const& run) const;

    Runner const& run_;
    std::optional<std::string> unit_ = {};
};

/// Names that race in all their combinations, and how many arms these are at most.
inline constexpr std::size_t most_racing = 3;
inline constexpr std::size_t most_arms = 7;
/// Closes candidates until the rest can race, or until `share` of the budget is spent.
void screen(SearchRuns& runs, double share);

/// A set of candidates in the race.
struct Arm {
    Chosen chosen = {};
    std::vector<double> values = {};  ///< log of better over the baseline of the same round
    bool open = true;

    double mean() const;
    /// Standard error of the mean; no smaller than single runs allow that scatter by `noise`.
    double error(double noise) const;
};

class Race {
  public:
    /// All combinations of the candidates that are open.
    explicit Race(SearchRuns& runs);

    /// Heats until one or two are left, or until `share` of the budget is spent. The best arm, less
    /// the settings in it that nothing shows to help. Absent if none came to its end.
    std::optional<Arm> best(double share);
    /// Nothing looks good: lets what stands alone race until the error of each is at most `error`,
    /// or it is surely below `margin`.
    void make_sure(double share, double error, double margin);

  private:
    std::vector<Arm*> open_arms();
    void run_round();
    /// Whether one was.
    bool leave_surely_worse();
    Arm const* without_passenger(Arm const& arm) const;
    void note_effects();

    SearchRuns& runs_;
    std::vector<Arm> arms_ = {};
};

}  // namespace rocmtune::verify
