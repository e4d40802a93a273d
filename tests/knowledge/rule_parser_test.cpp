// SPDX-License-Identifier: MIT
// Recommendations of profiles: what is refused, with file and place, and how files override them.
#include "knowledge/profile_parser.hpp"

#include <gtest/gtest.h>

#include "knowledge/chip_builder.hpp"
#include "support/rule_text.hpp"

namespace rocmtune::test {
namespace {

std::string const head = R"("schema_version": "1.0", "sources": ["s"],
    "bibliography": {"s": {"title": "T", "reference": "R"}})";

std::string profile(std::string const& rules, std::string const& more = "") {
    return "{" + head + more + ", \"recommendations\": [" + rules + "]}";
}

struct Wrong {
    std::string text, pointer, message;
};

void PrintTo(Wrong const& wrong, std::ostream* out) {
    *out << wrong.pointer << " " << wrong.message;
}

class AWrongRecommendation : public testing::TestWithParam<Wrong> {};

TEST_P(AWrongRecommendation, is_refused_with_file_and_pointer) {
    try {
        join_profiles({{"dir/common.json", GetParam().text}});
        ADD_FAILURE() << "accepted";
    } catch (ProfileError const& error) {
        EXPECT_EQ(error.file(), "dir/common.json");
        EXPECT_EQ(error.pointer(), GetParam().pointer);
        EXPECT_NE(std::string(error.what()).find(GetParam().message), std::string::npos)
            << error.what();
    }
}

Wrong wrong(std::map<std::string, std::string> const& changes, std::string const& pointer,
            std::string const& message) {
    return {profile(rule(changes)), "/recommendations/0" + pointer, message};
}

INSTANTIATE_TEST_SUITE_P(
    Keys, AWrongRecommendation,
    testing::Values(
        Wrong{profile("1"), "/recommendations/0", "expected an object"},
        Wrong{"{" + head + R"(, "recommendations": {}})", "/recommendations", "expected an array"},
        wrong({{"id", ""}}, "", "\"id\" is missing"),
        wrong({{"why", ""}}, "", "\"why\" is missing"),
        wrong({{"sources", ""}}, "", "\"sources\" is missing"),
        wrong({{"sources", "[]"}}, "/sources", "needs a source"),
        wrong({{"sources", R"(["x"])"}}, "/sources/0", "no bibliography explains"),
        wrong({{"kind", R"("script")"}}, "/kind", "expected one of environment"),
        wrong({{"level", R"("bold")"}}, "/level", "expected one of conservative"),
        wrong({{"priority", "9"}}, "/priority", "unknown key"),
        wrong({{"value", ""}}, "", "one of value, value_from"),
        wrong({{"unless_set", R"(["A", "B]; x"])"}}, "/unless_set/1", "named with letters"),
        wrong({{"value_from", R"("selected-gpus")"}}, "", "one of value, value_from"),
        wrong({{"value", ""}, {"value_from", R"("nobody")"}}, "/value_from", "expected one of"),
        wrong({{"value", "\"a\\nb\""}}, "/value", "control characters"),
        wrong({{"name", R"("A B")"}}, "/name", "letters, digits"),
        wrong({{"name", R"x("$(reboot)")x"}}, "/name", "letters, digits"),
        wrong({{"name", R"("1A")"}}, "/name", "letters, digits"),
        wrong({{"workloads", R"(["mining"])"}}, "/workloads/0", "expected one of none"),
        wrong({{"frameworks", R"(["auto"])"}}, "/frameworks", "names of frameworks"),
        wrong({{"when", R"({"field": "nope", "is": "x"})"}}, "/when/field", "neither a GPU"),
        wrong({{"verify_with", R"("luck")"}}, "/verify_with", "expected one of"),
        wrong({{"confidence", R"("sure")"}}, "/confidence", "expected one of")));

INSTANTIATE_TEST_SUITE_P(
    Validity, AWrongRecommendation,
    testing::Values(
        wrong({{"validity", "{}"}}, "/validity", "\"kind\" is missing"),
        wrong({{"validity", R"({"kind": "known", "since": "6.2"})"}}, "/validity",
              "versions of what"),
        wrong({{"validity", R"({"kind": "known", "of": "rocm", "since": "new"})"}},
              "/validity/since", "a version"),
        wrong({{"validity", R"({"kind": "known", "of": "rocm", "since": "7.0", "until": "6.2"})"}},
              "/validity", "ends before it begins"),
        wrong({{"validity", R"({"kind": "known", "of": "rocm", "since": "7.0", "until": "7.0"})"}},
              "/validity", "ends before it begins"),
        wrong({{"validity", R"({"kind": "observed"})"}}, "/validity", "observed in which")));

TEST(Recommendations, of_one_id_in_one_file_are_refused) {
    try {
        join_profiles({{"common.json", profile(rule() + "," + rule())}});
        ADD_FAILURE() << "accepted";
    } catch (ProfileError const& error) {
        EXPECT_EQ(error.pointer(), "/recommendations/1/id");
    }
}

TEST(Recommendations, of_one_id_in_two_files_are_refused_and_both_are_named) {
    try {
        join_profiles({{"common.json", profile(rule())},
                       {"rdna9.json", profile(rule(), R"(, "extends": "common", "family": "F")")}});
        ADD_FAILURE() << "accepted";
    } catch (ProfileError const& error) {
        EXPECT_EQ(error.file(), "rdna9.json");
        EXPECT_EQ(error.pointer(), "/recommendations/0");
        EXPECT_NE(std::string(error.what()).find("common.json"), std::string::npos);
    }
}

TEST(Recommendations, beyond_the_limit_are_refused) {
    std::string many;
    for (std::size_t i = 0; i <= max_rules; ++i) {
        many += (many.empty() ? "" : ",") + rule({{"id", "\"r" + std::to_string(i) + "\""}});
    }
    EXPECT_THROW(join_profiles({{"common.json", profile(many)}}), ProfileError);
}

TEST(Recommendations, of_a_file_that_adds_to_a_profile_replace_those_of_the_same_id) {
    auto const tables =
        join_profiles({{"common.json", profile(rule() + "," + rule({{"id", R"("other")"}}))},
                       {"/etc/rocmtune/common.json",
                        profile(rule({{"value", R"("2")"}}), R"(, "extends": "common")")}});
    ASSERT_EQ(tables->rules.size(), 2U);
    EXPECT_EQ(tables->rules[0].id, "other");
    EXPECT_EQ(tables->rules[0].file, "common.json");
    EXPECT_TRUE(tables->rules[0].everywhere);
    EXPECT_EQ(tables->rules[1].value, "2");
    EXPECT_EQ(tables->rules[1].file, "/etc/rocmtune/common.json");
    EXPECT_TRUE(tables->rules[1].everywhere);
}

TEST(Recommendations, keep_their_condition_sources_and_reach) {
    auto const tables = join_profiles(
        {{"common.json",
          profile(rule(
              {{"workloads", R"(["training", "llm-training"])"},
               {"frameworks", R"(["vllm"])"},
               {"unless_set", R"(["OTHER"])"},
               {"when", R"({"field": "is_apu", "is": true})"},
               {"validity", R"({"kind": "observed", "of": "torch", "versions": ["2.5"]})"}}))}});
    ASSERT_EQ(tables->rules.size(), 1U);
    auto const& one = tables->rules.front();
    EXPECT_EQ(one.pointer, "/recommendations/0");
    EXPECT_EQ(one.sources.front()->title, "T");
    EXPECT_EQ(one.workloads.size(), 2U);
    EXPECT_EQ(one.frameworks.front(), FrameworkChoice::vllm);
    EXPECT_EQ(one.unless_set.front(), "OTHER");
    EXPECT_TRUE(one.per_gpu);
    EXPECT_EQ(one.validity.versions.front(), "2.5");
}

}  // namespace
}  // namespace rocmtune::test
