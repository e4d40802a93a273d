// SPDX-License-Identifier: MIT
#include "codec/json_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace rocmtune {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

template <class Json>
std::string json_problem(std::string_view text) {
    Json document;
    return parse_json(text, document);
}

TEST(JsonMistake, a_document_that_is_right_has_none) {
    EXPECT_EQ(json_problem<json>(R"({"a": [1, 2]})"), "");
}

TEST(JsonMistake, says_place_and_cause) {
    auto const problem = json_problem<json>("{\"a\": 1,\n \"b\": 2,,\n}");
    EXPECT_THAT(problem, HasSubstr("line 2, column 9"));
    EXPECT_THAT(problem, HasSubstr("unexpected ','; expected string literal"));
    EXPECT_THAT(problem, Not(HasSubstr("json.exception")));
}

TEST(JsonMistake, quotes_nothing_of_the_file) {
    EXPECT_THAT(json_problem<json>("root:x:0:0"), Not(HasSubstr("root")));
    EXPECT_THAT(json_problem<json>("[truly]"), Not(HasSubstr("tru")));
}

TEST(JsonMistake, the_cause_alone_has_neither_place_nor_grammar) {
    EXPECT_EQ(json_mistake("[json.exception.parse_error.101] parse error at line 1, column 2: "
                           "syntax error while parsing value - invalid literal; last read: 'x'"),
              "invalid literal");
    EXPECT_EQ(json_mistake("[json.exception.out_of_range.406] number overflow parsing '1e999'"),
              "number overflow");
    EXPECT_EQ(json_mistake(""), "");
}

}  // namespace
}  // namespace rocmtune
