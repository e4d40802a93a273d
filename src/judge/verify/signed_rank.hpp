// SPDX-License-Identifier: MIT
// The size of a shift out of one difference a block, and how sure it is.
//
// Wilcoxon's signed-rank statistic, the interval that belongs to it and the estimate in its middle:
// F. Wilcoxon, "Individual Comparisons by Ranking Methods", Biometrics Bulletin 1 (1945) 80-83;
// J. L. Hodges and E. L. Lehmann, "Estimates of Location Based on Rank Tests", Ann. Math. Stat. 34
// (1963) 598-611; J. W. Tukey, "The Simplest Signed-Rank Tests" (1949), for the interval.
//
// Nothing is assumed of the noise. It is enough that the sign of each difference's noise is a fair
// coin, independent of the others, and the design makes it one: each block begins with an arm that
// a coin has chosen (R. A. Fisher, "The Design of Experiments", 1935, ch. II; P. R. Rosenbaum,
// "Observational Studies", 2002, ch. 2). Drift, autocorrelation, heavy tails and steps of the
// clocks change the sizes of the differences and not the coin, so the interval holds with them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace rocmtune::verify {

/// A shift and its interval. Without ends there were too few differences for the confidence.
struct Shift {
    double estimate = 0;
    std::optional<double> low = {};
    std::optional<double> high = {};
};

/// The shift of at least one difference, in their unit; an interval of (at least) 95 % from six
/// differences on. At most `most_differences` are taken.
Shift shift_of(std::span<double const> differences);

/// Exact one-sided p value of "the shift is at most `bound`": small means that it is larger.
/// Differences equal to the bound speak for the hypothesis. 1 of no differences.
double p_above(std::span<double const> differences, double bound);

/// The same of "the shift is at least `bound`".
double p_below(std::span<double const> differences, double bound);

/// Two-sided p value of "there is no shift".
double p_of_none(std::span<double const> differences);

/// So many, because all of their pairs are looked at.
inline constexpr std::size_t most_differences = 400;

}  // namespace rocmtune::verify
