// SPDX-License-Identifier: MIT
// What training and inference take of each GPU, part by part, for what was asked for.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "judge/plan/model.hpp"
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

/// What GPUs share in data-parallel training, each including the one before.
enum class Shard : std::uint8_t { ddp, zero1, zero2, zero3 };

inline constexpr std::array<std::string_view, 4> shard_words{"ddp", "zero1", "zero2", "zero3"};

/// What the command line says; nothing is checked yet.
struct PlanWish {
    bool inference = false, recompute = false, chunked_loss = false, splits_sequence = false;
    std::optional<std::string> dtype = {}, cache_dtype = {}, optimizer = {}, shard = {},
                               attention = {}, base_dtype = {};
    std::optional<std::uint64_t> lora_rank = {}, gpus = {}, batch = {}, sequence = {}, tensor = {},
                                 pipeline = {};
    /// The options that say whose memory is planned for, as words for a shell, a blank before each:
    /// a command that lacked them would plan for other GPUs.
    std::string place = {};
};

/// The wish with rows of plan.json for its names and defaults for what nobody said. Shape and rows
/// live longer.
struct Setup {
    ModelShape const* shape = nullptr;
    PlanData const* data = nullptr;
    bool is_training = true;
    bool flash = true;  ///< attention that keeps no scores
    std::uint64_t gpus = 1;
    std::uint64_t batch = 1;     ///< sequences at a time: of each replica in training, else in all
    std::uint64_t sequence = 1;  ///< tokens of each; of inference prompt and answer

    // Of training.
    PlanPrecision const* precision = nullptr;
    PlanOptimizer const* optimizer = nullptr;
    Shard shard = Shard::ddp;      ///< what replicas share
    std::uint64_t tensor = 1;      ///< GPUs that share each matrix
    std::uint64_t pipeline = 1;    ///< stages that share the layers; gpus is a multiple of both
    bool splits_sequence = false;  ///< the former share the tokens between matrices, too
    bool recompute = false;  ///< full checkpointing: a layer is computed again on the way back
    bool chunked_loss = false;
    std::optional<std::uint64_t> lora_rank = {};
    WeightFormat const* base = nullptr;  ///< of the frozen weights, with lora_rank

    // Of inference.
    WeightFormat const* format = nullptr;
    CacheFormat const* cache = nullptr;
    PlanEngine const* engine = nullptr;
    /// The weights take what they take in the file; format then says which program reads it.
    bool as_stored = false;

    /// The parts on each GPU; those of no bytes are left out.
    Parts parts() const;
    double needed() const { return sum_of(parts()); }
    /// GPUs that hold the model once, in training.
    std::uint64_t gpus_of_replica() const { return tensor * pipeline; }
    std::uint64_t replicas() const { return gpus / gpus_of_replica(); }
    /// What is proposed that replicas share at most. Of a pipeline the optimiser's states alone:
    /// its gradients and weights are needed for each batch on its way (source "pipeline-zero").
    Shard last_shard() const;
    Setup with(std::uint64_t with_gpus, std::uint64_t with_batch,
               std::uint64_t with_sequence) const;
    std::string_view shard_word() const { return shard_words[static_cast<std::size_t>(shard)]; }
    /// "zero3, checkpointing", "LoRA r16 on bf16, ddp", "q4_k_m".
    std::string name() const;
    /// Of the format, or that the file has one without a row.
    std::string format_name() const;
};

/// Bytes that one layer keeps of one token for the way back, on each GPU; without checkpointing.
/// With GPT's shape this is 34 h, and 5 a s more with plain attention; of t GPUs that share
/// matrices 10 h + 24 h / t and 5 a s / t, or all of it / t where they share the tokens of the
/// rest, too (source "activations").
double activation_bytes_per_token(ModelShape const& shape, Setup const& setup);

/// The largest plans: what the options take, and up to where the way out of a bad fit is searched.
inline constexpr std::uint64_t most_planned_gpus = 1U << 16, most_planned_batch = 1U << 20,
                               most_planned_tokens = 1U << 26;  ///< tokens of a sequence

/// @param gpus  GPUs that work together where the wish does not say
/// @throws Error with the nearest name for what plan.json does not have, and for options that do
/// not belong together.
Setup setup_of(PlanWish const& wish, std::uint64_t gpus, ModelShape const& shape,
               PlanData const& data);

/// The options of the command line that ask for exactly this.
std::string options_of(Setup const& setup);

/// What the report says of a setup, with the options that nobody gave.
PlanRequest request_of(Setup const& setup, PlanWish const& wish);

}  // namespace rocmtune
