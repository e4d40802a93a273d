// SPDX-License-Identifier: MIT
// Headers of files of weights, composed of the sizes that a config.json states. No weights.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace rocmtune::test {

using nlohmann::json;

/// A tensor of some layers' worth: name and sizes.
struct Tensor {
    std::string name;
    std::vector<std::uint64_t> sizes;
};

inline std::uint64_t number(json const& config, char const* key, std::uint64_t otherwise = 0) {
    return config.contains(key) && config[key].is_number() ? config[key].get<std::uint64_t>()
                                                           : otherwise;
}

/// The tensors of the families that are built like Llama, as their files have them.
inline std::vector<Tensor> tensors_of(json const& config) {
    auto const type = config.at("model_type").get<std::string>();
    auto const hidden = number(config, "hidden_size"),
               heads = number(config, "num_attention_heads");
    auto const keys = number(config, "num_key_value_heads", heads);
    auto const head = number(config, "head_dim", hidden / heads);
    auto const inner = number(config, "intermediate_size");
    auto const experts = number(config, "num_local_experts", number(config, "num_experts"));
    auto const expert_inner = number(config, "moe_intermediate_size", inner);
    auto const vocabulary = number(config, "vocab_size");
    std::vector<Tensor> all{{"token_embd.weight", {hidden, vocabulary}},
                            {"output_norm.weight", {hidden}}};
    if (!config.value("tie_word_embeddings", false))
        all.push_back({"output.weight", {hidden, vocabulary}});
    for (std::uint64_t i = 0; i < number(config, "num_hidden_layers"); ++i) {
        auto const add = [&](std::string const& name, std::vector<std::uint64_t> sizes) {
            all.push_back({"blk." + std::to_string(i) + "." + name, std::move(sizes)});
        };
        add("attn_norm.weight", {hidden});
        add("ffn_norm.weight", {hidden});
        add("attn_q.weight", {hidden, heads * head});
        add("attn_k.weight", {hidden, keys * head});
        add("attn_v.weight", {hidden, keys * head});
        add("attn_output.weight", {heads * head, hidden});
        if (type == "qwen2") {
            add("attn_q.bias", {heads * head});
            add("attn_k.bias", {keys * head});
            add("attn_v.bias", {keys * head});
        }
        if (type.starts_with("qwen3")) {
            add("attn_q_norm.weight", {head});
            add("attn_k_norm.weight", {head});
        }
        if (experts == 0) {
            add("ffn_gate.weight", {hidden, inner});
            add("ffn_up.weight", {hidden, inner});
            add("ffn_down.weight", {inner, hidden});
            continue;
        }
        add("ffn_gate_inp.weight", {hidden, experts});
        add("ffn_gate_exps.weight", {hidden, expert_inner, experts});
        add("ffn_up_exps.weight", {hidden, expert_inner, experts});
        add("ffn_down_exps.weight", {expert_inner, hidden, experts});
    }
    return all;
}

template <class T>
std::string bytes(T value) {
    std::string text(sizeof value, '\0');
    std::memcpy(text.data(), &value, sizeof value);
    return text;
}

inline std::string gguf_text(std::string const& text) {
    return bytes(std::uint64_t{text.size()}) + text;
}

struct Gguf {
    std::string entries = {}, tensors = {};
    std::uint64_t entry_count = 0, tensor_count = 0;

    void add(std::string const& key, std::uint32_t value) {
        entries += gguf_text(key) + bytes(std::uint32_t{4}) + bytes(value);
        ++entry_count;
    }
    void add(std::string const& key, std::string const& value) {
        entries += gguf_text(key) + bytes(std::uint32_t{8}) + gguf_text(value);
        ++entry_count;
    }
    void add_tokens(std::uint64_t count) {
        entries += gguf_text("tokenizer.ggml.tokens") + bytes(std::uint32_t{9}) +
                   bytes(std::uint32_t{8}) + bytes(count);
        for (std::uint64_t i = 0; i < count; ++i) entries += gguf_text("token");
        ++entry_count;
    }
    void add(Tensor const& tensor, std::uint32_t type) {
        tensors += gguf_text(tensor.name) + bytes(static_cast<std::uint32_t>(tensor.sizes.size()));
        for (auto const size : tensor.sizes) tensors += bytes(size);
        tensors += bytes(type) + bytes(std::uint64_t{0});
        ++tensor_count;
    }
    std::string text(std::uint32_t version = 3) const {
        return "GGUF" + bytes(version) + bytes(tensor_count) + bytes(entry_count) + entries +
               tensors;
    }
};

inline constexpr std::uint32_t f32 = 0, q4_k = 12, bf16 = 30;  // ggml_type

inline Gguf gguf_of(json const& config, std::uint32_t matrix_type) {
    Gguf file;
    file.add("general.architecture", std::string("llama"));
    file.add("general.file_type", 15U);
    auto const add = [&](char const* name, std::uint64_t value) {
        file.add(std::string("llama.") + name, static_cast<std::uint32_t>(value));
    };
    auto const heads = number(config, "num_attention_heads");
    add("block_count", number(config, "num_hidden_layers"));
    add("embedding_length", number(config, "hidden_size"));
    add("feed_forward_length", number(config, "intermediate_size"));
    add("attention.head_count", heads);
    add("attention.head_count_kv", number(config, "num_key_value_heads", heads));
    if (config.contains("head_dim")) add("attention.key_length", number(config, "head_dim"));
    if (auto const experts = number(config, "num_local_experts", number(config, "num_experts"))) {
        add("expert_count", experts);
        add("expert_used_count", number(config, "num_experts_per_tok"));
    }
    file.add_tokens(1000);
    for (auto const& tensor : tensors_of(config))
        file.add(tensor, tensor.sizes.size() == 1 ? f32 : matrix_type);
    return file;
}

}  // namespace rocmtune::test
