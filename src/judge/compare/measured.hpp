// SPDX-License-Identifier: MIT
// Measurements of two reports beside each other, judged by intervals.
#pragma once

#include <optional>

#include "judge/compare/gpu_pairs.hpp"
#include "reports/report.hpp"
#include "rocmtune/comparison.hpp"

namespace rocmtune {

/// A figure with its 95 % interval.
struct Estimate {
    double value = 0;
    double low = 0;
    double high = 0;
};

/// The figure of a measurement with the interval that it states, else one from its samples; absent
/// if it has none, or if there are too few samples for any interval of 95 %.
std::optional<Estimate> estimate_of(Measurement const& measurement);

/// How much better b is than a (0.05: 5 %), with its 95 % interval.
Estimate effect_of(Estimate const& a, Estimate const& b, bool lower_is_better);

/// What the interval of an effect means.
MeasuredChange change_of(Estimate const& effect, double margin);

/// Adds the measurements that both have, and what only one has.
void compare_measurements(ReadReport const& a, ReadReport const& b,
                          std::vector<MatchedGpus> const& pairs, ReportComparison& comparison);

}  // namespace rocmtune
