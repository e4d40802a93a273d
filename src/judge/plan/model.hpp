// SPDX-License-Identifier: MIT
// The shape of a model: from its config.json or from a number of parameters, and what is counted
// from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/plan_data.hpp"

namespace rocmtune {

/// Attention that keeps one latent vector of a token (DeepSeek-V2 and later).
struct LatentAttention {
    std::uint64_t kv_rank = 0;
    std::uint64_t query_rank = 0;  ///< 0: queries are not compressed
    std::uint64_t rotated = 0;     ///< width of the rotated part of a head
    std::uint64_t plain = 0;       ///< of the other part
    std::uint64_t value = 0;       ///< of a head's values
};

/// MLPs of which some work on a token.
struct Experts {
    std::uint64_t count = 0, per_token = 0, intermediate = 0;
    std::uint64_t shared_intermediate = 0;  ///< of those that always work, together
    std::uint64_t layers = 0;               ///< that have experts; the others are dense
    bool router_bias = false;
};

/// Sizes are within the bounds of model_config.cpp, so that no product of them overflows.
struct ModelShape {
    std::string name, architecture;
    bool counted = false;
    PlanFamily family;
    std::uint64_t layers = 0, hidden = 0, heads = 0, kv_heads = 0, head_size = 0;
    std::uint64_t intermediate = 0, vocabulary = 0;
    std::uint64_t positions = 0;  ///< learned ones
    std::optional<std::uint64_t> max_positions;
    std::optional<LatentAttention> latent;
    std::optional<Experts> experts;
    std::uint64_t window = 0, windowed_layers = 0;
    bool tied = false;
    std::string stored_as;  ///< a method of WeightFormat; empty if the file does not say
    std::vector<std::string> notes;
    /// Set where only this is known: the sizes are then those of a published model.
    std::optional<std::uint64_t> stated_parameters;
    // By the headers of files of weights; absent if none were read.
    std::optional<std::uint64_t> file_parameters, file_active, file_bytes;
};

struct ParameterCount {
    std::uint64_t total = 0;
    std::uint64_t tables = 0;  ///< embeddings of tokens and positions, and the head
    std::uint64_t active = 0;  ///< that work on one token
    std::uint64_t layer = 0;   ///< of the largest layer
};

ParameterCount count_parameters(ModelShape const& shape);

/// Layers of a model on the same GPUs, with the tables at its ends.
struct Stage {
    std::uint64_t layers = 0;
    bool is_first = true, is_last = true;
    std::uint64_t in_flight = 1;  ///< batches whose activations it keeps at a time
};

/// Parameters on each of `tensor` GPUs that share the matrices of a stage. Each has norms, routers,
/// positions, compressing matrices and the biases behind a sum as a whole, and keys and values
/// where there are fewer heads of them than GPUs (Megatron-LM). A tied head is a copy on a stage
/// that has no embeddings. Of layers with experts the stage has as many as there are.
std::uint64_t parameters_on_gpu(ModelShape const& shape, std::uint64_t tensor, Stage const& stage);

/// Of adapters of this rank at every matrix of the layers: rank * (inputs + outputs) each. The
/// matrices of experts get none: each would need adapters of its own.
std::uint64_t adapter_parameters(ModelShape const& shape, std::uint64_t rank);

/// Numbers that the KV cache keeps of one token in all layers: keys and values of each head, or a
/// latent vector and a rotated key.
std::uint64_t cache_elements(ModelShape const& shape);

/// The family whose model_type this is, or null.
PlanFamily const* family_of(std::string_view model_type, PlanData const& data);

/// The number that was stated, that of the file, or the counted one.
std::uint64_t parameters_of(ModelShape const& shape);

/// Reads a config.json. A family that `data` knows is counted; another one that states the usual
/// sizes is taken for a Llama, and the shape says so in its notes.
/// @throws ProfileError with file and JSON pointer for what is no config.json, lacks a size, or
/// states one that no model has.
ModelShape read_model_config(std::string_view file, std::string_view text, PlanData const& data);

/// The shape of the published model nearest to this number, with its layers scaled.
ModelShape assumed_shape(std::uint64_t parameters, PlanData const& data);

}  // namespace rocmtune
