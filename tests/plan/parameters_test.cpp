// SPDX-License-Identifier: MIT
// Parameters are counted, not estimated: each number equals the published one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/plan/model.hpp"
#include "plan/models.hpp"

namespace rocmtune::test {
namespace {

class PublishedModel : public testing::TestWithParam<std::string> {};

TEST_P(PublishedModel, has_the_published_number_of_parameters) {
    auto const file = model_file(GetParam());
    auto const shape = model_named(GetParam());
    EXPECT_TRUE(shape.counted);
    EXPECT_EQ(parameters_of(shape), file.at("published_parameters").get<std::uint64_t>());
    EXPECT_THAT(file.at("source").get<std::string>(), testing::StartsWith("https://"));
    auto const cached = file.value("cache_elements_per_token", cache_elements(shape));
    EXPECT_EQ(cache_elements(shape), cached);
}

INSTANTIATE_TEST_SUITE_P(Models, PublishedModel, testing::ValuesIn(model_names()),
                         [](auto const& row) {
                             auto name = row.param;
                             for (auto& c : name)
                                 if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                             return name;
                         });

TEST(Parameters, of_experts_at_work_are_those_of_the_papers) {
    EXPECT_EQ(count_parameters(model_named("mixtral-8x7b")).active, 12'879'925'248U);
    auto const deepseek = static_cast<double>(count_parameters(model_named("deepseek-v3")).active);
    EXPECT_NEAR(deepseek, 37e9, 1e9);
    auto const qwen = static_cast<double>(count_parameters(model_named("qwen3-30b-a3b")).active);
    EXPECT_NEAR(qwen, 3.3e9, 0.1e9);
    EXPECT_EQ(count_parameters(model_named("gpt2")).active, 124'439'808U);
}

/// "c_attn" of Qwen is one matrix; three adapters at its parts are a little more.
TEST(Parameters, of_adapters_stand_at_each_matrix) {
    auto const shape = model_named("llama-2-7b");
    // PEFT prints 39,976,960 for rank 16 at q, k, v, o, gate, up and down.
    EXPECT_EQ(adapter_parameters(shape, 16), 39'976'960U);
    EXPECT_EQ(adapter_parameters(shape, 0), 0U);
}

TEST(Parameters, of_an_assumed_shape_are_as_stated) {
    for (std::uint64_t const stated :
         {1'000ULL, 500'000'000ULL, 8'000'000'000ULL, 70'000'000'000ULL, 2'000'000'000'000ULL}) {
        auto const shape = assumed_shape(stated, plan_data());
        EXPECT_EQ(parameters_of(shape), stated);
        EXPECT_GE(shape.layers, 1U);
        EXPECT_FALSE(shape.counted);
        EXPECT_EQ(shape.notes.size(), 1U);
    }
    auto const near = assumed_shape(8'030'261'248, plan_data());
    EXPECT_EQ(near.layers, 32U);
    EXPECT_EQ(near.kv_heads, 8U);
}

TEST(Parameters, of_the_shapes_in_the_data_are_their_own) {
    for (auto const& row : plan_data().shapes) {
        auto shape = assumed_shape(row.parameters, plan_data());
        EXPECT_EQ(shape.layers, row.layers) << row.name;
        shape.stated_parameters.reset();
        auto const counted = static_cast<double>(parameters_of(shape));
        // Some have biases, which the assumed shape has not.
        EXPECT_NEAR(counted / static_cast<double>(row.parameters), 1, 0.001) << row.name;
    }
}

}  // namespace
}  // namespace rocmtune::test
