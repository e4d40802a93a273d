// SPDX-License-Identifier: MIT
// What others published, and what the same plan says: each case holds its tolerance, the data
// states errors that are no less than these, and the table of bench/self/README.md is this one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include "judge/plan/setup.hpp"
#include "plan/models.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;

ModelShape model_of(std::string const& name) {
    if (name == "7.5B") return assumed_shape(7'500'000'000, plan_data());
    if (name == "1T") return assumed_shape(1'000'000'000'000, plan_data());
    return model_named(name);
}

PlanWish wish_of(json const& plan) {
    PlanWish wish;
    auto const text = [&](char const* key) -> std::optional<std::string> {
        if (!plan.contains(key)) return std::nullopt;
        return plan.at(key).get<std::string>();
    };
    auto const number = [&](char const* key) -> std::optional<std::uint64_t> {
        if (!plan.contains(key)) return std::nullopt;
        return plan.at(key).get<std::uint64_t>();
    };
    wish.inference = plan.value("inference", false);
    wish.recompute = text("checkpointing") == "full";
    wish.chunked_loss = text("loss") == "chunked";
    wish.splits_sequence = plan.value("sequence_parallel", false);
    wish.dtype = text("dtype");
    wish.shard = text("shard");
    wish.attention = text("attention");
    wish.base_dtype = text("base_dtype");
    wish.lora_rank = number("lora");
    wish.gpus = number("gpus");
    wish.batch = number("batch");
    wish.sequence = number("sequence");
    wish.tensor = number("tensor");
    wish.pipeline = number("pipeline");
    return wish;
}

double unit_of(json const& one) {
    std::map<std::string, double> const units{{"GB", 1e9}, {"GiB", 0x1p30}, {"MiB", 0x1p20}};
    return units.at(one.at("unit").get<std::string>());
}

/// In the unit of the source.
double ours(json const& one) {
    auto const shape = model_of(one.at("model"));
    auto const setup = setup_of(wish_of(one.at("plan")), 1, shape, plan_data());
    auto const parts = one.at("parts").get<std::vector<std::string>>();
    double sum = 0;
    for (auto const& part : setup.parts())
        if (parts.empty() || std::find(parts.begin(), parts.end(), part.name) != parts.end())
            sum += part.bytes;
    return sum / unit_of(one);
}

double error_percent(json const& one) {
    return 100 * (ours(one) / one.at("published").get<double>() - 1);
}

std::vector<json> published_cases() {
    auto const document = json::parse(text_of_file(plan_folder + "/published_cases.json"));
    return document.at("cases").get<std::vector<json>>();
}

std::string table_row(json const& one) {
    auto const unit = one.at("unit").get<std::string>();
    return fmt::format("| [{}]({}) | {:.4g} {} | {:.4g} {} | {:+.1f} % |",
                       one.at("name").get<std::string>(), one.at("source").get<std::string>(),
                       one.at("published").get<double>(), unit, ours(one), unit,
                       error_percent(one));
}

TEST(Published, cases_hold_their_tolerance) {
    auto const cases = published_cases();
    ASSERT_GE(cases.size(), 30U);
    for (auto const& one : cases)
        EXPECT_LE(std::abs(error_percent(one)), one.at("tolerance_percent").get<double>())
            << table_row(one);
}

/// What plan prints as its error is the largest of the measured cases.
TEST(Published, errors_are_what_the_data_says) {
    std::map<std::string, double> largest;
    for (auto const& one : published_cases()) {
        auto& most = largest[one.at("kind").get<std::string>()];
        most = std::max(most, std::abs(error_percent(one)));
    }
    auto const& said = plan_data().accuracy;
    for (auto const& [kind, percent] :
         {std::pair("weights", said.weights_percent), std::pair("cache", said.cache_percent),
          std::pair("inference", said.inference_percent),
          std::pair("training", said.training_percent)}) {
        EXPECT_GE(percent, largest.at(kind)) << kind;
        EXPECT_LT(percent, largest.at(kind) + 1) << kind;
    }
    EXPECT_LT(largest.at("formula"), 1) << "a formula of the source is ours, too";
}

TEST(Published, cases_are_the_table_of_the_documentation) {
    auto const page = text_of_file(ROCMTUNE_SOURCE_DIR "/bench/self/README.md");
    for (auto const& one : published_cases()) EXPECT_THAT(page, testing::HasSubstr(table_row(one)));
}

/// ROCMTUNE_PRINT_CASES=1 writes that table.
TEST(Published, cases_can_be_printed) {
    if (std::getenv("ROCMTUNE_PRINT_CASES") == nullptr) GTEST_SKIP() << "nobody asked";
    for (auto const& one : published_cases()) fmt::print("{}\n", table_row(one));
}

ModelShape gpt_of(std::uint64_t heads, std::uint64_t hidden) {
    ModelShape gpt;
    gpt.family = *std::find_if(
        plan_data().families.begin(), plan_data().families.end(),
        [](PlanFamily const& family) { return family.model_types.front() == "gpt2"; });
    gpt.hidden = hidden;
    gpt.heads = gpt.kv_heads = heads;
    gpt.head_size = hidden / heads;
    gpt.intermediate = 4 * hidden;
    return gpt;
}

/// Korthikanti et al., table 2, for GPT-3 (175B), whose 5 a s / h is 80, and MT-NLG (530B), of
/// which it is 64: bytes of a layer for a token in units of h. Selective recomputation keeps no
/// scores, as flash attention does.
TEST(Published, activations_of_gpt_are_those_of_the_paper) {
    rocmtune::Setup setup;
    setup.precision = find_named(plan_data().precisions, "fp16");
    setup.sequence = 2048;
    for (auto const& [heads, hidden, scores] :
         {std::tuple(96U, 12288U, 80.0), std::tuple(128U, 20480U, 64.0)}) {
        auto const gpt = gpt_of(heads, hidden);
        auto const in_units_of_h = [&](bool flash, std::uint64_t tensor, bool splits_sequence) {
            setup.flash = flash;
            setup.tensor = tensor;
            setup.splits_sequence = splits_sequence;
            return activation_bytes_per_token(gpt, setup) / hidden;
        };
        EXPECT_DOUBLE_EQ(in_units_of_h(false, 1, false), 34 + scores);
        EXPECT_DOUBLE_EQ(in_units_of_h(false, 8, false), 10 + 24.0 / 8 + scores / 8);
        EXPECT_DOUBLE_EQ(in_units_of_h(false, 8, true), 34.0 / 8 + scores / 8);
        EXPECT_DOUBLE_EQ(in_units_of_h(true, 8, false), 10 + 24.0 / 8);
        EXPECT_DOUBLE_EQ(in_units_of_h(true, 8, true), 34.0 / 8);
        EXPECT_DOUBLE_EQ(in_units_of_h(true, 1, false), 34);
    }
}

/// Section 4.2.3 there: the first stage keeps as many batches as there are stages, which is what
/// all layers keep of one; full recomputation keeps 2 h of a layer.
TEST(Published, the_first_stage_keeps_what_all_layers_keep_of_one_batch) {
    auto gpt = gpt_of(96, 12288);
    gpt.layers = 96;
    gpt.vocabulary = 51200;
    gpt.tied = true;
    auto const of_layers = [&](std::uint64_t pipeline, bool recompute) {
        auto const setup = setup_of({.recompute = recompute,
                                     .splits_sequence = true,
                                     .sequence = 2048,
                                     .tensor = 8,
                                     .pipeline = pipeline},
                                    1, gpt, plan_data());
        for (auto const& part : setup.parts())
            if (part.name == "activations") return part.bytes;
        return 0.0;
    };
    auto const h = 2048 * 12288.0;  // numbers in the stream
    auto const input = 2 * h / 8;
    EXPECT_DOUBLE_EQ(of_layers(1, false), h * 96 * 34 / 8 + input);
    for (std::uint64_t const stages : {8U, 16U, 32U})
        EXPECT_DOUBLE_EQ(of_layers(stages, false),
                         h * 96 * 34 / 8 + static_cast<double>(stages) * input);
    EXPECT_DOUBLE_EQ(of_layers(8, true), h * 96 * 2 / 8 + 8 * input + h * 34 / 8);
}

}  // namespace
}  // namespace rocmtune::test
