// SPDX-License-Identifier: MIT
// Facts of two reports beside each other.
#pragma once

#include "compare/gpu_pairs.hpp"
#include "reports/report.hpp"
#include "rocmtune/comparison.hpp"

namespace rocmtune {

/// Whether two values of one fact are the same, within the tolerance of its word.
bool same_value(FactWord const& word, PlainValue const& a, PlainValue const& b);

/// Adds what differs between the hosts, the paired GPUs and the recommendations.
void compare_facts(ReadReport const& a, ReadReport const& b, std::vector<MatchedGpus> const& pairs,
                   ReportComparison& comparison);

}  // namespace rocmtune
