// SPDX-License-Identifier: MIT
// What fits into the memory of GPUs: `rocmtune plan`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rocmtune/records.hpp"

namespace rocmtune {

/// The model that is planned for.
struct PlannedModel {
    std::string name = {};          ///< file, or "like Llama 3 8B"
    std::string architecture = {};  ///< model_type of config.json; empty: none was given
    bool counted = false;           ///< every parameter is counted; else the number is an estimate
    std::uint64_t parameters = 0;
    std::uint64_t active_parameters = 0;
    std::uint64_t embedding_parameters = 0;
    std::uint64_t layers = 0, hidden = 0, heads = 0, kv_heads = 0, head_size = 0, intermediate = 0;
    std::uint64_t vocabulary = 0, experts = 0, experts_per_token = 0;
    std::optional<std::uint64_t> max_positions = {};
    std::uint64_t cache_elements_per_token = 0;
    std::optional<std::uint64_t> window = {};
    std::uint64_t windowed_layers = 0;
    std::optional<std::uint64_t> stored_bytes = {};  ///< of the weights, by the header of a file
};

template <SameEntity<PlannedModel> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"name", "file of the model, or the published model whose shape is assumed"}, it.name);
    v(Field{"architecture", "model_type of config.json; empty if none was given"}, it.architecture);
    v(Field{"counted", "true if every parameter was counted; else their number is an estimate"},
      it.counted);
    v(Field{"parameters", "parameters in all"}, it.parameters);
    v(Field{"active_parameters", "parameters that work on one token: less where it has experts"},
      it.active_parameters);
    v(Field{"embedding_parameters", "of all, those in tables of tokens and positions and the head"},
      it.embedding_parameters);
    v(Field{"layers", "layers"}, it.layers);
    v(Field{"hidden", "width of the residual stream"}, it.hidden);
    v(Field{"heads", "attention heads of a layer"}, it.heads);
    v(Field{"kv_heads", "heads of keys and values"}, it.kv_heads);
    v(Field{"head_size", "width of a head"}, it.head_size);
    v(Field{"intermediate", "width inside an MLP, of one expert where it has some"},
      it.intermediate);
    v(Field{"vocabulary", "tokens it knows"}, it.vocabulary);
    v(Field{"experts", "routed experts of a layer; 0: none"}, it.experts);
    v(Field{"experts_per_token", "of those, how many work on a token"}, it.experts_per_token);
    v(Field{"max_positions", "longest sequence it was made for; null if it does not say"},
      it.max_positions);
    v(Field{"cache_elements_per_token", "numbers that the KV cache keeps of a token"},
      it.cache_elements_per_token);
    v(Field{"window", "tokens that windowed layers look back at; null if none are"}, it.window);
    v(Field{"windowed_layers", "layers that look back at a window only"}, it.windowed_layers);
    v(Field{"stored_bytes", "bytes of the weights by the headers of their files; null without"},
      it.stored_bytes);
}

/// What is planned, with defaults filled in.
struct PlanRequest {
    std::string mode = {};           ///< training or inference
    std::string dtype = {};          ///< a precision (training) or a weight format (inference)
    std::string cache_dtype = {};    ///< inference
    std::string engine = {};         ///< inference: whose habits count
    std::string optimizer = {};      ///< training
    std::string shard = {};          ///< training: ddp, zero1, zero2, zero3
    std::string checkpointing = {};  ///< training: none, full
    std::string loss = {};           ///< training: full, chunked
    std::string attention = {};      ///< flash, plain
    std::optional<std::uint64_t> lora_rank = {};
    std::optional<std::string> base_dtype = {};  ///< with LoRA: format of the frozen weights
    std::uint64_t gpus = 1;
    std::uint64_t tensor = 1;      ///< training: GPUs that share each matrix
    std::uint64_t pipeline = 1;    ///< training: stages that share the layers
    bool splits_sequence = false;  ///< training: the former share the tokens between matrices, too
    std::uint64_t batch = 1;       ///< sequences of each replica (training) or in all (inference)
    std::uint64_t sequence = 1;    ///< tokens of a sequence
    std::vector<std::string> assumed = {};
};

template <SameEntity<PlanRequest> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"mode", "training or inference"}, it.mode);
    v(Field{"dtype", "arithmetic of training, or format of the weights"}, it.dtype);
    v(Field{"cache_dtype", "format of the KV cache; empty in training"}, it.cache_dtype);
    v(Field{"engine", "program whose habits count; empty in training"}, it.engine);
    v(Field{"optimizer", "optimiser; empty in inference"}, it.optimizer);
    v(Field{"shard",
            "what GPUs share: ddp nothing, zero1 states of the optimiser, zero2 also "
            "gradients, zero3 also weights; empty in inference"},
      it.shard);
    v(Field{"checkpointing", "none, or full: layers are computed twice; empty in inference"},
      it.checkpointing);
    v(Field{"loss", "full, or chunked: taken for a part of the tokens at a time"}, it.loss);
    v(Field{"attention", "flash, or plain: scores of all pairs of tokens are kept"}, it.attention);
    v(Field{"lora_rank", "rank of the adapters; null: all parameters are trained"}, it.lora_rank);
    v(Field{"base_dtype", "with adapters, format of the frozen weights"}, it.base_dtype);
    v(Field{"gpus", "GPUs that work together"}, it.gpus);
    v(Field{"tensor_parallel", "training: GPUs that share each matrix"}, it.tensor);
    v(Field{"pipeline_parallel", "training: stages that share the layers"}, it.pipeline);
    v(Field{"sequence_parallel",
            "training: GPUs that share matrices share the tokens of the rest of a layer, too"},
      it.splits_sequence);
    v(Field{"batch",
            "sequences at a time: in training on each GPU, or on those that share a model; in all "
            "in inference"},
      it.batch);
    v(Field{"sequence", "tokens of a sequence"}, it.sequence);
    v(Field{"assumed", "options that nobody gave"}, it.assumed);
}

/// What one part takes on each GPU.
struct PlanPart {
    std::string name = {};
    std::uint64_t bytes = 0;
    std::string formula = {};
    std::vector<std::string> sources = {};  ///< ids of Plan::sources
};

template <SameEntity<PlanPart> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"name",
            "weights, adapters, gradients, optimizer, activations, logits, gathered, cache "
            "or runtime"},
      it.name);
    v(Field{"bytes", "bytes on each GPU"}, it.bytes);
    v(Field{"formula", "how that comes about"}, it.formula);
    v(Field{"sources", "ids of the sources below"}, it.sources);
}

/// Memory of a GPU for programs.
struct PlanGpu {
    std::optional<std::uint64_t> row = {};
    std::string subject = {};
    std::string name = {};
    std::string memory = {};  ///< vram, shared, or given
    bool chosen = false;
    std::optional<std::uint64_t> total_bytes = {}, used_bytes = {}, free_bytes = {};
    std::optional<std::uint64_t> budget_bytes = {};
    std::optional<std::uint64_t> raised_total_bytes = {}, raised_free_bytes = {};
    std::string raise_step = {};
    std::string reason = {};
};

template <SameEntity<PlanGpu> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"row", "row of the GPU in the host; null: it is none of this host"}, it.row);
    v(Field{"subject", "PCI address, with /PARTITION where there are some"}, it.subject);
    v(Field{"name", "name it is sold under"}, it.name);
    v(Field{"memory", "vram, shared (host memory that an APU may use) or given (--memory)"},
      it.memory);
    v(Field{"chosen", "it is planned for"}, it.chosen);
    v(Field{"total_bytes", "memory in all; null if that is not known"}, it.total_bytes);
    v(Field{"used_bytes", "of that, in use; null if that is not known"}, it.used_bytes);
    v(Field{"free_bytes", "of that, free; null if that is not known"}, it.free_bytes);
    v(Field{"budget_bytes", "what a program may take: free memory, less where its habit is less"},
      it.budget_bytes);
    v(Field{"raised_total_bytes",
            "what the limit of main memory for this GPU can be raised to; null: it has none, is as "
            "high already, or that is not known"},
      it.raised_total_bytes);
    v(Field{"raised_free_bytes", "of that, what would be free now"}, it.raised_free_bytes);
    v(Field{"raise_step", "command that raises it; empty: there is nothing to raise"},
      it.raise_step);
    v(Field{"reason", "why something is not known; empty if all is"}, it.reason);
}

/// One way to do it, and how far it goes.
struct PlanOption {
    std::string name = {};  ///< "zero3, checkpointing", "q4_k_m"
    bool asked = false;     ///< the way that was asked for
    std::uint64_t needed_bytes = 0;
    std::optional<bool> fits = {};
    std::optional<std::uint64_t> largest_batch = {};
    std::optional<std::uint64_t> largest_sequence = {};
    std::optional<std::uint64_t> least_gpus = {};
};

template <SameEntity<PlanOption> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"name", "sharding, checkpointing, adapters or format"}, it.name);
    v(Field{"asked", "the way that was asked for"}, it.asked);
    v(Field{"needed_bytes", "bytes on each GPU with the batch and sequence of the request"},
      it.needed_bytes);
    v(Field{"fits", "whether that is within the budget; null if that is not known"}, it.fits);
    v(Field{"largest_batch", "most sequences of the request's length that fit; 0: not one"},
      it.largest_batch);
    v(Field{"largest_sequence", "longest sequences of the request's number that fit; 0: none"},
      it.largest_sequence);
    v(Field{"least_gpus", "GPUs of this memory that would do; null: no number does"},
      it.least_gpus);
}

/// What is needed, what there is, and what else could be done.
struct Plan {
    PlannedModel model = {};
    PlanRequest request = {};
    std::vector<PlanPart> parts = {};
    std::uint64_t needed_bytes = 0;
    double error_percent = 0;
    std::vector<PlanGpu> gpus = {};
    std::optional<std::uint64_t> budget_bytes = {};
    std::string governed_by = {};
    std::optional<bool> fits = {};
    std::string unknown = {};
    std::vector<PlanOption> options = {};
    std::string next_step = {};
    std::vector<std::string> notes = {};
    std::map<std::string, Reference> sources = {};
};

template <SameEntity<Plan> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"model", "the model"}, it.model);
    v(Field{"request", "what is planned, defaults filled in"}, it.request);
    v(Field{"parts", "what takes memory on each GPU"}, it.parts);
    v(Field{"needed_bytes", "sum of the parts"}, it.needed_bytes);
    v(Field{"error_percent", "largest error of such a sum against published figures"},
      it.error_percent);
    v(Field{"gpus", "GPUs of the host with their memory, or those that were given"}, it.gpus);
    v(Field{"budget_bytes", "least budget of the chosen GPUs; null if that is not known"},
      it.budget_bytes);
    v(Field{"governed_by", "the GPU that has it; empty if there is none"}, it.governed_by);
    v(Field{"fits", "whether the need is within the budget; null if that is not known"}, it.fits);
    v(Field{"unknown", "why that is not known; empty if it is"}, it.unknown);
    v(Field{"options", "ways to do it, the asked one first"}, it.options);
    v(Field{"next_step", "what to do where it does not fit; empty if it does"}, it.next_step);
    v(Field{"notes", "what to keep in mind"}, it.notes);
    v(Field{"sources", "texts that the formulas rest on, by id"}, it.sources);
}

}  // namespace rocmtune
