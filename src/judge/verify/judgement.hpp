// SPDX-License-Identifier: MIT
// From the differences of the blocks to a verdict about each setting.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "judge/verify/signed_rank.hpp"
#include "rocmtune/finding.hpp"

namespace rocmtune::verify {

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
