// SPDX-License-Identifier: MIT
// What the plans of training and of inference share: parts, and the settings they are made of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "judge/plan/parameters.hpp"
#include "rocmtune/plan.hpp"

namespace rocmtune {

/// A part before it is rounded; bytes may be more than any computer has.
struct Part {
    std::string name;
    double bytes = 0;
    std::string formula;
    SourceIds sources;
};

using Parts = std::vector<Part>;

double sum_of(Parts const& parts);

/// Whole bytes, at most 2^63.
std::uint64_t whole_bytes(double bytes);

/// Bytes of all weights in a format: the matrices of the layers have its bits, the tables of tokens
/// often more.
double weight_bytes(ModelShape const& shape, WeightFormat const& format);

/// "8.03e9": a number of parameters for people.
std::string short_count(double count);

}  // namespace rocmtune
