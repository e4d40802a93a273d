// SPDX-License-Identifier: MIT
// Facts of two reports beside each other.
#pragma once

#include "judge/compare/gpu_pairs.hpp"
#include "reports/report.hpp"
#include "rocmtune/comparison.hpp"

namespace rocmtune {

/// Adds what differs between the hosts, the paired GPUs and the recommendations.
void compare_facts(ReadReport const& a, ReadReport const& b, std::vector<MatchedGpus> const& pairs,
                   ReportComparison& comparison);

}  // namespace rocmtune
