// SPDX-License-Identifier: MIT
// A config.json comes from somewhere: what it says is read, what it lacks or overstates is an error
// that names the place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/json_node.hpp"
#include "judge/plan/model.hpp"
#include "plan/models.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json small_llama() {
    return {{"model_type", "llama"},    {"hidden_size", 64},        {"num_hidden_layers", 2},
            {"num_attention_heads", 4}, {"intermediate_size", 128}, {"vocab_size", 1000}};
}

ModelShape shape_of(json const& config) {
    return read_model_config("config.json", config.dump(), plan_data());
}

TEST(ModelConfig, fills_in_what_is_usual) {
    auto const shape = shape_of(small_llama());
    EXPECT_EQ(shape.kv_heads, 4U);
    EXPECT_EQ(shape.head_size, 16U);
    EXPECT_FALSE(shape.tied);
    EXPECT_EQ(shape.max_positions, std::nullopt);
    EXPECT_EQ(shape.stored_as, "");
}

TEST(ModelConfig, takes_an_unknown_architecture_for_a_llama_and_says_so) {
    auto config = small_llama();
    config["model_type"] = "new-thing";
    auto const shape = shape_of(config);
    EXPECT_FALSE(shape.counted);
    EXPECT_EQ(parameters_of(shape), parameters_of(shape_of(small_llama())));
    ASSERT_EQ(shape.notes.size(), 1U);
    EXPECT_THAT(shape.notes[0], HasSubstr("'new-thing' is not known"));
}

TEST(ModelConfig, reads_the_text_part_of_a_model_for_images) {
    auto const shape = shape_of({{"model_type", "llava"}, {"text_config", small_llama()}});
    EXPECT_EQ(shape.layers, 2U);
    EXPECT_FALSE(shape.counted);
    EXPECT_THAT(shape.notes.back(), HasSubstr("the part for text alone"));
}

TEST(ModelConfig, reads_which_layers_see_a_window) {
    EXPECT_EQ(model_named("mistral-7b").windowed_layers, 32U);
    EXPECT_EQ(model_named("qwen2.5-7b").windowed_layers, 0U);
    EXPECT_EQ(model_named("gemma-2-9b").windowed_layers, 21U);
    EXPECT_EQ(model_named("gemma-3-1b").windowed_layers, 22U);
    EXPECT_EQ(model_named("gpt-oss-20b").windowed_layers, 12U);
}

TEST(ModelConfig, reads_how_the_weights_are_stored) {
    EXPECT_EQ(model_named("llama-3-8b").stored_as, "bfloat16");
    EXPECT_EQ(model_named("deepseek-v3").stored_as, "fp8");
    EXPECT_EQ(model_named("gpt-oss-20b").stored_as, "mxfp4");
    auto config = small_llama();
    config["quantization_config"] = {{"quant_method", "gptq"}, {"bits", 4}};
    EXPECT_EQ(shape_of(config).stored_as, "gptq:4");
    config["quantization_config"] = {{"quant_method", "bitsandbytes"}, {"load_in_8bit", true}};
    EXPECT_EQ(shape_of(config).stored_as, "bitsandbytes:8");
}

TEST(ModelConfig, obeys_switches_of_the_file) {
    auto config = small_llama();
    auto const plain = parameters_of(shape_of(config));
    config["tie_word_embeddings"] = true;
    EXPECT_EQ(parameters_of(shape_of(config)), plain - 64'000);
    config["attention_bias"] = true;
    EXPECT_EQ(parameters_of(shape_of(config)), plain - 64'000 + 2 * (3 * 64 + 64));
    config["mlp_bias"] = true;
    EXPECT_EQ(parameters_of(shape_of(config)), plain - 64'000 + 2 * (4 * 64 + 2 * 128 + 64));
}

struct Wrong {
    char const* name;
    json change;  ///< merged into the small Llama
    char const* says;
};

void PrintTo(Wrong const& row, std::ostream* out) {
    *out << row.name;
}

Wrong const wrongs[] = {
    {"no_layers",
     {{"num_hidden_layers", nullptr}},
     "config.json: the key \"num_hidden_layers\" is missing: is this the config.json"},
    {"zero_layers",
     {{"num_hidden_layers", 0}},
     "/num_hidden_layers: expected a whole number from 1 to 1024"},
    {"too_many_layers", {{"num_hidden_layers", 1025}}, "/num_hidden_layers: expected"},
    {"a_text", {{"hidden_size", "64"}}, "/hidden_size: expected a whole number"},
    {"a_fraction", {{"hidden_size", 64.5}}, "/hidden_size: expected a whole number"},
    {"below_zero", {{"vocab_size", -1}}, "/vocab_size: expected a whole number"},
    {"too_wide", {{"hidden_size", 1U << 19}}, "/hidden_size: expected"},
    {"beyond_64_bits", {{"vocab_size", 1e300}}, "/vocab_size: expected"},
    {"more_kv_heads_than_heads", {{"num_key_value_heads", 8}}, "heads of keys and values"},
    {"no_kv_heads", {{"num_key_value_heads", 0}}, "heads of keys and values"},
    {"heads_of_no_width", {{"num_attention_heads", 65}}, "heads of keys and values"},
    {"more_at_work_than_experts",
     {{"num_local_experts", 4}, {"num_experts_per_tok", 5}},
     "/num_experts_per_tok: expected a whole number from 1 to 4"},
    {"experts_that_never_work", {{"num_local_experts", 4}}, "num_experts_per_tok"},
    {"half_a_latent_attention", {{"kv_lora_rank", 512}}, "qk_rope_head_dim"},
    {"quantised_to_a_text",
     {{"quantization_config", {{"quant_method", "gptq"}, {"bits", "four"}}}},
     "/quantization_config/bits: expected"},
};

class WrongConfig : public testing::TestWithParam<Wrong> {};

TEST_P(WrongConfig, is_refused_with_its_place) {
    auto config = small_llama();
    config.merge_patch(GetParam().change);
    try {
        (void)shape_of(config);
        FAIL() << "it was taken";
    } catch (ProfileError const& error) {
        EXPECT_THAT(error.what(), HasSubstr(GetParam().says));
        EXPECT_EQ(error.code(), Exit::usage);
    }
}

INSTANTIATE_TEST_SUITE_P(Texts, WrongConfig, testing::ValuesIn(wrongs),
                         [](auto const& row) { return std::string(row.param.name); });

TEST(ModelConfig, refuses_what_is_no_object_and_no_json) {
    for (auto const* text : {"", "[]", "5", "{", "{\"a\": 1, \"a\": 2}", "\xff\xfe"})
        EXPECT_THROW((void)read_model_config("x", text, plan_data()), ProfileError) << text;
}

/// The bounds of the sizes hold 64 bits: the largest model that is taken is counted.
TEST(ModelConfig, of_the_largest_sizes_overflows_nothing) {
    json const config{{"model_type", "deepseek_v3"},
                      {"hidden_size", 1U << 18},
                      {"num_hidden_layers", 1U << 10},
                      {"num_attention_heads", 1U << 12},
                      {"head_dim", 1U << 13},
                      {"intermediate_size", 1U << 20},
                      {"moe_intermediate_size", 1U << 20},
                      {"n_routed_experts", 1U << 12},
                      {"n_shared_experts", 1U << 6},
                      {"num_experts_per_tok", 1U << 12},
                      {"vocab_size", 1U << 24}};
    auto const count = count_parameters(shape_of(config));
    // layers x experts x three matrices, to within the rest.
    EXPECT_NEAR(static_cast<double>(count.total), 0x1p60 * 3, 0x1p60 * 0.1);
    EXPECT_EQ(count.total, count.active);
}

}  // namespace
}  // namespace rocmtune::test
