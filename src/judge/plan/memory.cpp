// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "judge/plan/parts.hpp"

namespace rocmtune {
namespace {

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

Part runtime(Setup const& setup) {
    auto const& engine = *setup.engine;
    bool const alone = setup.gpus == 1;
    return {"runtime", engine.runtime_bytes + (alone ? 0 : engine.peer_runtime_bytes),
            fmt::format("context, kernels and libraries of {}{}", engine.name,
                        alone || engine.peer_runtime_bytes <= 0 ? "" : ", buffers between GPUs"),
            engine.sources};
}

}  // namespace

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

double sum_of(Parts const& parts) {
    double sum = 0;
    for (auto const& part : parts) sum += part.bytes;
    return sum;
}

std::uint64_t whole_bytes(double bytes) {
    constexpr double most = 9.2e18;  // below 2^63
    return static_cast<std::uint64_t>(std::clamp(std::ceil(bytes), 0.0, most));
}

Parts Setup::parts() const {
    Parts parts = is_training ? training_parts(*this)
                              : Parts{stored_weights(*shape, *this), cache_part(*shape, *this),
                                      working_memory(*shape, *this, *data), runtime(*this)};
    // What reads only keeps no cache.
    std::erase_if(parts, [](Part const& part) { return part.bytes <= 0; });
    return parts;
}

}  // namespace rocmtune
