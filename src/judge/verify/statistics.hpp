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
// From the differences of the blocks to a verdict about each setting.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/finding.hpp"

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

/// The four runs of a block: A the baseline, B the candidate, in the order ABBA or BAAB. What
/// drifts evenly during the block falls out of the difference.
struct Block {
    bool candidate_first = false;       ///< BAAB
    std::array<double, 4> values = {};  ///< in the order of running; all above 0
};

/// Log of candidate over baseline. The metric's direction is the caller's.
double difference_of(Block const& block);

/// What came out about one setting.
struct Judgement {
    SettingVerdict verdict = SettingVerdict::inconclusive;
    Shift shift = {};  ///< log of better: above 0 the candidate is better
    double p = 1;      ///< Holm's, of the decision that was nearest
    std::string reason = {};
    /// Blocks after which an inconclusive one would probably be decided; absent: decided, or no
    /// number of blocks would do.
    std::optional<std::size_t> blocks_needed = {};
};

/// The verdicts of settings that are judged together.
/// @param differences  of each setting one a block, as log of better
/// @param margin       effects up to this ratio (0.02) do not matter; above 0
std::vector<Judgement> judge(std::span<std::vector<double> const> differences, double margin);

/// The smallest number of blocks that can decide anything about so many settings.
std::size_t least_blocks(std::size_t settings);

/// The number of blocks for single runs that scatter by `noise` (standard deviation of their log),
/// so that the interval is about half as wide as what the margin leaves.
std::size_t blocks_for(double noise, double margin, std::size_t settings);

/// The smallest effect (ratio, 0.05: 5 %) that as many blocks with this scatter would show in 19 of
/// 20 verifications. Absent with too few blocks.
std::optional<double> smallest_effect(Shift const& shift, double margin);

/// Standard deviation, estimated from the median distance of neighbours: a slow drift is no
/// scatter, a single outlier hardly counts. 0 of fewer than two values.
double scatter_of(std::span<double const> logs);

}  // namespace rocmtune::verify
