// SPDX-License-Identifier: MIT
// The search of tune: which of many candidates make a program faster, alone or together, and
// whether fresh runs confirm it.
//
// Runs come in pairs: one has about half of the candidates, the next one the other half (a foldover
// of a random two-level design: R. L. Plackett and J. P. Burman, "The Design of Optimum
// Multifactorial Experiments", Biometrika 33 (1946) 305-325; G. E. P. Box and K. B. Wilson, 1951).
// So every run tells of every candidate, and what drifts slowly falls out of a pair's difference.
// The better third goes on (successive halving: K. Jamieson and A. Talwalkar, AISTATS 2016), the
// last three race in all combinations. None of this can name a winner: that takes an experiment of
// verify on runs that chose nothing, so that its error is that of one test, however many candidates
// there were.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "judge/verify/experiment.hpp"
#include "rocmtune/tuning.hpp"

namespace rocmtune::verify {

struct SearchPlan {
    double margin = 0.01;         ///< a smaller gain is no winner; above 0
    double budget_seconds = 300;  ///< the sum of what runs take
    bool lower_is_better = false;
    std::optional<bool> direction_by_unit = {};
    std::uint64_t seed = 0;
    /// What is done, how much of the budget is spent (0 to 1), the best so far (log of better).
    std::function<void(std::string const& stage, double spent, std::optional<double> best)>
        progress = {};
};

/// One candidate with what the search saw of it.
struct Tried {
    Candidate candidate;
    CandidateVerdict verdict = CandidateVerdict::not_better;
    bool open = true;  ///< still tried
    TuningStage stage = TuningStage::look;
    Shift effect = {};     ///< log of better
    std::size_t runs = 0;  ///< with it
    std::string reason = {};
    std::string seen_reader = {};  ///< as Trial has it
};

struct SearchResult {
    TuningAnswer answer = TuningAnswer::not_decided;
    std::string reason = {};  ///< why there is no winner
    std::vector<Tried> tried = {};
    std::vector<std::size_t> best = {};  ///< places in `tried` of what was to be confirmed
    std::optional<Trial> confirmation = {};
    std::string unit = {};
    bool lower_is_better = false;
    std::size_t runs = 0;
    std::size_t failed = 0;
    std::size_t repeated = 0;  ///< others used more processors than usual, or the machine slept
    std::size_t uneven = 0;    ///< likewise, and they count: too many had been repeated
    double spent_seconds = 0;
    std::optional<double> baseline = {};  ///< the metric without any candidate
    std::optional<double> noise = {};
    std::optional<double> smallest_effect = {};  ///< ratio
    bool interrupted = false;
};

/// Candidates of one name are alternatives. One without readers (`own`) needs none to be seen.
SearchResult search(std::vector<Candidate> const& candidates, Runner const& run,
                    SearchPlan const& plan);

}  // namespace rocmtune::verify
