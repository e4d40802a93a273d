// SPDX-License-Identifier: MIT
// Judgement: memory of training on each GPU.
#pragma once

#include <array>
#include <optional>

#include "judge/plan/parts.hpp"

namespace rocmtune {

/// What GPUs share in data-parallel training, each including the one before.
enum class Shard : std::uint8_t { ddp, zero1, zero2, zero3 };

inline constexpr std::array<std::string_view, 4> shard_words{"ddp", "zero1", "zero2", "zero3"};

/// What is trained how. The rows belong to a PlanData that lives longer.
struct TrainingSetup {
    PlanPrecision const* precision = nullptr;
    PlanOptimizer const* optimizer = nullptr;
    Shard shard = Shard::ddp;
    bool recompute = false;  ///< full checkpointing: a layer is computed again on the way back
    bool chunked_loss = false;
    bool flash = true;  ///< attention that keeps no scores
    std::optional<std::uint64_t> lora_rank = {};
    WeightFormat const* base = nullptr;  ///< of the frozen weights, with lora_rank
    std::uint64_t gpus = 1, batch = 1, sequence = 1;
};

/// Bytes that one layer keeps of one token for the way back; without checkpointing.
/// With GPT's shape this is 34 h, and 5 a s more with plain attention (source "activations").
double activation_bytes_per_token(ModelShape const& shape, TrainingSetup const& setup);

/// The parts on each GPU: weights, adapters, gradients, optimizer, activations, logits, gathered,
/// runtime; those of no bytes are left out.
Parts training_parts(ModelShape const& shape, TrainingSetup const& setup, PlanData const& data);

}  // namespace rocmtune
