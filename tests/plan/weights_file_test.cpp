// SPDX-License-Identifier: MIT
// Headers of files of weights, recomposed from the published shapes: sizes, lies, and ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/plan/plan.hpp"
#include "judge/plan/weights_file.hpp"
#include "plan/gguf_writer.hpp"
#include "plan/models.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t large_file = std::uint64_t{1} << 45;

std::vector<std::string> like_llama() {
    return {"llama-2-7b",          "llama-3-8b",   "llama-3-70b",     "llama-3.1-405b",
            "llama-3.2-1b",        "llama-3.2-3b", "mistral-7b",      "mistral-nemo-12b",
            "mixtral-8x7b",        "phi-3-mini",   "phi-4",           "qwen-1-1.8b",
            "qwen-1-7b",           "qwen-1-14b",   "qwen-1-72b",      "qwen2.5-7b",
            "qwen2.5-14b",         "qwen2.5-32b",  "qwen3-8b",        "qwen3-30b-a3b",
            "qwen3-235b-a22b-fp8", "qwen3-32b",    "mixtral-8x22b",   "qwen2.5-72b",
            "qwen2.5-0.5b",        "phi-3-medium", "mistral-7b-v0.3", "smollm2-1.7b"};
}

ModelShape read(std::string const& text, std::uint64_t file_bytes = large_file) {
    return read_gguf("x.gguf", text, file_bytes, plan_data()).value();
}

TEST(GgufHeader, of_published_models_has_their_parameters) {
    for (auto const& name : like_llama()) {
        auto const file = model_file(name);
        auto const shape = read(gguf_of(file.at("config"), bf16).text());
        auto const published = file.at("published_parameters").get<std::uint64_t>();
        EXPECT_EQ(shape.file_parameters, published) << name;
        EXPECT_EQ(parameters_of(shape), published) << name;
        auto const counted = model_named(name);
        EXPECT_EQ(shape.vocabulary, counted.vocabulary) << name;
        EXPECT_EQ(cache_elements(shape), cache_elements(counted)) << name;
    }
}

TEST(GgufHeader, of_experts_says_how_many_work) {
    auto const shape = read(gguf_of(model_file("mixtral-8x7b").at("config"), bf16).text());
    EXPECT_EQ(shape.file_active, 12'879'925'248U);
}

TEST(GgufHeader, says_what_the_weights_take) {
    Gguf file = gguf_of(model_file("llama-3-8b").at("config"), q4_k);
    auto const shape = read(file.text());
    // 4.5 bits of each number in a matrix, 32 of the norms.
    auto const norms = std::uint64_t{65} * 4096;
    EXPECT_EQ(*shape.file_bytes, (*shape.file_parameters - norms) / 256 * 144 + norms * 4);
    auto const plan =
        make_plan(shape, {.inference = true}, plan_data(), given_memory(std::uint64_t{64} << 30));
    EXPECT_EQ(plan.parts.front().bytes, *shape.file_bytes);
    EXPECT_EQ(plan.request.dtype, "q4_k_m");
    EXPECT_EQ(plan.model.stored_bytes, shape.file_bytes);
    auto const other = make_plan(shape, {.inference = true, .dtype = "q8_0"}, plan_data(),
                                 given_memory(std::uint64_t{64} << 30));
    EXPECT_GT(other.parts.front().bytes, *shape.file_bytes);
}

TEST(GgufHeader, of_a_part_adds_its_tensors) {
    Gguf first = gguf_of(model_file("llama-3.2-1b").at("config"), bf16);
    auto shape = read(first.text());
    Gguf more;
    more.add(Tensor{"blk.99.attn_q.weight", {1024, 1024}}, bf16);
    auto const before = *shape.file_parameters;
    add_stored(read_gguf_part("y.gguf", more.text(), large_file).value(), shape);
    EXPECT_EQ(*shape.file_parameters, before + 1024 * 1024);
}

TEST(GgufHeader, that_goes_on_behind_the_head_asks_for_more) {
    auto const text = gguf_of(model_file("llama-3.2-1b").at("config"), bf16).text();
    for (std::size_t size : {5U, 24U, 100U, 5000U})
        EXPECT_EQ(read_gguf("x", text.substr(0, size), large_file, plan_data()), std::nullopt);
}

std::string refusal(std::string const& text, std::uint64_t file_bytes = large_file) {
    try {
        (void)read_gguf("x.gguf", text, file_bytes, plan_data());
        return "accepted";
    } catch (Error const& error) {
        return error.what();
    }
}

TEST(GgufHeader, that_lies_is_refused_with_clear_words) {
    auto const good = gguf_of(model_file("llama-3.2-1b").at("config"), bf16);
    EXPECT_THAT(refusal("GGML" + good.text().substr(4)), HasSubstr("no GGUF file"));
    EXPECT_THAT(refusal(good.text(1)), HasSubstr("version 1"));
    EXPECT_THAT(refusal(good.text(), 1000), HasSubstr("cut off"));
    auto const cut = good.text().substr(0, 300);
    EXPECT_THAT(refusal(cut, cut.size()), HasSubstr("cut off"));
    auto many = good;
    many.tensor_count = std::uint64_t{1} << 60;
    EXPECT_THAT(refusal(many.text()), HasSubstr("tensors"));
    auto large = good;
    large.add(Tensor{"x", {std::uint64_t{1} << 40, std::uint64_t{1} << 40}}, f32);
    EXPECT_THAT(refusal(large.text()), HasSubstr("larger than any memory"));
    auto deep = good;
    deep.add(Tensor{"x", {1, 1, 1, 1, 1}}, f32);
    EXPECT_THAT(refusal(deep.text()), HasSubstr("5 dimensions"));
    auto odd = good;
    odd.add(Tensor{"x", {100, 2}}, q4_k);
    EXPECT_THAT(refusal(odd.text()), HasSubstr("whole number of its blocks"));
    auto unknown = good;
    unknown.add(Tensor{"x", {1}}, 77);
    EXPECT_THAT(refusal(unknown.text()), HasSubstr("type 77"));
    auto layers = good;
    layers.add("llama.block_count", 100'000U);
    EXPECT_THAT(refusal(layers.text()), HasSubstr("which no model has"));
    Gguf nothing;
    EXPECT_THAT(refusal(nothing.text()), HasSubstr("general.architecture"));
    nothing.add("general.architecture", std::string("llama"));
    EXPECT_THAT(refusal(nothing.text()), HasSubstr("lacks llama.block_count"));
    Gguf list;
    list.entries = gguf_text("x") + bytes(std::uint32_t{9}) + bytes(std::uint32_t{9}) +
                   bytes(std::uint64_t{1});
    list.entry_count = 1;
    EXPECT_THAT(refusal(list.text()), HasSubstr("a list of lists"));
    EXPECT_THAT(refusal(good.text(3U << 24)), HasSubstr("of the other byte order"));
    auto none = good;
    none.add("llama.block_count", 0U);
    EXPECT_THAT(refusal(none.text()), HasSubstr("llama.block_count is 0, which no model has"));
}

// ---- safetensors --------------------------------------------------------------------------------

json safetensors_of(json const& config, std::uint64_t& end) {
    json header = {{"__metadata__", {{"format", "pt"}}}};
    end = 0;
    for (auto const& tensor : tensors_of(config)) {
        std::uint64_t elements = 1;
        for (auto const size : tensor.sizes) elements *= size;
        header[tensor.name] = {{"dtype", "BF16"},
                               {"shape", tensor.sizes},
                               {"data_offsets", {end, end + 2 * elements}}};
        end += 2 * elements;
    }
    return header;
}

TEST(SafetensorsHeader, of_published_models_has_their_parameters) {
    for (auto const& name : like_llama()) {
        auto const file = model_file(name);
        std::uint64_t end = 0;
        auto const header = safetensors_of(file.at("config"), end).dump();
        auto const stored = read_safetensors("x.safetensors", header, end);
        EXPECT_EQ(stored.parameters, file.at("published_parameters").get<std::uint64_t>()) << name;
        EXPECT_EQ(stored.bytes, end) << name;
        EXPECT_FALSE(stored.is_packed);
    }
}

std::string wrong_tensor(json const& tensor, std::uint64_t data_bytes = 1000) {
    try {
        (void)read_safetensors("x", json{{"t", tensor}}.dump(), data_bytes);
        return "accepted";
    } catch (Error const& error) {
        return error.what();
    }
}

json tensor(char const* type, json shape, json places) {
    return {{"dtype", type}, {"shape", std::move(shape)}, {"data_offsets", std::move(places)}};
}

TEST(SafetensorsHeader, that_lies_is_refused_with_clear_words) {
    EXPECT_EQ(wrong_tensor(tensor("F32", {5, 5}, {0, 100})), "accepted");
    EXPECT_THAT(wrong_tensor(tensor("F32", {5, 5}, {0, 99})), HasSubstr("does not take"));
    EXPECT_THAT(wrong_tensor(tensor("F99", {5}, {0, 20})), HasSubstr("no type"));
    EXPECT_NE(wrong_tensor(tensor("F32", {5, 5}, {950, 1050})), "accepted");
    EXPECT_NE(wrong_tensor(tensor("F32", {5}, {20, 0})), "accepted");
    EXPECT_NE(wrong_tensor(tensor("F32", {5}, {0})), "accepted");
    EXPECT_NE(wrong_tensor(tensor("F32", {-5}, {0, 20})), "accepted");
    EXPECT_THAT(wrong_tensor(tensor("F32", {1'000'000'000'000, 1'000'000'000'000}, {0, 20})),
                HasSubstr("larger than any memory"));
    EXPECT_NE(wrong_tensor(json::array()), "accepted");
    EXPECT_NE(wrong_tensor({{"dtype", "F32"}}), "accepted");
    EXPECT_THROW((void)read_safetensors("x", "{\"a\": ", 10), Error);
}

TEST(SafetensorsHeader, whose_tensors_overlap_is_refused) {
    json const two = {{"a", tensor("F32", {5}, {0, 20})}, {"b", tensor("F32", {5}, {0, 20})}};
    try {
        (void)read_safetensors("x", two.dump(), 20);
        FAIL() << "it was taken";
    } catch (Error const& error) {
        EXPECT_THAT(error.what(), HasSubstr("or they overlap"));
    }
}

TEST(SafetensorsHeader, has_a_length_that_the_file_can_hold) {
    EXPECT_EQ(safetensors_header_bytes("x", bytes(std::uint64_t{100}), 1000), 100U);
    for (auto const size : {std::uint64_t{0}, std::uint64_t{993}, std::uint64_t{1} << 60})
        EXPECT_THROW((void)safetensors_header_bytes("x", bytes(size), 1000), Error) << size;
    EXPECT_THROW((void)safetensors_header_bytes("x", "GGUF", 4), Error);
}

TEST(SafetensorsHeader, of_packed_numbers_counts_bytes_and_no_parameters) {
    auto shape = model_named("llama-3-8b");
    auto const before = parameters_of(shape);
    take_stored({.parameters = 10, .bytes = 5'000'000'000, .is_packed = true}, shape);
    EXPECT_EQ(parameters_of(shape), before);
    EXPECT_EQ(shape.file_bytes, 5'000'000'000U);
}

}  // namespace
}  // namespace rocmtune::test
