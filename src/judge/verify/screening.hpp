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

struct Screened {
    std::vector<ScreenedEffect> effects;  ///< one for each candidate
    double noise = 0;                     ///< standard deviation of a single run's log
};

/// The effects of all candidates. Few of them matter, and that is used: those that stand out of the
/// largest that chance would give (D. L. Donoho and I. M. Johnstone, "Ideal Spatial Adaptation by
/// Wavelet Shrinkage", Biometrika 81 (1994) 425-455) are taken from the differences, one after the
/// other until nothing moves, and an estimate is what the others leave of it. Differences far out
/// count as much as the last that is not.
/// @param noise  standard deviation of a single run's log, as known before; of few pairs the errors
///               are no smaller than it allows
Screened screened_effects(std::vector<ScreeningPair> const& pairs, std::size_t candidates,
                          double noise);

}  // namespace rocmtune::verify
