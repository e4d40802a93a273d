// SPDX-License-Identifier: MIT
// What the parts of training and of inference have in common.
#pragma once

#include <string>

#include "judge/plan/setup.hpp"

namespace rocmtune {

inline double real(std::uint64_t number) {
    return static_cast<double>(number);
}

/// Bytes of all weights in a format: the matrices of the layers have its bits, the tables of tokens
/// often more.
double weight_bytes(ModelShape const& shape, WeightFormat const& format);

/// "8.03B": a number of parameters for people.
std::string short_count(double count);

/// The parts of training on the GPU that needs the most.
Parts training_parts(Setup const& setup);

}  // namespace rocmtune
