// SPDX-License-Identifier: MIT
// Judgement: what two reports say differently, and what of it is worse than before.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codec/read_report.hpp"
#include "rocmtune/comparison.hpp"
#include "rocmtune/finding.hpp"

namespace rocmtune {

/// Places in the two lists; one is absent for a GPU without counterpart.
struct MatchedGpus {
    std::optional<std::size_t> a = {};
    std::optional<std::size_t> b = {};
    std::string by = "none";
};

/// Pairs in the order of A, then what only B has. The identity of the chip counts most (a card that
/// moved is the same card), then the place, then, among GPUs of the same model or where nothing
/// else is left, the order.
std::vector<MatchedGpus> match_gpus(std::vector<ReadFacts> const& a,
                                    std::vector<ReadFacts> const& b);

/// Whether a GPU of A is, by its identity, a GPU of B.
bool share_a_gpu(std::vector<MatchedGpus> const& pairs);

/// Adds what differs between the hosts, the paired GPUs and the recommendations.
void compare_facts(ReadReport const& a, ReadReport const& b, std::vector<MatchedGpus> const& pairs,
                   ReportComparison& comparison);

/// A figure with its 95 % interval.
struct Estimate {
    double value = 0;
    double low = 0;
    double high = 0;
};

/// How much better b is than a (0.05: 5 %), with its 95 % interval.
Estimate effect_of(Estimate const& a, Estimate const& b, bool lower_is_better);

/// Adds the measurements that both have, and what only one has.
void compare_measurements(ReadReport const& a, ReadReport const& b,
                          std::vector<MatchedGpus> const& pairs, ReportComparison& comparison);

/// @param margin  changes of measurements up to this ratio do not matter (0.03: 3 %)
ReportComparison compare_reports(ReadReport const& a, ReadReport const& b, double margin);

/// What asks for a step: RT7001 to RT7004.
std::vector<Finding> judge_comparison(ReportComparison const& comparison);

}  // namespace rocmtune
