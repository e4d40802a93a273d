// SPDX-License-Identifier: MIT
// What was asked for, as rows of plan.json: names are looked up, what nobody said gets its default.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "judge/plan/inference.hpp"
#include "judge/plan/training.hpp"

namespace rocmtune {

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
