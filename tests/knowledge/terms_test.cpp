// SPDX-License-Identifier: MIT
#include "knowledge/terms.hpp"

#include <gtest/gtest.h>

#include "codec/json_node.hpp"

namespace rocmtune {
namespace {

TEST(Terms, are_found_by_name_alias_and_in_any_case) {
    auto const* const term = find_term("ttm.pages_limit");
    ASSERT_NE(term, nullptr);
    EXPECT_EQ(term->kind, "module-parameter");
    EXPECT_EQ(find_term("TTM.Pages_Limit"), term);
    EXPECT_EQ(find_term("no such term"), nullptr);
    auto const* const never = find_term("amdgpu.gtt_size");
    ASSERT_NE(never, nullptr);
    EXPECT_EQ(never->status, "never-existed");
}

TEST(Terms, each_have_a_source_and_a_sentence) {
    EXPECT_GE(all_terms().size(), 190U);
    for (auto const& term : all_terms()) {
        EXPECT_FALSE(term.sources.empty()) << term.name;
        EXPECT_TRUE(term.summary.ends_with('.')) << term.name;
    }
}

TEST(Terms, of_a_file_with_a_mistake_are_refused_with_its_place) {
    EXPECT_THROW(parse_terms("t.json", R"({"schema_version": "1.0", "date": "2026-11-01",
        "terms": [{"name": "a", "kind": "riddle"}]})"),
                 ProfileError);
}

}  // namespace
}  // namespace rocmtune
