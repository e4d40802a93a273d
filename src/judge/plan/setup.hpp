// SPDX-License-Identifier: MIT
// What training and inference take of each GPU, part by part, for what was asked for.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
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

/// Bytes of all weights in a format: the matrices of the layers have its bits, the tables of tokens
/// often more.
double weight_bytes(ModelShape const& shape, WeightFormat const& format);

/// "8.03e9": a number of parameters for people.
std::string short_count(double count);

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

/// The largest plans: what the options take, and up to where the way out of a bad fit is searched.
inline constexpr std::uint64_t most_planned_gpus = 1U << 16, most_planned_batch = 1U << 20,
                               most_planned_tokens = 1U << 26;  ///< tokens of a sequence

/// What the command line says; nothing is checked yet.
struct PlanWish {
    bool inference = false, recompute = false, chunked_loss = false;
    std::optional<std::string> dtype = {}, cache_dtype = {}, optimizer = {}, shard = {},
                               attention = {}, base_dtype = {};
    std::optional<std::uint64_t> lora_rank = {}, gpus = {}, batch = {}, sequence = {};
    /// The options that say whose memory is planned for, as words for a shell, a blank before each:
    /// a command that lacked them would plan for other GPUs.
    std::string place = {};
};

/// A training or an inference, on any number of GPUs.
class Setup {
  public:
    Setup(ModelShape const& shape, PlanData const& data, TrainingSetup const& training)
        : shape_(&shape), data_(&data), how_(training) {}
    Setup(ModelShape const& shape, PlanData const& data, InferenceSetup const& inference)
        : shape_(&shape), data_(&data), how_(inference) {}

    Parts parts() const;
    double needed() const { return sum_of(parts()); }
    Setup with(std::uint64_t gpus, std::uint64_t batch, std::uint64_t sequence) const;

    bool is_training() const { return std::holds_alternative<TrainingSetup>(how_); }
    TrainingSetup const& training() const { return std::get<TrainingSetup>(how_); }
    InferenceSetup const& inference() const { return std::get<InferenceSetup>(how_); }
    std::uint64_t gpus() const;
    std::uint64_t batch() const;
    std::uint64_t sequence() const;
    /// "zero3, checkpointing", "LoRA r16 on bf16, ddp", "q4_k_m".
    std::string name() const;

    ModelShape const& shape() const { return *shape_; }
    PlanData const& data() const { return *data_; }

  private:
    ModelShape const* shape_;
    PlanData const* data_;
    std::variant<TrainingSetup, InferenceSetup> how_;
};

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
