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
    EXPECT_EQ(options_of(setup_for(shape, {.lora_rank = 8})),
              "--dtype bf16 --lora 8 --base-dtype bf16 --gpus 1 --batch 1 --sequence 2048");
    EXPECT_EQ(options_of(setup_for(shape, {.inference = true, .dtype = "Q4_K_M"})),
              "--inference --dtype q4_k_m --cache-dtype fp16 --gpus 1 --batch 1 --sequence 4096");
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
