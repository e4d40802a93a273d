// SPDX-License-Identifier: MIT
// Counts as the modeling files of Transformers allocate (source "transformers" of plan.json).
#include "judge/plan/model.hpp"

#include <algorithm>

namespace rocmtune {
namespace {

using Count = std::uint64_t;

/// Outputs of the projections of queries, keys and values, which are all made from the stream.
Count qkv_width(ModelShape const& it) {
    return (it.heads + 2 * it.kv_heads) * it.head_size;
}

/// Two steps for what is compressed: down to the rank with a norm, and up to the heads.
Count latent_attention(ModelShape const& it) {
    auto const& latent = *it.latent;
    auto const head = latent.plain + latent.rotated;
    auto const queries = latent.query_rank == 0 ? it.hidden * it.heads * head
                                                : latent.query_rank * (it.hidden + 1) +
                                                      latent.query_rank * it.heads * head;
    auto const down = it.hidden * (latent.kv_rank + latent.rotated) + latent.kv_rank;
    auto const up = latent.kv_rank * it.heads * (latent.plain + latent.value);
    return queries + down + up + it.heads * latent.value * it.hidden;
}

Count attention(ModelShape const& it) {
    if (it.latent) return latent_attention(it);
    auto count = it.hidden * (qkv_width(it) + it.heads * it.head_size);
    if (it.family.qkv_bias) count += qkv_width(it);
    if (it.family.output_bias) count += it.hidden;
    if (it.family.head_norms) count += 2 * it.head_size;
    if (it.family.sinks) count += it.heads;
    return count;
}

Count matrices_of_mlp(ModelShape const& it) {
    return it.family.gated ? 3 : 2;
}

Count mlp(ModelShape const& it, Count width, bool bias) {
    auto const inner = (matrices_of_mlp(it) - 1) * width;
    return matrices_of_mlp(it) * it.hidden * width + (bias ? inner + it.hidden : 0);
}

/// With `working` of the experts.
Count expert_mlp(ModelShape const& it, Count working) {
    auto const& experts = *it.experts;
    auto count = working * mlp(it, experts.intermediate, it.family.expert_bias);
    count += experts.count * it.hidden;  // the router
    if (experts.router_bias || it.family.expert_bias) count += experts.count;
    if (experts.shared_intermediate > 0) count += mlp(it, experts.shared_intermediate, false);
    if (it.family.shared_gate) count += it.hidden;
    return count;
}

Count norm(ModelShape const& it) {
    return it.family.norm_vectors * it.hidden;
}

Count layer(ModelShape const& it, Count mlp_parameters) {
    return attention(it) + it.family.norms_per_layer * norm(it) + mlp_parameters;
}

Count tables(ModelShape const& it) {
    auto count = it.vocabulary * it.hidden;
    count += (it.positions + it.family.token_types) * it.hidden;
    if (!it.tied) count += it.vocabulary * it.hidden;
    if (it.family.head_bias) count += it.vocabulary;
    return count;
}

/// Of a layer, what is not split where GPUs share its matrices.
Count whole_in_layer(ModelShape const& it, bool has_experts) {
    auto count = it.family.norms_per_layer * norm(it);
    if (it.latent) {
        auto const& latent = *it.latent;
        count +=
            (it.hidden + 1) * (latent.kv_rank + latent.query_rank) + it.hidden * latent.rotated;
    } else {
        if (it.family.head_norms) count += 2 * it.head_size;
        if (it.family.output_bias) count += it.hidden;
    }
    if (!has_experts) return count + (it.family.mlp_bias ? it.hidden : 0);
    count += it.experts->count * (it.hidden + (it.family.expert_bias ? it.hidden : 0));
    if (it.experts->router_bias || it.family.expert_bias) count += it.experts->count;
    return count + (it.family.shared_gate ? it.hidden : 0);
}

Count keys_and_values(ModelShape const& it) {
    if (it.latent) return 0;
    auto const width = 2 * it.kv_heads * it.head_size;
    return width * (it.hidden + (it.family.qkv_bias ? 1 : 0));
}

Count layer_on_gpu(ModelShape const& it, Count all, bool has_experts, Count tensor) {
    auto const whole = whole_in_layer(it, has_experts);
    auto const keys = keys_and_values(it);
    auto const key_shares = std::clamp<Count>(it.kv_heads, 1, tensor);
    return whole + (all - whole - keys) / tensor + keys / key_shares;
}

Count tables_on_gpu(ModelShape const& it, Count tensor, Stage const& stage) {
    auto const words = it.vocabulary * it.hidden / tensor;
    Count count = 0;
    if (stage.is_first) {
        count += words + (it.positions + it.family.token_types) * it.hidden;
        if (it.family.embedding_norm) count += norm(it);
    }
    if (!stage.is_last) return count;
    if (!it.tied || !stage.is_first) count += words;
    if (it.family.head_bias) count += it.vocabulary / tensor;
    if (it.family.final_norm) count += norm(it);
    return count + (it.family.pooler ? it.hidden * (it.hidden + 1) : 0);
}

Count outside_of_layers(ModelShape const& it) {
    auto count = tables(it);
    if (it.family.final_norm) count += norm(it);
    if (it.family.embedding_norm) count += norm(it);
    if (it.family.pooler) count += it.hidden * (it.hidden + 1);
    return count;
}

}  // namespace

ParameterCount count_parameters(ModelShape const& it) {
    ParameterCount count{.tables = tables(it)};
    auto const dense = layer(it, mlp(it, it.intermediate, it.family.mlp_bias));
    auto const with_experts = it.experts ? it.experts->layers : 0;
    auto const outside = outside_of_layers(it);
    count.total = outside + (it.layers - with_experts) * dense;
    count.active = count.total;
    count.layer = with_experts < it.layers ? dense : 0;
    if (it.experts) {
        auto const whole = layer(it, expert_mlp(it, it.experts->count));
        count.total += with_experts * whole;
        count.active += with_experts * layer(it, expert_mlp(it, it.experts->per_token));
        count.layer = std::max(count.layer, whole);
    }
    return count;
}

std::uint64_t parameters_on_gpu(ModelShape const& it, std::uint64_t tensor, Stage const& stage) {
    auto const with_experts = std::min(stage.layers, it.experts ? it.experts->layers : 0);
    auto const dense = layer(it, mlp(it, it.intermediate, it.family.mlp_bias));
    auto count = tables_on_gpu(it, tensor, stage);
    count += (stage.layers - with_experts) * layer_on_gpu(it, dense, false, tensor);
    if (with_experts == 0) return count;
    auto const whole = layer(it, expert_mlp(it, it.experts->count));
    return count + with_experts * layer_on_gpu(it, whole, true, tensor);
}

std::uint64_t adapter_parameters(ModelShape const& it, std::uint64_t rank) {
    auto const heads = it.heads * (it.latent ? it.latent->value : it.head_size);
    // Queries, keys and values are one matrix in some families; three adapters are the larger case.
    auto const queries = it.latent ? it.heads * (it.latent->plain + it.latent->rotated) : heads;
    auto const keys = it.latent ? it.latent->kv_rank + it.latent->rotated
                                : 2 * it.kv_heads * it.head_size + it.hidden;
    auto sum = 2 * it.hidden + queries + keys + heads + it.hidden;
    auto const dense_layers = it.layers - (it.experts ? it.experts->layers : 0);
    auto const width = matrices_of_mlp(it) * (it.hidden + it.intermediate);
    return rank * (it.layers * sum + dense_layers * width);
}

std::uint64_t cache_elements(ModelShape const& it) {
    if (!it.family.decoder) return 0;
    if (it.latent) return it.layers * (it.latent->kv_rank + it.latent->rotated);
    return 2 * it.layers * it.kv_heads * it.head_size;
}

std::uint64_t parameters_of(ModelShape const& shape) {
    if (shape.stated_parameters) return *shape.stated_parameters;
    return shape.file_parameters.value_or(count_parameters(shape).total);
}

}  // namespace rocmtune
