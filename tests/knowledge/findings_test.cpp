// SPDX-License-Identifier: MIT
// Files of kinds of findings: what they say, and what is refused.
#include "knowledge/findings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace rocmtune {
namespace {

std::string kind(std::string const& id, std::string const& action = "reset",
                 std::string const& sources = R"([{"title": "T", "url": "https://a"}])") {
    return R"({"id": ")" + id + R"(", "title": "t", "meaning": "m", "action": ")" + action +
           R"(", "next_step": "n", "sources": )" + sources + "}";
}

std::string file_of(std::string const& kinds) {
    return R"({"schema_version": "1.0", "findings": [)" + kinds + "]}";
}

TEST(Findings, a_kind_has_what_its_file_says) {
    auto const found =
        parse_finding_kinds("f.json", file_of(kind("RT1001") + "," + kind("RT2001")));
    ASSERT_EQ(found.kinds.size(), 2u);
    auto const& one = found.kinds.front();
    EXPECT_EQ(one.id, "RT1001");
    EXPECT_EQ(one.action, Action::reset);
    EXPECT_EQ(one.next_step, "n");
    ASSERT_EQ(one.sources.size(), 1u);
    EXPECT_EQ(one.sources.front().url, "https://a");
    EXPECT_EQ(one.sources.front().version, "");
}

TEST(Findings, the_embedded_file_is_read_once) {
    EXPECT_EQ(all_finding_kinds().data(), all_finding_kinds().data());
    EXPECT_GT(all_finding_kinds().size(), 100u);
}

struct Wrong {
    std::string kinds, pointer, message;
};

class AWrongFileOfFindings : public testing::TestWithParam<Wrong> {};

TEST_P(AWrongFileOfFindings, is_refused_with_its_pointer) {
    try {
        parse_finding_kinds("f.json", file_of(GetParam().kinds));
        ADD_FAILURE() << GetParam().kinds;
    } catch (ProfileError const& error) {
        EXPECT_EQ(error.file(), "f.json");
        EXPECT_EQ(error.pointer(), GetParam().pointer) << error.what();
        EXPECT_THAT(error.what(), testing::HasSubstr(GetParam().message));
    }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, AWrongFileOfFindings,
    testing::Values(Wrong{"", "/findings", "no finding"}, Wrong{"{}", "/findings/0", "\"id\""},
                    Wrong{kind("RT9001"), "/findings/0/id", "the first of them 1 to 7"},
                    Wrong{kind("RT10001"), "/findings/0/id", "RT and four digits"},
                    Wrong{kind("RT1001", "pray"), "/findings/0/action", "expected one of none"},
                    Wrong{kind("RT1001", "none", "[]"), "/findings/0/sources", "needs a source"},
                    Wrong{kind("RT1001", "none", R"([{"title": "T", "link": "l"}])"),
                          "/findings/0/sources/0/link", "unknown key"},
                    Wrong{kind("RT1002") + "," + kind("RT1001"), "/findings/1/id",
                          "in their order"},
                    Wrong{kind("RT1002") + "," + kind("RT1002"), "/findings/1/id", "each once"}));

}  // namespace
}  // namespace rocmtune
