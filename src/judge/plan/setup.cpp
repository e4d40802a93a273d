// SPDX-License-Identifier: MIT
#include "judge/plan/setup.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

constexpr std::uint64_t usual_training_tokens = 2048, usual_inference_tokens = 4096;

template <class Row>
Row const& row_named(std::vector<Row> const& rows, std::string_view option, std::string_view name) {
    if (auto const* row = find_named(rows, lower(name))) return *row;
    std::vector<std::string_view> names;
    for (auto const& row : rows) names.push_back(row.name);
    auto near = nearest(lower(name), names);
    // "q4_k" is the beginning of what was meant sooner than a slip for "q6_k".
    auto const longer = std::ranges::find_if(
        names, [&](std::string_view each) { return each.starts_with(lower(name)); });
    if (longer != names.end() && !name.empty()) near = *longer;
    throw Error(fmt::format("{} cannot be '{}'", option, printable(name)),
                near ? fmt::format("did you mean '{}'?", *near)
                     : fmt::format("choose one of {}", fmt::join(names, ", ")));
}

[[noreturn]] void belongs_to(std::string_view option, std::string_view to) {
    throw Error(fmt::format("{} belongs to {}", option, to),
                "rocmtune plan --help says what goes together");
}

void check_training(PlanWish const& wish) {
    if (wish.cache_dtype) belongs_to("--cache-dtype", "--inference");
    if (wish.base_dtype && !wish.lora_rank) belongs_to("--base-dtype", "--lora");
    if (wish.splits_sequence && wish.tensor.value_or(1) == 1)
        belongs_to("--sequence-parallel", "--tensor-parallel");
}

void check_inference(PlanWish const& wish) {
    for (auto const& [option, given] :
         {std::pair("--optimizer", wish.optimizer.has_value()),
          std::pair("--shard", wish.shard.has_value()),
          std::pair("--lora", wish.lora_rank.has_value()),
          std::pair("--base-dtype", wish.base_dtype.has_value()),
          std::pair("--tensor-parallel", wish.tensor.has_value()),
          std::pair("--pipeline-parallel", wish.pipeline.has_value()),
          std::pair("--sequence-parallel", wish.splits_sequence),
          std::pair("--checkpointing", wish.recompute), std::pair("--loss", wish.chunked_loss)})
        if (given) belongs_to(option, "training, and --inference is none");
}

std::uint64_t usual_sequence(ModelShape const& shape, std::uint64_t usual) {
    return std::min(usual, std::max<std::uint64_t>(1, shape.max_positions.value_or(usual)));
}

/// The format that the model's file names, else bf16.
WeightFormat const& stored_format(ModelShape const& shape, PlanData const& data) {
    for (auto const& format : data.weight_formats)
        if (std::ranges::find(format.methods, shape.stored_as) != format.methods.end())
            return format;
    // Of a mixture that has no row only the program that reads it counts: its bytes are known.
    bool const is_gguf = shape.stored_as.starts_with("gguf:");
    return row_named(data.weight_formats, "--dtype", is_gguf ? "q4_k_m" : "bf16");
}

/// Of the numbers up to the heads, those that divide heads and MLP evenly.
std::vector<std::uint64_t> possible_splits(ModelShape const& shape) {
    std::vector<std::uint64_t> splits;
    auto const width = shape.experts ? shape.experts->intermediate : shape.intermediate;
    for (std::uint64_t n = 2; n <= shape.heads; ++n)
        if (shape.heads % n == 0 && width % n == 0) splits.push_back(n);
    return splits;
}

void take_parallel(PlanWish const& wish, Setup& it) {
    auto const& shape = *it.shape;
    it.tensor = wish.tensor.value_or(1);
    it.pipeline = wish.pipeline.value_or(1);
    it.splits_sequence = wish.splits_sequence;
    auto const splits = possible_splits(shape);
    if (it.tensor > 1 && std::ranges::find(splits, it.tensor) == splits.end())
        throw Error(
            fmt::format("--tensor-parallel {} does not deal out the {} heads and the MLP of "
                        "this model evenly",
                        it.tensor, shape.heads),
            splits.empty() ? "leave it out: no number does"
                           : fmt::format("choose one of {}", fmt::join(splits, ", ")));
    if (it.pipeline > shape.layers)
        throw Error(fmt::format("--pipeline-parallel {} is more than the {} layers of this model",
                                it.pipeline, shape.layers),
                    "each stage has one layer at least");
}

/// GPUs of whole replicas: those that were asked for, else as many as there are, one replica at
/// least.
std::uint64_t gpus_of(PlanWish const& wish, std::uint64_t gpus, Setup const& it) {
    auto const each = it.gpus_of_replica();
    if (!wish.gpus) return std::max(each, gpus / each * each);
    if (*wish.gpus % each == 0) return *wish.gpus;
    throw Error(fmt::format("--gpus {} is no multiple of {} GPUs, which hold the model once "
                            "(--tensor-parallel {} x --pipeline-parallel {})",
                            *wish.gpus, each, it.tensor, it.pipeline),
                fmt::format("for example --gpus {}", (*wish.gpus / each + 1) * each));
}

/// Megatron-LM, where matrices and layers are shared, adds up gradients of bf16 in 32 bits.
std::string usual_precision(Setup const& it) {
    return it.gpus_of_replica() > 1 ? "megatron-bf16" : "bf16";
}

void take_training(PlanWish const& wish, PlanData const& data, Setup& it) {
    check_training(wish);
    take_parallel(wish, it);
    it.precision = &row_named(data.precisions, "--dtype", wish.dtype.value_or(usual_precision(it)));
    it.optimizer = &row_named(data.optimizers, "--optimizer", wish.optimizer.value_or("adamw"));
    if (wish.shard)
        it.shard =
            static_cast<Shard>(std::ranges::find(shard_words, *wish.shard) - shard_words.begin());
    it.recompute = wish.recompute;
    it.chunked_loss = wish.chunked_loss;
    it.lora_rank = wish.lora_rank;
    if (it.lora_rank)
        it.base = &row_named(data.weight_formats, "--base-dtype", wish.base_dtype.value_or("bf16"));
}

void take_inference(PlanWish const& wish, PlanData const& data, Setup& it) {
    check_inference(wish);
    it.format = wish.dtype ? &row_named(data.weight_formats, "--dtype", *wish.dtype)
                           : &stored_format(*it.shape, data);
    it.as_stored = !wish.dtype && it.shape->file_bytes;
    it.engine = &row_named(data.engines, "engine", it.format->engine);
    auto const* const usual = it.engine->splits_tensors ? "bf16" : "fp16";
    it.cache = &row_named(data.cache_formats, "--cache-dtype", wish.cache_dtype.value_or(usual));
}

}  // namespace

Setup Setup::with(std::uint64_t with_gpus, std::uint64_t with_batch,
                  std::uint64_t with_sequence) const {
    auto copy = *this;
    copy.gpus = with_gpus;
    copy.batch = with_batch;
    copy.sequence = with_sequence;
    return copy;
}

Shard Setup::last_shard() const {
    if (replicas() == 1) return Shard::ddp;
    return pipeline > 1 ? Shard::zero1 : Shard::zero3;
}

std::string Setup::format_name() const {
    bool const is_named =
        std::ranges::find(format->methods, shape->stored_as) != format->methods.end();
    return as_stored && !is_named ? "as the file" : format->name;
}

std::string Setup::name() const {
    if (!is_training) return format_name();
    std::string name;
    if (lora_rank) name = fmt::format("LoRA r{} on {}, ", *lora_rank, base->name);
    if (tensor > 1) name += fmt::format("tensor {}, ", tensor);
    if (pipeline > 1) name += fmt::format("pipeline {}, ", pipeline);
    if (splits_sequence) name += "sequence parallel, ";
    if (replicas() > 1) name += shard_word();
    else name += gpus > 1 ? "one replica" : "one GPU";
    if (optimizer->name != "adamw") name += ", " + optimizer->name;
    if (chunked_loss) name += ", chunked loss";
    if (recompute) name += ", checkpointing";
    return name;
}

Setup setup_of(PlanWish const& wish, std::uint64_t gpus, ModelShape const& shape,
               PlanData const& data) {
    Setup it{.shape = &shape, .data = &data, .is_training = !wish.inference};
    if (wish.inference) take_inference(wish, data, it);
    else take_training(wish, data, it);
    it.flash = wish.attention.value_or("flash") == "flash";
    it.gpus = gpus_of(wish, gpus, it);
    it.batch = wish.batch.value_or(1);
    it.sequence = wish.sequence.value_or(
        usual_sequence(shape, wish.inference ? usual_inference_tokens : usual_training_tokens));
    return it;
}

std::string options_of(Setup const& it) {
    std::string text = it.is_training ? "" : "--inference";
    auto const add = [&](std::string_view option, auto const& value) {
        text += fmt::format("{}{} {}", text.empty() ? "" : " ", option, value);
    };
    if (it.is_training) {
        add("--dtype", it.precision->name);
        if (it.optimizer->name != "adamw") add("--optimizer", it.optimizer->name);
        if (it.tensor > 1) add("--tensor-parallel", it.tensor);
        if (it.pipeline > 1) add("--pipeline-parallel", it.pipeline);
        if (it.splits_sequence) text += " --sequence-parallel";
        if (it.replicas() > 1) add("--shard", it.shard_word());
        if (it.lora_rank) add("--lora", *it.lora_rank), add("--base-dtype", it.base->name);
        if (it.recompute) add("--checkpointing", "full");
        if (it.chunked_loss) add("--loss", "chunked");
    } else {
        if (!it.as_stored) add("--dtype", it.format->name);
        add("--cache-dtype", it.cache->name);
    }
    if (!it.flash) add("--attention", "plain");
    add("--gpus", it.gpus);
    add("--batch", it.batch);
    add("--sequence", it.sequence);
    return text;
}

PlanRequest request_of(Setup const& setup, PlanWish const& wish) {
    PlanRequest it;
    auto const assume = [&](std::string_view option, bool given) {
        if (!given) it.assumed.emplace_back(option);
    };
    it.mode = setup.is_training ? "training" : "inference";
    it.attention = setup.flash ? "flash" : "plain";
    it.gpus = setup.gpus;
    it.tensor = setup.tensor;
    it.pipeline = setup.pipeline;
    it.splits_sequence = setup.splits_sequence;
    it.batch = setup.batch;
    it.sequence = setup.sequence;
    assume("dtype", wish.dtype.has_value());
    if (setup.is_training) {
        it.dtype = setup.precision->name;
        it.optimizer = setup.optimizer->name;
        it.shard = setup.shard_word();
        it.checkpointing = setup.recompute ? "full" : "none";
        it.loss = setup.chunked_loss ? "chunked" : "full";
        it.lora_rank = setup.lora_rank;
        if (setup.base != nullptr) it.base_dtype = setup.base->name;
        assume("optimizer", wish.optimizer.has_value());
        assume("shard", wish.shard.has_value());
    } else {
        it.dtype = setup.format_name();
        it.cache_dtype = setup.cache->name;
        it.engine = setup.engine->name;
        assume("cache-dtype", wish.cache_dtype.has_value());
    }
    assume("attention", wish.attention.has_value());
    assume("batch", wish.batch.has_value());
    assume("sequence", wish.sequence.has_value());
    return it;
}

}  // namespace rocmtune
