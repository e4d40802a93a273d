// SPDX-License-Identifier: MIT
// The effects of many candidates out of pairs of runs, in which about half of them were on in the
// first run and the other half in the second.
#pragma once

#include <cstddef>
#include <vector>

namespace rocmtune::verify {

/// What one pair of runs shows.
struct ScreeningPair {
    /// For each candidate +1: on in the first run, -1: on in the second, 0: in neither.
    std::vector<int> signs;
    double difference = 0;  ///< log of better, first run over second
};

/// Effect of one candidate (log of better, on over off) and its standard error.
struct ScreenedEffect {
    double estimate = 0;
    double error = 0;
};

/// The effects of all candidates. Few of them matter, and that is used: the sum of their effects is
/// fitted to the differences with a penalty on each (R. Tibshirani, "Regression Shrinkage and
/// Selection via the Lasso", J. R. Stat. Soc. B 58 (1996) 267-288; coordinate descent: J. Friedman
/// et al., J. Stat. Softw. 33 (2010)), and an estimate is what the others leave of it, without a
/// penalty. Differences far out count as much as the last that is not.
/// @param noise  standard deviation of a single run's log, as known before; the errors are no
///               smaller than it allows
std::vector<ScreenedEffect> screened_effects(std::vector<ScreeningPair> const& pairs,
                                             std::size_t candidates, double noise);

}  // namespace rocmtune::verify
