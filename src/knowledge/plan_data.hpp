// SPDX-License-Identifier: MIT
// What plan rests on: sizes of formats, states of optimisers, families of models. The file
// profiles/plan.json is embedded as a text and read when plan asks for it: one command of many
// needs it, and reading takes less than a millisecond.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/records.hpp"

namespace rocmtune {

using SourceIds = std::vector<std::string>;  ///< keys of PlanData::sources

/// How weights are stored for inference, or below the adapters of LoRA.
struct WeightFormat {
    std::string name;
    double bits = 0;            ///< of a parameter in the matrices of the layers
    double embedding_bits = 0;  ///< of a parameter in the tables of tokens
    std::string engine;         ///< name of the PlanEngine that reads it
    bool listed = false;        ///< shown among what else could be tried
    /// What config.json calls it: torch_dtype or quant_method, with ":BITS" where it has several.
    std::vector<std::string> methods;
    std::string about;
    SourceIds sources;
};

/// How an element of the KV cache is stored.
struct CacheFormat {
    std::string name;
    double bits = 0;
    SourceIds sources;
};

/// What a program for inference does with memory.
struct PlanEngine {
    std::string name;
    std::string split;                 ///< over several GPUs: "tensor" or "layers"
    bool splits_tensors = false;       ///< the former: each matrix; else whole layers
    double share_of_total = 1;         ///< of a GPU's memory that it takes at most, 0 to 1
    std::uint64_t prefill_tokens = 0;  ///< worked on at a time
    double runtime_bytes = 0;          ///< context, kernels and libraries
    double peer_runtime_bytes = 0;     ///< more of that where several GPUs work together
    std::string about;
    SourceIds sources;
};

/// Bytes that a trained parameter takes by arithmetic.
struct PlanPrecision {
    std::string name;
    double weight_bytes = 0, gradient_bytes = 0;
    double master_bytes = 0;      ///< copy for the optimiser
    double activation_bytes = 0;  ///< of an element that is kept for the way back
    std::string about;
    SourceIds sources;
};

/// What an optimiser keeps of each trained parameter.
struct PlanOptimizer {
    std::string name;
    double states = 0;
    double state_bytes = 0;
    bool follows_weights = false;  ///< 16-bit states where nothing is kept in 32 bits
    bool factored = false;         ///< a state for each row and column instead
    std::string about;
    SourceIds sources;
};

/// A published model whose shape stands in where only a number of parameters is known.
struct PlanShape {
    std::string name;
    std::uint64_t parameters = 0, layers = 0, hidden = 0, heads = 0, kv_heads = 0, head_size = 0,
                  intermediate = 0, vocabulary = 0;
    std::uint64_t tables = 2;  ///< 1: the head is the table of embeddings
    SourceIds sources;
};

/// What the models of one family have in common and config.json does not say.
struct PlanFamily {
    std::vector<std::string> model_types;
    std::string norm;                ///< "scale" or "scale-and-shift"
    std::uint64_t norm_vectors = 1;  ///< of each norm, accordingly
    std::uint64_t norms_per_layer = 2;
    bool final_norm = true, embedding_norm = false;
    bool head_norms = false;  ///< norms of queries and keys, a head wide
    bool gated = true;        ///< three matrices in an MLP, else two
    bool qkv_bias = false, output_bias = false, mlp_bias = false, head_bias = false;
    bool expert_bias = false, shared_gate = false;
    bool sinks = false;  ///< a learned attention score for each head
    bool tied = false;   ///< the head is the table of embeddings unless the file says otherwise
    bool learned_positions = false, pooler = false, dropout = false;
    bool decoder = true;  ///< writes tokens: has a head and a cache
    std::uint64_t position_offset = 0, token_types = 0;
    std::uint64_t window_pattern = 0;  ///< each n-th layer sees everything, the others a window
};

/// A number with its reason.
struct PlanConstant {
    double value = 0;
    std::string about;
    SourceIds sources;
};

/// Largest errors against published figures, in percent.
struct PlanAccuracy {
    std::string about;
    double weights_percent = 0, cache_percent = 0, inference_percent = 0, training_percent = 0;
};

struct PlanConstants {
    PlanConstant training_runtime_bytes, logits_bytes, gathered_layers, loss_chunks,
        sampled_sequences;
};

/// The whole file. Every id of a source exists, every engine of a format, too.
struct PlanData : PlanConstants {
    std::map<std::string, Reference> sources;
    PlanAccuracy accuracy;
    std::vector<PlanEngine> engines;
    std::vector<CacheFormat> cache_formats;
    std::vector<WeightFormat> weight_formats;
    std::vector<PlanPrecision> precisions;
    std::vector<PlanOptimizer> optimizers;
    std::vector<PlanShape> shapes;  ///< by parameters, the smallest first
    std::vector<PlanFamily> families;
};

/// Reads a plan.json. @throws ProfileError with file and JSON pointer.
PlanData parse_plan_data(std::string_view file, std::string_view text);

/// The row with this name, or null.
template <class Row>
Row const* find_named(std::vector<Row> const& rows, std::string_view name) {
    for (auto const& row : rows)
        if (row.name == name) return &row;
    return nullptr;
}

}  // namespace rocmtune
