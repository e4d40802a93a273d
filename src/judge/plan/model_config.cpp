// SPDX-License-Identifier: MIT
// Foreign text: every size is bounded, so that no product of sizes overflows 64 bits.
#include "judge/plan/model.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "codec/json_node.hpp"
#include "judge/plan/model_bounds.hpp"

namespace rocmtune {
namespace {

using Keys = std::initializer_list<std::string_view>;

/// The number under the first of these keys that is there and not null.
std::optional<std::uint64_t> number(JsonNode const& node, Keys names, std::uint64_t high,
                                    std::uint64_t low = 0) {
    for (auto const name : names)
        if (auto const value = node.find(name); value && !value->is_null())
            return value->integer(low, high);
    return std::nullopt;
}

/// The same, which must be there and more than 0.
std::uint64_t size(JsonNode const& node, Keys names, std::uint64_t high) {
    if (auto const it = number(node, names, high, 1)) return *it;
    node.fail(fmt::format("the key \"{}\" is missing: is this the config.json of a language model?",
                          *names.begin()));
}

std::optional<bool> truth(JsonNode const& node, std::string_view name) {
    auto const value = node.find(name);
    return value && value->is_boolean() ? std::optional(value->boolean()) : std::nullopt;
}

std::string text_or_empty(JsonNode const& node, std::string_view name) {
    auto const value = node.find(name);
    return value && value->is_string() ? std::string(value->string_or_empty()) : std::string();
}

/// The usual shape of today: what the default values of PlanFamily say.
void take_family(JsonNode const& node, PlanData const& data, ModelShape& shape) {
    shape.architecture = text_or_empty(node, "model_type");
    if (auto const* family = family_of(shape.architecture, data)) {
        shape.family = *family;
        shape.counted = true;
        return;
    }
    shape.notes.push_back(
        fmt::format("the architecture '{}' is not known: parameters are estimated as those of a "
                    "Llama of these sizes",
                    printable(shape.architecture)));
}

void take_sizes(JsonNode const& node, ModelShape& it) {
    it.layers = size(node, {"num_hidden_layers", "n_layer", "num_layers", "n_layers"}, most_layers);
    it.hidden = size(node, {"hidden_size", "n_embd", "d_model"}, most_hidden);
    it.heads = size(node, {"num_attention_heads", "n_head", "n_heads"}, most_heads);
    it.vocabulary = size(node, {"vocab_size"}, most_vocabulary);
    it.kv_heads =
        number(node, {"num_key_value_heads", "n_kv_heads"}, most_heads).value_or(it.heads);
    it.head_size = number(node, {"head_dim"}, most_head_size).value_or(it.hidden / it.heads);
    it.intermediate = number(node, {"intermediate_size", "n_inner", "ffn_dim"}, most_intermediate)
                          .value_or(4 * it.hidden);
    it.max_positions = number(
        node, {"max_position_embeddings", "n_positions", "max_sequence_length", "seq_length"},
        most_positions);
    if (it.kv_heads == 0 || it.head_size == 0 || it.kv_heads > it.heads)
        node.fail("the heads of keys and values are none, or more than those of queries");
}

void take_switches(JsonNode const& node, ModelShape& it) {
    it.tied = truth(node, "tie_word_embeddings").value_or(it.family.tied);
    if (auto const bias = truth(node, "attention_bias"); bias && !it.latent)
        it.family.qkv_bias = it.family.output_bias = *bias;
    if (auto const bias = truth(node, "mlp_bias")) it.family.mlp_bias = *bias;
    if (it.family.learned_positions)
        it.positions = it.max_positions.value_or(0) + it.family.position_offset;
}

void take_latent(JsonNode const& node, ModelShape& it) {
    auto const rank = number(node, {"kv_lora_rank"}, most_rank);
    if (!rank || *rank == 0) return;
    it.latent = {.kv_rank = *rank,
                 .query_rank = number(node, {"q_lora_rank"}, most_rank).value_or(0),
                 .rotated = size(node, {"qk_rope_head_dim"}, most_head_size),
                 .plain = size(node, {"qk_nope_head_dim"}, most_head_size),
                 .value = size(node, {"v_head_dim"}, most_head_size)};
}

/// How many layers have experts: all but the first ones, the listed ones, and those between steps.
std::uint64_t layers_with_experts(JsonNode const& node, ModelShape const& it) {
    auto const first = number(node, {"first_k_dense_replace"}, most_layers).value_or(0);
    auto const step =
        std::max<std::uint64_t>(1, number(node, {"decoder_sparse_step"}, most_layers).value_or(1));
    std::vector<std::uint64_t> dense;
    if (auto const list = node.find("mlp_only_layers"); list && list->is_array())
        for (auto const& item : list->items()) dense.push_back(item.integer(0, most_layers));
    std::uint64_t count = 0;
    for (std::uint64_t i = first; i < it.layers; ++i)
        if ((i + 1) % step == 0 && std::ranges::find(dense, i) == dense.end()) ++count;
    return count;
}

void take_experts(JsonNode const& node, ModelShape& it) {
    auto const count =
        number(node, {"num_local_experts", "num_experts", "n_routed_experts"}, most_experts);
    if (count.value_or(0) == 0) return;
    Experts experts{.count = *count};
    experts.per_token = size(node, {"num_experts_per_tok", "experts_per_token"}, *count);
    experts.intermediate =
        number(node, {"moe_intermediate_size"}, most_intermediate).value_or(it.intermediate);
    auto const shared = number(node, {"n_shared_experts"}, most_shared).value_or(0);
    experts.shared_intermediate =
        number(node, {"shared_expert_intermediate_size"}, most_shared * most_intermediate)
            .value_or(shared * experts.intermediate);
    experts.layers = layers_with_experts(node, it);
    experts.router_bias = text_or_empty(node, "topk_method") == "noaux_tc";
    it.experts = experts;
}

/// Which layers see a window only: a list says so, or the habit of the family.
std::uint64_t windowed_layers(JsonNode const& node, ModelShape const& it) {
    if (auto const list = node.find("layer_types"); list && list->is_array()) {
        std::uint64_t count = 0;
        for (auto const& item : list->items())
            if (item.is_string() && item.string_or_empty() == "sliding_attention") ++count;
        return std::min(count, it.layers);
    }
    auto const pattern =
        number(node, {"sliding_window_pattern"}, most_layers).value_or(it.family.window_pattern);
    return pattern > 0 ? it.layers - it.layers / pattern : it.layers;
}

void take_window(JsonNode const& node, ModelShape& it) {
    auto const window = number(node, {"sliding_window"}, most_positions);
    if (!window || *window == 0 || truth(node, "use_sliding_window") == false) return;
    it.window = *window;
    it.windowed_layers = windowed_layers(node, it);
    if (it.windowed_layers == 0) it.window = 0;
}

/// "fp8", "gptq:4": as the methods of WeightFormat are written.
std::string stored_as(JsonNode const& node) {
    auto const quantization = node.find("quantization_config");
    if (!quantization || !quantization->is_object()) {
        auto const type = text_or_empty(node, "torch_dtype");
        return type.empty() ? text_or_empty(node, "dtype") : type;
    }
    auto method = text_or_empty(*quantization, "quant_method");
    if (auto const bits = number(*quantization, {"bits"}, 64))
        return fmt::format("{}:{}", method, *bits);
    if (truth(*quantization, "load_in_4bit").value_or(false)) return method + ":4";
    if (truth(*quantization, "load_in_8bit").value_or(false)) return method + ":8";
    return method;
}

void note_what_is_not_counted(JsonNode const& node, ModelShape& it) {
    auto const width = number(node, {"word_embed_proj_dim"}, most_hidden);
    if (width && *width != it.hidden) {
        it.counted = false;
        it.notes.emplace_back("its embeddings have a width of their own: parameters are estimated");
    }
    if (truth(node, "use_qk_norm").value_or(false)) {
        it.counted = false;
        it.notes.emplace_back("its norms of queries and keys are not counted");
    }
    if (number(node, {"num_nextn_predict_layers"}, most_layers).value_or(0) > 0)
        it.notes.emplace_back("layers that predict further tokens are not counted");
}

ModelShape shape_of(JsonNode const& node, PlanData const& data) {
    ModelShape it;
    take_family(node, data, it);
    take_sizes(node, it);
    take_latent(node, it);
    take_switches(node, it);
    take_experts(node, it);
    take_window(node, it);
    it.stored_as = stored_as(node);
    note_what_is_not_counted(node, it);
    return it;
}

}  // namespace

PlanFamily const* family_of(std::string_view model_type, PlanData const& data) {
    for (auto const& family : data.families)
        if (std::ranges::find(family.model_types, model_type) != family.model_types.end())
            return &family;
    return nullptr;
}

ModelShape read_model_config(std::string_view file, std::string_view text, PlanData const& data) {
    auto const document = parse_data_file(file, text);
    JsonNode const root(*document);
    auto const inner = root.find("text_config");
    bool const wrapped = inner && inner->is_object() && !root.find("num_hidden_layers");
    auto shape = shape_of(wrapped ? *inner : root, data);
    shape.name = file;
    if (wrapped) {
        shape.counted = false;
        shape.notes.emplace_back(
            "of a model for several kinds of input, the part for text alone is counted");
        if (shape.stored_as.empty()) shape.stored_as = stored_as(root);
    }
    return shape;
}

ModelShape assumed_shape(std::uint64_t parameters, PlanData const& data) {
    auto const distance = [&](PlanShape const& shape) {
        return std::abs(std::log(static_cast<double>(shape.parameters) /
                                 static_cast<double>(std::max<std::uint64_t>(parameters, 1))));
    };
    auto const& near = *std::ranges::min_element(data.shapes, {}, distance);
    ModelShape it;
    it.layers = near.layers;
    it.hidden = near.hidden;
    it.heads = near.heads;
    it.kv_heads = near.kv_heads;
    it.head_size = near.head_size;
    it.intermediate = near.intermediate;
    it.vocabulary = near.vocabulary;
    it.tied = near.tables == 1;
    auto const count = count_parameters(it);
    auto const inside = static_cast<double>(parameters) - static_cast<double>(count.tables);
    auto const layers = std::clamp(std::round(inside / static_cast<double>(count.layer)), 1.0,
                                   static_cast<double>(most_layers));
    it.layers = static_cast<std::uint64_t>(layers);
    it.stated_parameters = parameters;
    it.name = "like " + near.name;
    it.notes.push_back(fmt::format(
        "heads, widths and vocabulary are those of {}{}: --model config.json is exact", near.name,
        it.layers == near.layers
            ? ", layers, too"
            : fmt::format(", with {} layers in place of {}", it.layers, near.layers)));
    return it;
}

}  // namespace rocmtune
