// SPDX-License-Identifier: MIT
#include "judge/plan/inference.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace rocmtune {
namespace {

double real(std::uint64_t number) {
    return static_cast<double>(number);
}

/// How many GPUs share the cache.
double cache_shares(ModelShape const& it, InferenceSetup const& setup) {
    auto const gpus = real(setup.gpus);
    if (!setup.engine->splits_tensors) return std::min(gpus, real(it.layers));
    return it.latent ? 1 : std::min(gpus, real(it.kv_heads));
}

Part weights(ModelShape const& it, InferenceSetup const& setup) {
    auto const all = weight_bytes(it, *setup.format);
    auto const shares = setup.engine->splits_tensors ? real(setup.gpus)
                                                     : std::min(real(setup.gpus), real(it.layers));
    return {"weights", all / shares,
            fmt::format("{} parameters in {}: {:.4g} bits each, {:.4g} in tables of tokens{}",
                        short_count(real(parameters_of(it))), setup.format->name,
                        setup.format->bits, setup.format->embedding_bits,
                        setup.gpus > 1 ? fmt::format("; / {} GPUs", setup.gpus) : ""),
            setup.format->sources};
}

Part cache(ModelShape const& it, InferenceSetup const& setup) {
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
Part activations(ModelShape const& it, InferenceSetup const& setup, PlanData const& data) {
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

Part runtime(InferenceSetup const& setup) {
    auto const& engine = *setup.engine;
    bool const alone = setup.gpus == 1;
    return {"runtime", engine.runtime_bytes + (alone ? 0 : engine.peer_runtime_bytes),
            fmt::format("context, kernels and libraries of {}{}", engine.name,
                        alone || engine.peer_runtime_bytes <= 0 ? "" : ", buffers between GPUs"),
            engine.sources};
}

}  // namespace

double cache_bytes_per_token(ModelShape const& it, InferenceSetup const& setup) {
    return real(cache_elements(it)) * setup.cache->bits / 8 / cache_shares(it, setup);
}

Parts inference_parts(ModelShape const& shape, InferenceSetup const& setup, PlanData const& data) {
    Parts parts{weights(shape, setup), cache(shape, setup), activations(shape, setup, data),
                runtime(setup)};
    // What reads only keeps no cache.
    std::erase_if(parts, [](Part const& part) { return part.bytes <= 0; });
    return parts;
}

}  // namespace rocmtune
