// SPDX-License-Identifier: MIT
#include "codec/json_text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace rocmtune {
namespace {

using nlohmann::json;

std::string nested(std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
}

TEST(BoundedJson, as_deep_as_allowed_is_read) {
    EXPECT_EQ(parse_bounded<json>(nested(64)), json::parse(nested(64)));
    EXPECT_TRUE(parse_bounded<json>(nested(65)).is_discarded());
    EXPECT_EQ(parse_bounded<json>(R"({"a":[{"b":1}]})", 3), json::parse(R"({"a":[{"b":1}]})"));
    EXPECT_TRUE(parse_bounded<json>(R"({"a":[{"b":1}]})", 2).is_discarded());
}

TEST(BoundedJson, objects_count_as_lists_do) {
    std::string text = "1";
    for (int i = 0; i < 65; ++i) text = "{\"a\":" + text + "}";
    EXPECT_TRUE(parse_bounded<json>(text).is_discarded());
    EXPECT_TRUE(parse_bounded<nlohmann::ordered_json>(text).is_discarded());
}

TEST(BoundedJson, what_stands_side_by_side_is_not_deep) {
    std::string text = "[0";
    for (int i = 0; i < 1000; ++i) text += ",[[]],{}";
    EXPECT_EQ(parse_bounded<json>(text + "]", 3).size(), 2001U);
}

TEST(BoundedJson, brackets_in_texts_are_text) {
    auto const text = json{{"[[[", std::string(1000, '[')}, {"\\\"{", "\"[[[\\"}}.dump();
    EXPECT_EQ(parse_bounded<json>(text, 1), json::parse(text));
    EXPECT_TRUE(parse_bounded<json>(R"(["\\",[]])", 1).is_discarded());
    EXPECT_TRUE(parse_bounded<json>(R"(["\"",[]])", 1).is_discarded());
}

TEST(BoundedJson, a_million_levels_end_no_process) {
    for (std::string const start : {"", "[\"\\\"", "{\"a\":", "\"", "\"\\", "]]]]"})
        EXPECT_TRUE(parse_bounded<json>(start + std::string(1'000'000, '[')).is_discarded());
    EXPECT_TRUE(parse_bounded<json>(nested(1'000'000)).is_discarded());
}

TEST(BoundedJson, what_is_no_json_is_discarded) {
    for (std::string const text : {"", "{", "]", "nul", "\xff", "[1,]", "\"a", "\"\\"})
        EXPECT_TRUE(parse_bounded<json>(text).is_discarded()) << text;
}

}  // namespace
}  // namespace rocmtune
