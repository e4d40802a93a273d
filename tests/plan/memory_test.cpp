// SPDX-License-Identifier: MIT
// What each option does to the parts, on every model of the tests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/plan/setup.hpp"
#include "plan/models.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune::test {
namespace {

using testing::DoubleNear;
using testing::HasSubstr;

double part(Setup const& setup, std::string_view name) {
    for (auto const& each : setup.parts())
        if (each.name == name) return each.bytes;
    return 0;
}

Setup setup_for(ModelShape const& shape, PlanWish const& wish) {
    return setup_of(wish, 1, shape, plan_data());
}

class EveryModel : public testing::TestWithParam<std::string> {
  public:
    ModelShape const shape = model_named(GetParam());
};

TEST_P(EveryModel, shares_what_each_stage_says) {
    auto const with = [&](char const* shard) {
        return setup_for(shape, {.shard = shard, .gpus = 4});
    };
    auto const ddp = with("ddp");
    for (auto const* shard : {"zero1", "zero2", "zero3"})
        EXPECT_DOUBLE_EQ(part(with(shard), "optimizer") * 4, part(ddp, "optimizer"));
    EXPECT_DOUBLE_EQ(part(with("zero1"), "gradients"), part(ddp, "gradients"));
    EXPECT_DOUBLE_EQ(part(with("zero2"), "gradients") * 4, part(ddp, "gradients"));
    EXPECT_DOUBLE_EQ(part(with("zero2"), "weights"), part(ddp, "weights"));
    EXPECT_DOUBLE_EQ(part(with("zero3"), "weights") * 4, part(ddp, "weights"));
    EXPECT_GT(part(with("zero3"), "gathered"), 0);
    EXPECT_EQ(part(setup_for(shape, {.shard = "zero3"}), "gathered"), 0) << "one GPU";
}

TEST_P(EveryModel, needs_16_bytes_a_parameter_and_18_with_autocast) {
    auto const states = [&](char const* dtype) {
        auto const setup = setup_for(shape, {.dtype = dtype});
        return (part(setup, "weights") + part(setup, "gradients") + part(setup, "optimizer")) /
               static_cast<double>(parameters_of(shape));
    };
    EXPECT_THAT(states("bf16"), DoubleNear(16, 1e-6));
    EXPECT_THAT(states("fp32"), DoubleNear(16, 1e-6));
    EXPECT_THAT(states("amp"), DoubleNear(18, 1e-6));
    EXPECT_THAT(states("pure-bf16"), DoubleNear(8, 1e-6));
}

TEST_P(EveryModel, needs_less_with_each_thrifty_option) {
    auto const usual = setup_for(shape, {}).needed();
    EXPECT_LT(setup_for(shape, {.recompute = true}).needed(), usual);
    EXPECT_LT(setup_for(shape, {.lora_rank = 16}).needed(), usual);
    for (auto const* optimizer : {"adamw-8bit", "lion", "sgd-momentum", "sgd", "adafactor"})
        EXPECT_LT(setup_for(shape, {.optimizer = optimizer}).needed(), usual) << optimizer;
    EXPECT_GT(setup_for(shape, {.attention = "plain"}).needed(), usual);
    if (!shape.family.decoder) return;
    EXPECT_LT(setup_for(shape, {.chunked_loss = true}).needed(), usual);
}

TEST_P(EveryModel, grows_with_batch_and_sequence_and_never_with_gpus) {
    for (bool const inference : {false, true}) {
        auto const setup = setup_for(shape, {.inference = inference, .shard = {}});
        auto const needed = [&](std::uint64_t gpus, std::uint64_t batch, std::uint64_t sequence) {
            return setup.with(gpus, batch, sequence).needed();
        };
        EXPECT_LT(needed(1, 1, 512), needed(1, 2, 512));
        EXPECT_LT(needed(1, 1, 512), needed(1, 1, 1024));
        EXPECT_LE(needed(8, 1, 512), needed(4, 1, 512));
    }
}

/// One GPU has all; of two stages the parts add up, but for a tied head, which both have.
TEST_P(EveryModel, is_whole_on_one_gpu_and_in_the_sum_of_its_stages) {
    auto const all = count_parameters(shape).total;
    EXPECT_EQ(parameters_on_gpu(shape, 1, {.layers = shape.layers}), all);
    if (shape.experts && shape.experts->layers < shape.layers) return;  // stages of unlike layers
    auto const half = shape.layers / 2;
    auto const first = parameters_on_gpu(shape, 1, {half, true, false, 2});
    auto const last = parameters_on_gpu(shape, 1, {shape.layers - half, false, true, 1});
    EXPECT_EQ(first + last, all + (shape.tied ? shape.vocabulary * shape.hidden : 0));
}

/// What GPUs that share matrices have in all is the model, and once more what is not split: norms
/// and the like, far below a hundredth, learned positions, the only head of keys, what compresses.
TEST_P(EveryModel, is_split_but_for_little_where_gpus_share_matrices) {
    auto const all = count_parameters(shape).total;
    auto const two = parameters_on_gpu(shape, 2, {.layers = shape.layers});
    EXPECT_GT(2 * two, all);
    auto whole = (shape.positions + shape.hidden) * shape.hidden + all / 100;
    if (shape.kv_heads == 1) whole += shape.layers * 2 * shape.head_size * shape.hidden;
    if (shape.latent) whole += all / 20;
    EXPECT_LT(2 * two - all, whole);
}

TEST_P(EveryModel, needs_less_of_each_gpu_the_more_hold_it) {
    if (shape.heads % 2 != 0) GTEST_SKIP() << "two GPUs cannot share its heads";
    auto const needed = [&](std::uint64_t tensor, std::uint64_t pipeline, bool splits_sequence) {
        return setup_for(shape, {.splits_sequence = splits_sequence,
                                 .dtype = "bf16",
                                 .tensor = tensor,
                                 .pipeline = pipeline})
            .needed();
    };
    EXPECT_LT(needed(2, 1, false), needed(1, 1, false));
    EXPECT_LT(needed(2, 1, true), needed(2, 1, false));
    EXPECT_LT(needed(1, 2, false), needed(1, 1, false));
}

TEST_P(EveryModel, needs_a_cache_of_the_same_bytes_for_each_token) {
    auto const once = setup_for(shape, {.inference = true, .batch = 1, .sequence = 100});
    auto const twice = setup_for(shape, {.inference = true, .batch = 2, .sequence = 100});
    EXPECT_DOUBLE_EQ(part(twice, "cache"), 2 * part(once, "cache"));
    EXPECT_DOUBLE_EQ(part(once, "cache"), 200.0 * static_cast<double>(cache_elements(shape)));
    auto const half =
        setup_for(shape, {.inference = true, .cache_dtype = "fp8", .batch = 1, .sequence = 100});
    EXPECT_DOUBLE_EQ(part(half, "cache") * 2, part(once, "cache"));
}

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(model_names()), [](auto const& row) {
    auto name = row.param;
    for (auto& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    return name;
});

TEST(Inference, deals_heads_out_to_gpus_and_repeats_what_it_cannot) {
    auto const cache = [](char const* model, std::uint64_t gpus, char const* dtype) {
        auto const shape = model_named(model);
        return part(setup_for(shape, {.inference = true, .dtype = dtype, .gpus = gpus}), "cache");
    };
    auto const one = cache("llama-3-8b", 1, "bf16");
    EXPECT_DOUBLE_EQ(cache("llama-3-8b", 8, "bf16") * 8, one);
    EXPECT_DOUBLE_EQ(cache("llama-3-8b", 16, "bf16") * 8, one) << "8 heads of keys and values";
    EXPECT_DOUBLE_EQ(cache("llama-3-8b", 16, "q8_0") * 16, one) << "llama.cpp deals out layers";
    EXPECT_DOUBLE_EQ(cache("deepseek-v3", 8, "bf16"), cache("deepseek-v3", 1, "bf16"));
}

TEST(Inference, takes_the_format_of_the_file) {
    auto const format = [](char const* model) {
        auto const shape = model_named(model);
        return setup_for(shape, {.inference = true}).format->name;
    };
    EXPECT_EQ(format("llama-2-7b"), "fp16");
    EXPECT_EQ(format("deepseek-v3"), "fp8");
    EXPECT_EQ(format("gpt-oss-20b"), "mxfp4");
    EXPECT_EQ(format("gemma-2-9b"), "fp16") << "servers make 16 bits of 32";
    EXPECT_EQ(format("gpt2"), "bf16") << "the file does not say";
}

TEST(Inference, of_what_reads_only_has_no_cache) {
    auto const shape = model_named("bert-large-uncased");
    for (auto const& each : setup_for(shape, {.inference = true}).parts())
        EXPECT_NE(each.name, "cache");
}

TEST(Setup, takes_no_longer_sequence_than_the_model_by_default) {
    auto const gpt2 = model_named("gpt2");
    EXPECT_EQ(setup_for(gpt2, {}).sequence, 1024U);
    EXPECT_EQ(setup_for(gpt2, {.inference = true}).sequence, 1024U);
    EXPECT_EQ(setup_for(gpt2, {.sequence = 5000}).sequence, 5000U);
}

/// What the next step prints asks for the same again.
TEST(Setup, is_named_by_its_options) {
    auto const shape = model_named("llama-3-8b");
    EXPECT_EQ(
        options_of(setup_for(shape, {.recompute = true,
                                     .chunked_loss = true,
                                     .optimizer = "adamw-8bit",
                                     .shard = "zero2",
                                     .gpus = 8,
                                     .batch = 4})),
        "--dtype bf16 --optimizer adamw-8bit --shard zero2 --checkpointing full --loss chunked "
        "--gpus 8 --batch 4 --sequence 2048");
    EXPECT_EQ(options_of(setup_for(
                  shape, {.splits_sequence = true, .gpus = 16, .tensor = 4, .pipeline = 2})),
              "--dtype megatron-bf16 --tensor-parallel 4 --pipeline-parallel 2 --sequence-parallel "
              "--shard ddp --gpus 16 --batch 1 --sequence 2048");
    EXPECT_EQ(options_of(setup_for(shape, {.lora_rank = 8})),
              "--dtype bf16 --lora 8 --base-dtype bf16 --gpus 1 --batch 1 --sequence 2048");
    EXPECT_EQ(options_of(setup_for(shape, {.inference = true, .dtype = "Q4_K_M"})),
              "--inference --dtype q4_k_m --cache-dtype fp16 --gpus 1 --batch 1 --sequence 4096");
}

/// Without more than one replica nothing is shared but what the replica shares.
TEST(Replicas, share_what_the_stage_of_zero_says) {
    auto const shape = model_named("llama-2-7b");
    auto const with = [&](char const* shard, std::uint64_t gpus) {
        return setup_for(shape, {.shard = shard, .gpus = gpus, .tensor = 4, .pipeline = 2});
    };
    EXPECT_EQ(with("zero1", 32).replicas(), 4U);
    EXPECT_DOUBLE_EQ(part(with("zero1", 32), "optimizer") * 4, part(with("ddp", 32), "optimizer"));
    EXPECT_DOUBLE_EQ(part(with("zero3", 8), "weights"), part(with("ddp", 8), "weights"));
    EXPECT_EQ(with("ddp", 8).name(), "tensor 4, pipeline 2, one replica");
    EXPECT_EQ(with("zero1", 32).last_shard(), Shard::zero1) << "gradients are for each batch";
}

/// 202,383,360 parameters of a layer, of which 8,192 are norms; the embeddings are split, too.
TEST(Replicas, have_norms_on_each_gpu) {
    auto const shape = model_named("llama-2-7b");
    EXPECT_EQ(parameters_on_gpu(shape, 4, {8, true, false, 4}),
              8 * ((202'383'360U - 8192U) / 4 + 8192U) + 32000U * 4096U / 4);
}

/// Eight heads of keys and values cannot be dealt out to sixteen GPUs: each is there twice.
TEST(Replicas, repeat_heads_of_keys_where_there_are_too_few) {
    auto const shape = model_named("llama-3-8b");
    auto const keys = 2U * 8 * 128 * 4096;
    auto const layer = count_parameters(shape).layer;
    EXPECT_EQ(parameters_on_gpu(shape, 16, {1, false, false, 1}),
              2 * 4096U + (layer - 2 * 4096U - keys) / 16 + keys / 8);
}

TEST(Replicas, add_up_gradients_in_32_bits_as_megatron_does) {
    auto const shape = model_named("llama-2-7b");
    EXPECT_EQ(setup_for(shape, {.tensor = 2}).precision->name, "megatron-bf16");
    EXPECT_EQ(setup_for(shape, {.dtype = "bf16", .tensor = 2}).precision->name, "bf16");
    EXPECT_EQ(setup_for(shape, {}).precision->name, "bf16");
}

TEST(Replicas, take_as_many_of_the_gpus_as_make_whole_ones) {
    auto const shape = model_named("llama-2-7b");
    auto const gpus = [&](std::uint64_t there) {
        return setup_of({.tensor = 2, .pipeline = 3}, there, shape, plan_data()).gpus;
    };
    EXPECT_EQ(gpus(1), 6U);
    EXPECT_EQ(gpus(8), 6U);
    EXPECT_EQ(gpus(16), 12U);
}

struct Refused {
    char const* name;
    PlanWish wish;
    char const* says;
};

void PrintTo(Refused const& row, std::ostream* out) {
    *out << row.name;
}

Refused const refusals[] = {
    {"dtype", {.dtype = "fb16"}, "--dtype cannot be 'fb16' | did you mean 'bf16'?"},
    {"a_format_to_train_in",
     {.dtype = "q4_k_m"},
     "--dtype cannot be 'q4_k_m' | choose one of bf16,"},
    {"format", {.inference = true, .dtype = "q4km"}, "did you mean 'q4_k_m'?"},
    {"optimizer", {.optimizer = "adam"}, "did you mean 'adamw'?"},
    {"cache_of_training", {.cache_dtype = "fp8"}, "--cache-dtype belongs to --inference"},
    {"base_without_adapters", {.base_dtype = "nf4"}, "--base-dtype belongs to --lora"},
    {"optimizer_of_inference", {.inference = true, .optimizer = "sgd"}, "--optimizer belongs to"},
    {"shard_of_inference", {.inference = true, .shard = "ddp"}, "--shard belongs to training"},
    {"lora_of_inference", {.inference = true, .lora_rank = 8}, "--lora belongs to training"},
    {"tensor_of_inference",
     {.inference = true, .tensor = 2},
     "--tensor-parallel belongs to training"},
    {"pipeline_of_inference",
     {.inference = true, .pipeline = 2},
     "--pipeline-parallel belongs to training"},
    {"sequence_of_inference",
     {.inference = true, .splits_sequence = true},
     "--sequence-parallel belongs to training"},
    {"sequence_without_tensor",
     {.splits_sequence = true},
     "--sequence-parallel belongs to --tensor-parallel"},
    {"uneven_heads",
     {.tensor = 5},
     "does not deal out the 12 heads and the MLP of this model evenly | choose one of 2, 3, 4, 6, "
     "12"},
    {"too_many_stages", {.pipeline = 13}, "--pipeline-parallel 13 is more than the 12 layers"},
    {"gpus_of_no_replica",
     {.gpus = 6, .tensor = 4},
     "--gpus 6 is no multiple of 4 GPUs, which hold the model once (--tensor-parallel 4 x "
     "--pipeline-parallel 1) | for example --gpus 8"},
    {"loss_of_inference", {.inference = true, .chunked_loss = true}, "--loss belongs to training"},
};

class RefusedWish : public testing::TestWithParam<Refused> {};

TEST_P(RefusedWish, says_what_goes) {
    auto const shape = model_named("gpt2");
    try {
        (void)setup_for(shape, GetParam().wish);
        FAIL() << "it was taken";
    } catch (Error const& error) {
        EXPECT_THAT(std::string(error.what()) + " | " + error.hint(), HasSubstr(GetParam().says));
    }
}

INSTANTIATE_TEST_SUITE_P(Wishes, RefusedWish, testing::ValuesIn(refusals),
                         [](auto const& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace rocmtune::test
