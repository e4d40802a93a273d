// SPDX-License-Identifier: MIT
// Judgement: how many parameters a model has.
#pragma once

#include "judge/plan/shape.hpp"

namespace rocmtune {

struct ParameterCount {
    std::uint64_t total = 0;
    std::uint64_t tables = 0;  ///< embeddings of tokens and positions, and the head
    std::uint64_t active = 0;  ///< that work on one token
    std::uint64_t layer = 0;   ///< of the largest layer
};

ParameterCount count_parameters(ModelShape const& shape);

/// Of adapters of this rank at every matrix of the layers: rank * (inputs + outputs) each. The
/// matrices of experts get none: each would need adapters of its own.
std::uint64_t adapter_parameters(ModelShape const& shape, std::uint64_t rank);

/// Numbers that the KV cache keeps of one token in all layers: keys and values of each head, or a
/// latent vector and a rotated key.
std::uint64_t cache_elements(ModelShape const& shape);

/// The number that was stated, or the counted one.
std::uint64_t parameters_of(ModelShape const& shape);

}  // namespace rocmtune
