// SPDX-License-Identifier: MIT
// Judgement: memory of inference on each GPU.
#pragma once

#include "judge/plan/parts.hpp"

namespace rocmtune {

/// What runs how. The rows belong to a PlanData that lives longer.
struct InferenceSetup {
    WeightFormat const* format = nullptr;
    CacheFormat const* cache = nullptr;
    PlanEngine const* engine = nullptr;
    bool flash = true;
    std::uint64_t gpus = 1;
    std::uint64_t batch = 1;     ///< sequences at a time
    std::uint64_t sequence = 1;  ///< tokens of each, prompt and answer
};

/// Bytes of the cache for one token on each GPU. Heads are dealt out to the GPUs; where there are
/// more GPUs than heads some keep the same, and all keep the same latent vector.
double cache_bytes_per_token(ModelShape const& shape, InferenceSetup const& setup);

/// The parts on each GPU: weights, cache, activations, runtime; those of no bytes are left out.
Parts inference_parts(ModelShape const& shape, InferenceSetup const& setup, PlanData const& data);

}  // namespace rocmtune
