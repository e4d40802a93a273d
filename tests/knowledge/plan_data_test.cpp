// SPDX-License-Identifier: MIT
// plan.json, the built-in one and those of users.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "codec/json_node.hpp"
#include "knowledge/embedded.hpp"
#include "knowledge/plan_data.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json built_in() {
    return json::parse(embedded_file("plan.json").value());
}

TEST(PlanData, of_the_program_is_read) {
    auto const data = parse_plan_data("plan.json", embedded_file("plan.json").value());
    EXPECT_GE(data.families.size(), 15U);
    EXPECT_NE(find_named(data.weight_formats, "q4_k_m"), nullptr);
    EXPECT_EQ(find_named(data.weight_formats, "q4_k_x"), nullptr);
    EXPECT_EQ(find_named(data.precisions, "bf16")->master_bytes, 4);
}

/// The formulas name these; a part whose source is gone would print none.
TEST(PlanData, of_the_program_has_the_sources_that_formulas_name) {
    auto const data = parse_plan_data("plan.json", embedded_file("plan.json").value());
    for (auto const* id : {"zero", "lora", "activations", "flash-attention", "mla", "pipeline"})
        EXPECT_TRUE(data.sources.contains(id)) << id;
    for (auto const& [id, source] : data.sources) EXPECT_TRUE(source.url.has_value()) << id;
}

/// The first one decides where config.json says the same of two.
TEST(PlanData, of_the_program_names_each_model_type_and_method_once) {
    auto const data = parse_plan_data("plan.json", embedded_file("plan.json").value());
    std::map<std::string, int> seen;
    for (auto const& family : data.families)
        for (auto const& type : family.model_types) EXPECT_EQ(++seen[type], 1) << type;
    for (auto const& format : data.weight_formats)
        for (auto const& method : format.methods) EXPECT_EQ(++seen[method], 1) << method;
}

struct Wrong {
    char const* name;
    char const* pointer;
    json value;
    char const* says;
};

void PrintTo(Wrong const& row, std::ostream* out) {
    *out << row.name;
}

Wrong const wrongs[] = {
    {"version", "/schema_version", "2.0", "/schema_version: this program reads plans of version 1"},
    {"unknown_key", "/weight_formats/0/bit", 5, "/weight_formats/0/bit: unknown key"},
    {"name_twice", "/weight_formats/1/name", "fp32", "/weight_formats/1/name: stands twice"},
    {"unknown_source", "/optimizers/0/sources/0", "x", "/optimizers/0/sources/0: there is no such"},
    {"no_source", "/optimizers/0/sources", json::array(), "a number needs a source"},
    {"unknown_engine", "/weight_formats/0/engine", "x", "/engine: there is no such engine"},
    {"below_zero", "/precisions/0/weight_bytes", -1, "expected a number from 0"},
    {"a_text", "/precisions/0/weight_bytes", "2", "expected a number from 0"},
    {"no_engine", "/engines", json::array(), "/engines: the list is empty"},
    {"order_of_shapes", "/shapes/1/parameters", 5,
     "/shapes/1/parameters: shapes stand in the order"},
    {"unknown_norm", "/families/0/norm", "x", "expected one of scale, scale-and-shift"},
    {"no_chunks", "/constants/loss_chunks/value", 0, "one part at least"},
};

class WrongPlanData : public testing::TestWithParam<Wrong> {};

TEST_P(WrongPlanData, is_refused_with_its_place) {
    auto document = built_in();
    document[json::json_pointer(GetParam().pointer)] = GetParam().value;
    try {
        (void)parse_plan_data("dir/plan.json", document.dump());
        FAIL() << "it was taken";
    } catch (ProfileError const& error) {
        EXPECT_EQ(error.file(), "dir/plan.json");
        EXPECT_THAT(error.what(), HasSubstr(GetParam().says));
    }
}

INSTANTIATE_TEST_SUITE_P(Texts, WrongPlanData, testing::ValuesIn(wrongs),
                         [](auto const& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace rocmtune::test
