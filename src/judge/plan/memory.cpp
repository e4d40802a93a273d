// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "judge/plan/setup.hpp"

namespace rocmtune {
namespace {

double real(std::uint64_t number) {
    return static_cast<double>(number);
}

/// Bytes of all weights in a format: the matrices of the layers have its bits, the tables of tokens
/// often more.
double weight_bytes(ModelShape const& shape, WeightFormat const& format) {
    auto const all = static_cast<double>(parameters_of(shape));
    auto const tables = std::min(all, static_cast<double>(count_parameters(shape).tables));
    return ((all - tables) * format.bits + tables * format.embedding_bits) / 8;
}

/// "8.03B": a number of parameters for people.
std::string short_count(double count) {
    if (count >= 1e12) return fmt::format("{:.4g}T", count / 1e12);
    if (count >= 1e9) return fmt::format("{:.4g}B", count / 1e9);
    if (count >= 1e6) return fmt::format("{:.4g}M", count / 1e6);
    return fmt::format("{:.0f}", count);
}

/// Of the elements in an MLP: its input, what each matrix gives, the activation function's result,
/// and with a gate the product of both.
double mlp_elements(ModelShape const& it) {
    auto const inner = it.family.gated ? 4.0 : 2.0;
    if (!it.experts || it.experts->layers == 0)
        return real(it.hidden) + inner * real(it.intermediate);
    auto const& experts = *it.experts;
    auto const working = real(experts.per_token);
    auto const with = working * (real(it.hidden) + inner * real(experts.intermediate)) +
                      inner * real(experts.shared_intermediate) + real(experts.count);
    auto const dense = real(it.hidden) + inner * real(it.intermediate);
    auto const share = real(experts.layers) / real(it.layers);
    return share * with + (1 - share) * dense;
}

/// Of the elements in attention: its input, queries, keys, values, and the input of the last
/// matrix.
double attention_elements(ModelShape const& it) {
    auto const hidden = real(it.hidden);
    if (!it.latent)
        return hidden + real(it.heads * it.head_size) * 2 + real(it.kv_heads * it.head_size) * 2;
    auto const& latent = *it.latent;
    auto const head = real(latent.plain + latent.rotated);
    auto const compressed = real(latent.kv_rank + latent.rotated + latent.query_rank);
    return hidden + compressed + real(it.heads) * (2 * head + 2 * real(latent.value));
}

/// Scores of one token with all others: two copies and, with dropout, a third and a mask of bytes.
double score_bytes(ModelShape const& it, Setup const& setup) {
    if (setup.flash) return 0;
    auto const each = setup.precision->activation_bytes * (it.family.dropout ? 2 : 1) +
                      (it.family.dropout ? 1 : 0);
    return real(it.heads) * real(setup.sequence) * each;
}

/// Bytes of what the GPUs share from this stage on.
double shared(double bytes, Setup const& setup, Shard first) {
    return setup.shard >= first ? bytes / real(setup.gpus) : bytes;
}

std::string shared_by(Setup const& setup, Shard first) {
    return setup.shard >= first && setup.gpus > 1 ? fmt::format(" / {} GPUs", setup.gpus) : "";
}

Part weights(ModelShape const& it, Setup const& setup) {
    auto const count = real(parameters_of(it));
    auto const bytes =
        setup.lora_rank ? weight_bytes(it, *setup.base) : count * setup.precision->weight_bytes;
    auto const how = setup.lora_rank ? fmt::format("{} frozen parameters in {}", short_count(count),
                                                   setup.base->name)
                                     : fmt::format("{} parameters x {:g} bytes", short_count(count),
                                                   setup.precision->weight_bytes);
    return {"weights", shared(bytes, setup, Shard::zero3), how + shared_by(setup, Shard::zero3),
            setup.lora_rank ? setup.base->sources : setup.precision->sources};
}

double trained_parameters(ModelShape const& it, Setup const& setup) {
    return real(setup.lora_rank ? adapter_parameters(it, *setup.lora_rank) : parameters_of(it));
}

Part adapters(ModelShape const& it, Setup const& setup) {
    if (!setup.lora_rank) return {};
    auto const count = trained_parameters(it, setup);
    auto const bytes = count * setup.precision->weight_bytes;
    return {"adapters",
            shared(bytes, setup, Shard::zero3),
            fmt::format("rank {} at all matrices of the layers: {} parameters x {:g} bytes{}",
                        *setup.lora_rank, short_count(count), setup.precision->weight_bytes,
                        shared_by(setup, Shard::zero3)),
            {"lora"}};
}

Part gradients(ModelShape const& it, Setup const& setup) {
    auto const count = trained_parameters(it, setup);
    auto const bytes = count * setup.precision->gradient_bytes;
    return {"gradients",
            shared(bytes, setup, Shard::zero2),
            fmt::format("{} parameters x {:g} bytes{}", short_count(count),
                        setup.precision->gradient_bytes, shared_by(setup, Shard::zero2)),
            {"zero"}};
}

/// Bytes that the optimiser keeps of a parameter beside the copy in 32 bits.
double state_bytes(ModelShape const& it, Setup const& setup) {
    auto const& optimizer = *setup.optimizer;
    // A matrix of h rows and about h columns has 2 h numbers in place of h^2.
    if (optimizer.factored) return optimizer.state_bytes * 2 / real(it.hidden);
    auto const& precision = *setup.precision;
    bool const all_small = precision.master_bytes == 0 && precision.weight_bytes < 4;
    auto const each =
        optimizer.follows_weights && all_small ? precision.weight_bytes : optimizer.state_bytes;
    return optimizer.states * each;
}

Part optimizer_states(ModelShape const& it, Setup const& setup) {
    auto const count = trained_parameters(it, setup);
    auto const states = state_bytes(it, setup);
    auto const bytes = count * (setup.precision->master_bytes + states);
    auto sources = setup.optimizer->sources;
    if (std::ranges::find(sources, "zero") == sources.end()) sources.emplace_back("zero");
    return {"optimizer", shared(bytes, setup, Shard::zero1),
            fmt::format("{} parameters x ({:g} bytes of copy + {:.4g} of {}){}", short_count(count),
                        setup.precision->master_bytes, states, setup.optimizer->name,
                        shared_by(setup, Shard::zero1)),
            sources};
}

Part activations(ModelShape const& it, Setup const& setup) {
    auto const tokens = real(setup.batch) * real(setup.sequence);
    auto const layer = activation_bytes_per_token(it, setup);
    auto const input = real(it.hidden) * setup.precision->activation_bytes;
    auto const kept = setup.recompute ? input : layer;
    auto const bytes = tokens * (real(it.layers) * kept + (setup.recompute ? layer : 0) + input);
    auto formula = fmt::format("{:.0f} tokens x {} layers x {:.0f} bytes", tokens, it.layers, kept);
    if (setup.recompute)
        formula += fmt::format(" (inputs of layers) + one layer of {:.0f} bytes a token", layer);
    SourceIds sources{"activations"};
    if (setup.flash) sources.emplace_back("flash-attention");
    return {"activations", bytes, formula, sources};
}

Part logits(ModelShape const& it, Setup const& setup, PlanData const& data) {
    if (!it.family.decoder) return {};
    auto const tokens = real(setup.batch) * real(setup.sequence);
    auto const chunks = setup.chunked_loss ? data.loss_chunks.value : 1;
    auto sources = data.logits_bytes.sources;
    if (setup.chunked_loss) sources = data.loss_chunks.sources;
    return {"logits", tokens / chunks * real(it.vocabulary) * data.logits_bytes.value,
            fmt::format("{:.0f} tokens x {} words x {:g} bytes{}", tokens, it.vocabulary,
                        data.logits_bytes.value,
                        setup.chunked_loss ? fmt::format(" / {:g} chunks", chunks) : ""),
            sources};
}

/// What zero3 holds of others' shares: layers at work with their gradients, and the tables.
Part gathered(ModelShape const& it, Setup const& setup, PlanData const& data) {
    if (setup.shard != Shard::zero3 || setup.gpus < 2) return {};
    auto const count = count_parameters(it);
    auto const layers = std::min(real(it.layers), data.gathered_layers.value);
    auto const per_parameter =
        setup.lora_rank ? setup.base->bits / 8 : setup.precision->weight_bytes;
    auto const gradient = setup.lora_rank ? 0 : setup.precision->gradient_bytes;
    auto const bytes = (layers * real(count.layer) + real(count.tables)) * per_parameter +
                       real(count.layer) * gradient;
    return {"gathered", bytes,
            fmt::format("{:g} whole layers of {}, a layer's gradients, and the tables of tokens",
                        layers, short_count(real(count.layer))),
            data.gathered_layers.sources};
}

/// How many GPUs share the cache.
double cache_shares(ModelShape const& it, Setup const& setup) {
    auto const gpus = real(setup.gpus);
    if (!setup.engine->splits_tensors) return std::min(gpus, real(it.layers));
    return it.latent ? 1 : std::min(gpus, real(it.kv_heads));
}

Part stored_weights(ModelShape const& it, Setup const& setup) {
    auto const all = setup.as_stored ? real(*it.file_bytes) : weight_bytes(it, *setup.format);
    auto const shares = setup.engine->splits_tensors ? real(setup.gpus)
                                                     : std::min(real(setup.gpus), real(it.layers));
    auto const on_gpus = setup.gpus > 1 ? fmt::format("; / {} GPUs", setup.gpus) : "";
    if (setup.as_stored)
        return {"weights",
                all / shares,
                fmt::format("{} parameters as the file has them{}",
                            short_count(real(parameters_of(it))), on_gpus),
                {}};
    return {"weights", all / shares,
            fmt::format("{} parameters in {}: {:.4g} bits each, {:.4g} in tables of tokens{}",
                        short_count(real(parameters_of(it))), setup.format->name,
                        setup.format->bits, setup.format->embedding_bits, on_gpus),
            setup.format->sources};
}

/// Bytes of the cache for one token on each GPU. Heads are dealt out to the GPUs; where there are
/// more GPUs than heads some keep the same, and all keep the same latent vector.
double cache_bytes_per_token(ModelShape const& it, Setup const& setup) {
    return real(cache_elements(it)) * setup.cache->bits / 8 / cache_shares(it, setup);
}

Part cache_part(ModelShape const& it, Setup const& setup) {
    auto const tokens = real(setup.batch) * real(setup.sequence);
    auto const each = cache_bytes_per_token(it, setup);
    auto sources = setup.cache->sources;
    if (it.latent) sources.emplace_back("mla");
    return {"cache", tokens * each,
            fmt::format("{} x {} tokens x {:.0f} bytes ({})", setup.batch, setup.sequence, each,
                        setup.cache->name),
            sources};
}

/// Numbers of one token that a layer works on at a time.
double working_elements(ModelShape const& it) {
    auto const width = it.experts ? it.experts->per_token * it.experts->intermediate +
                                        it.experts->shared_intermediate
                                  : it.intermediate;
    auto const heads = (it.heads + 2 * it.kv_heads) * it.head_size;
    return 2 * real(it.hidden) + real(heads) + (it.family.gated ? 3 : 2) * real(width);
}

/// A prompt at work, scores of its tokens where attention is plain, and those of the words.
Part working_memory(ModelShape const& it, Setup const& setup, PlanData const& data) {
    constexpr double half = 2, single = 4;  // bytes of an element
    auto const context = real(setup.batch) * real(setup.sequence);
    auto const tokens = std::min(real(setup.engine->prefill_tokens), context);
    auto const split = setup.engine->splits_tensors ? real(setup.gpus) : 1;
    auto const scored = setup.engine->splits_tensors ? data.sampled_sequences.value : tokens;
    auto bytes = tokens * working_elements(it) * half / split;
    bytes += std::min(scored, context) * real(it.vocabulary) *
             (setup.engine->splits_tensors ? data.logits_bytes.value : single);
    if (!setup.flash) bytes += tokens * real(it.heads) * real(setup.sequence) * single / split;
    return {"activations", bytes,
            fmt::format("{:.0f} tokens of a prompt at a time, scores of {:.0f} tokens{}", tokens,
                        std::min(scored, context), setup.flash ? "" : ", attention to all tokens"),
            setup.engine->sources};
}

Part runtime(PlanConstant const& constant) {
    return {"runtime", constant.value, constant.about, constant.sources};
}

Part runtime(Setup const& setup) {
    auto const& engine = *setup.engine;
    bool const alone = setup.gpus == 1;
    return {"runtime", engine.runtime_bytes + (alone ? 0 : engine.peer_runtime_bytes),
            fmt::format("context, kernels and libraries of {}{}", engine.name,
                        alone || engine.peer_runtime_bytes <= 0 ? "" : ", buffers between GPUs"),
            engine.sources};
}

}  // namespace

double sum_of(Parts const& parts) {
    double sum = 0;
    for (auto const& part : parts) sum += part.bytes;
    return sum;
}

std::uint64_t whole_bytes(double bytes) {
    constexpr double most = 9.2e18;  // below 2^63
    return static_cast<std::uint64_t>(std::clamp(std::ceil(bytes), 0.0, most));
}

double activation_bytes_per_token(ModelShape const& it, Setup const& setup) {
    auto const norms = real(it.family.norms_per_layer) * real(it.hidden);
    auto const elements = norms + attention_elements(it) + mlp_elements(it);
    // A byte for each element that dropout may clear, behind attention and behind the MLP.
    auto const masks = it.family.dropout ? 2 * real(it.hidden) : 0;
    return elements * setup.precision->activation_bytes + masks + score_bytes(it, setup);
}

Parts Setup::parts() const {
    Parts parts;
    if (is_training)
        parts = {weights(*shape, *this),         adapters(*shape, *this),
                 gradients(*shape, *this),       optimizer_states(*shape, *this),
                 activations(*shape, *this),     logits(*shape, *this, *data),
                 gathered(*shape, *this, *data), runtime(data->training_runtime_bytes)};
    else
        parts = {stored_weights(*shape, *this), cache_part(*shape, *this),
                 working_memory(*shape, *this, *data), runtime(*this)};
    // What reads only keeps no cache.
    std::erase_if(parts, [](Part const& part) { return part.bytes <= 0; });
    return parts;
}

}  // namespace rocmtune
