// SPDX-License-Identifier: MIT
// Conditions: what is refused, with its place, and the arrays that good ones become.
#include "knowledge/condition_parser.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "rocmtune/host.hpp"
#include "support/conditions.hpp"

namespace rocmtune::test {
namespace {

struct Wrong {
    std::string text, pointer, message;
};

void PrintTo(Wrong const& wrong, std::ostream* out) {
    *out << wrong.text.substr(0, 200);
}

class AWrongCondition : public testing::TestWithParam<Wrong> {};

TEST_P(AWrongCondition, is_refused_with_its_place) {
    try {
        ParsedCondition const condition(GetParam().text);
        ADD_FAILURE() << "accepted";
    } catch (ProfileError const& error) {
        EXPECT_EQ(error.pointer(), GetParam().pointer);
        EXPECT_NE(std::string(error.what()).find(GetParam().message), std::string::npos)
            << error.what();
    }
}

INSTANTIATE_TEST_SUITE_P(
    Conditions, AWrongCondition,
    testing::Values(
        Wrong{"[]", "", "expected an object"}, Wrong{"{}", "", "one of all, any"},
        Wrong{R"({"all": {}})", "/all", "expected an array"},
        Wrong{R"({"all": [], "any": []})", "/any", "unknown key"},
        Wrong{R"({"not": []})", "/not", "expected an object"},
        Wrong{R"({"any": [{"all": [{"field": "gfx", "is": "x"}]}]})", "/any/0/all/0/field",
              "neither a GPU nor a host"},
        Wrong{R"({"field": "gfx_target"})", "", "comparison is missing"},
        Wrong{R"({"field": "gfx_target", "equals": "x"})", "/equals", "unknown key"},
        Wrong{R"({"field": "gfx_target", "is": 942})", "/is", "expected a string"},
        Wrong{R"({"field": "gfx_target", "in": []})", "/in", "at least one"},
        Wrong{R"({"field": "gfx_target", "contains": "x"})", "/contains", "only the comparisons"},
        Wrong{R"({"field": "compute_units", "at_least": "many"})", "/at_least", "whole number"},
        Wrong{R"({"field": "compute_units", "starts_with": "3"})", "/starts_with", "only the comp"},
        Wrong{R"({"field": "is_apu", "is": "true"})", "/is", "true or false"},
        Wrong{R"({"field": "kernel_release", "below": "new"})", "/below", "a version"},
        Wrong{R"({"field": "firmware", "present": true})", "", "name an \"entry\""},
        Wrong{R"({"field": "gfx_target", "entry": "x", "present": true})", "", "no entries"},
        Wrong{R"({"field": "kfd_nodes", "is": 1})", "/is", "only the comparisons"},
        Wrong{R"({"package": "torch"})", "", "comparison is missing"},
        Wrong{R"({"package": "torch", "at_least": "latest"})", "/at_least", "a version"},
        Wrong{R"({"package": "torch", "is": "2.5"})", "/is", "unknown key"},
        Wrong{R"({"version": "kernel", "at_least": "6"})", "/version", "rocm or hip"},
        Wrong{R"({"installed": "rccl"})", "/installed", "librccl"},
        Wrong{R"({"installed": "librccl", "present": true})", "/present", "unknown key"},
        Wrong{R"({"count": "gpus"})", "", "comparison is missing"},
        Wrong{R"({"count": "hostname", "is": 1})", "/count", "a list of the host"},
        Wrong{R"({"count": "clocks", "is": 1})", "/count", "a list of the host"},
        Wrong{R"({"count": "rdma_devices", "where": {"all": []}, "is": 1})", "/where", "only GPUs"},
        Wrong{R"({"count": "gpus", "at_least": -1})", "/at_least", "whole number"}));

TEST(ConditionParser, refuses_more_parts_than_the_limit) {
    std::string list;
    for (int i = 0; i < 200; ++i) list += std::string(i ? "," : "") + R"({"all": []})";
    EXPECT_THROW(ParsedCondition("{\"any\": [" + list + "]}"), ProfileError);
}

TEST(ConditionParser, writes_parents_before_children_with_the_size_of_each_subtree) {
    ParsedCondition const condition(R"({"all": [
        {"not": {"field": "gfx_target", "is": "gfx900"}},
        {"package": "torch", "at_least": "2.4", "below": "2.6"},
        {"count": "gpus", "where": {"field": "is_apu", "is": false}, "at_least": 2}]})");
    std::vector<std::uint32_t> sizes;
    for (auto const& node : condition.nodes()) sizes.push_back(node.size);
    EXPECT_EQ(sizes, (std::vector<std::uint32_t>{8, 2, 1, 3, 1, 1, 2, 1}));
    EXPECT_EQ(condition.nodes()[3].kind, ConditionKind::all);
    EXPECT_EQ(condition.nodes()[6].kind, ConditionKind::count);
}

TEST(ConditionParser, knows_whether_a_GPU_is_asked_about) {
    EXPECT_TRUE(asks_about_gpu(ParsedCondition(R"({"not": {"field": "is_apu", "is": true}})")));
    EXPECT_FALSE(asks_about_gpu(ParsedCondition(R"({"field": "cpu_threads", "is": 4})")));
    EXPECT_FALSE(asks_about_gpu(ParsedCondition(
        R"({"count": "gpus", "where": {"field": "is_apu", "is": true}, "is": 1})")));
}

/// The words of conditions are the keys of visit_fields; none may mean both a GPU's and a host's.
TEST(FieldWords, are_the_facts_of_GPU_and_host_and_each_has_one_meaning) {
    std::set<std::string_view> keys;
    std::size_t total = 0;
    auto const check = [&](bool of_gpu) {
        return [&, of_gpu]<class T>(Field const& field, Fact<T> const&) {
            auto const word = find_field(field.key);
            ASSERT_TRUE(word.has_value()) << field.key;
            EXPECT_EQ(word->of_gpu, of_gpu) << field.key;
            keys.insert(field.key);
            ++total;
        };
    };
    Gpu const gpu;
    Host const host;
    visit_fields(gpu, check(true));
    visit_fields(host, check(false));
    EXPECT_EQ(keys.size(), total);
    EXPECT_GT(total, 100U);
    EXPECT_EQ(find_field("gpus"), std::nullopt);
}

}  // namespace
}  // namespace rocmtune::test
