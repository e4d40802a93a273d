// SPDX-License-Identifier: MIT
// Robust summaries of repeated measurements. Nothing is thrown away: outliers stay samples.
#pragma once

#include <span>

namespace rocmtune {

/// Order statistics of samples of any unit.
struct Summary {
    double median = 0;
    double p10 = 0;
    double p90 = 0;
    double low = 0;  ///< 95 % interval of the median, percentile bootstrap
    double high = 0;
};

/// Summary of at least one sample; all zero of none. Equal samples give equal results: the
/// resampling draws from a generator with a fixed seed.
Summary summarize(std::span<double const> samples);

}  // namespace rocmtune
