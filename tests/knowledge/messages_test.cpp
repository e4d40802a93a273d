// SPDX-License-Identifier: MIT
// Classes of kernel messages: what their file may hold, and which lines they take.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "codec/json_node.hpp"
#include "knowledge/findings.hpp"
#include "knowledge/messages.hpp"

namespace rocmtune::test {
namespace {

std::string file_with(std::string const& classes) {
    return R"({"$schema": "x", "schema_version": "1.0", "classes": [)" + classes + "]}";
}

std::string one_class(std::string const& id, std::string const& more = {},
                      std::string const& wording = "ring * timeout, signaled seq=") {
    return fmt::format(R"({{"id": "{}", "name": "n{}", "component": "amdgpu", "says": "It is so.",
        "finding": "RT3601", "verdict": "fail", "wordings": ["{}"], {}
        "sources": [{{"file": "a.c", "release": "v6.1"}}]}})",
                       id, id, wording, more);
}

std::string refusal_of(std::string const& classes) {
    try {
        (void)parse_message_classes("m.json", file_with(classes));
    } catch (ProfileError const& error) {
        return error.what();
    }
    return "taken";
}

TEST(Messages, a_class_is_read_whole) {
    auto const classes = parse_message_classes(
        "m.json",
        file_with(one_class("RT8001",
                            R"("verdict_elsewhere": "warn", "when_ended": "info", "of": "address",
                               "permanent": true, "ended_by": ["RT8001"], "not": ["soft"],
                               "next_step": "look at {gpu}", "action": "reset",)")));
    ASSERT_EQ(classes.size(), 1U);
    auto const& kind = classes[0];
    EXPECT_EQ(kind.verdict, Verdict::fail);
    EXPECT_EQ(kind.verdict_elsewhere, Verdict::warn);
    EXPECT_EQ(kind.when_ended, Verdict::info);
    EXPECT_EQ(kind.of, MessageOf::address);
    EXPECT_TRUE(kind.permanent);
    EXPECT_EQ(kind.action, Action::reset);
    EXPECT_EQ(kind.excluded, (std::vector<std::string>{"soft"}));
    EXPECT_EQ(kind.sources[0].title, "Linux, a.c");
}

TEST(Messages, what_cannot_be_meant_is_refused) {
    EXPECT_EQ(refusal_of(one_class("RT8001")), "taken");
    EXPECT_NE(refusal_of(one_class("RT8002") + "," + one_class("RT8001")).find("in their order"),
              std::string::npos);
    EXPECT_NE(refusal_of(one_class("RT8001", R"("ended_by": ["RT8009"],)")).find("not there"),
              std::string::npos);
    EXPECT_NE(refusal_of(one_class("RT8001", {}, "short*bits#of it")).find("8 literal bytes"),
              std::string::npos);
    EXPECT_NE(refusal_of(one_class("RT8001", R"("wrong": 1,)")), "taken");
    EXPECT_NE(refusal_of(R"({"id": "RT8001"})"), "taken");
}

TEST(Messages, every_class_of_the_program_is_complete) {
    for (auto const& kind : message_classes()) {
        SCOPED_TRACE(kind.id);
        EXPECT_TRUE(kind.id.starts_with("RT8") && kind.id.size() == 6);
        EXPECT_TRUE(kind.says.ends_with('.'));
        EXPECT_TRUE(kind.finding.empty() || find_finding_kind(kind.finding) != nullptr);
        EXPECT_EQ(find_message_class(kind.id), &kind);
        for (auto const& other : message_classes())
            EXPECT_TRUE(&other == &kind || other.name != kind.name) << other.id;
    }
    EXPECT_EQ(find_message_class("RT8999"), nullptr);
}

TEST(MessageMatcher, a_wording_of_the_program_matches_itself) {
    MessageMatcher const matcher(message_classes());
    for (auto const& kind : message_classes())
        for (auto const& wording : kind.wordings) {
            std::string line = "amdgpu 0000:03:00.0: amdgpu: ";
            for (char const c : wording)
                line += c == '*' ? std::string("x") : c == '#' ? "12" : std::string(1, c);
            auto const* const found = matcher.match(line);
            ASSERT_NE(found, nullptr) << line;
            EXPECT_EQ(found->id, kind.id) << line << " is also " << found->name;
        }
}

TEST(MessageMatcher, stars_and_numbers_stand_for_what_they_say) {
    EXPECT_TRUE(has_wording("amdgpu: ring gfx_0.0.0 timeout, signaled seq=1",
                            "ring * timeout, signaled seq="));
    EXPECT_FALSE(has_wording("amdgpu: ring gfx timeout", "ring * timeout, signaled seq="));
    EXPECT_TRUE(has_wording("die: 0 5 uncorrectable errors in umc block",
                            "# uncorrectable errors in * block"));
    EXPECT_FALSE(has_wording("die: 0 0 uncorrectable errors", "# uncorrectable errors"));
    EXPECT_TRUE(has_wording("die: 0 10 uncorrectable errors", "# uncorrectable errors"));
    EXPECT_TRUE(has_wording("ret = 0x80", "ret = #"));
    EXPECT_FALSE(has_wording("ret = 0x00", "ret = #"));
    EXPECT_FALSE(has_wording("ret = -62", "ret = #"));
    EXPECT_TRUE(has_wording("a b a c", "a * c"));
    EXPECT_TRUE(has_wording("x=0 x=3", "x=#"));
    EXPECT_TRUE(has_wording("", "*"));
}

TEST(MessageMatcher, the_wording_that_says_most_wins) {
    auto const classes = parse_message_classes(
        "m.json", file_with(one_class("RT8001", {}, "ring * timeout, ") + "," +
                            one_class("RT8002", {}, "ring * timeout, but soft recovered")));
    MessageMatcher const better(classes);
    EXPECT_EQ(better.match("amdgpu: ring sdma0 timeout, signaled seq=3")->id, "RT8001");
    EXPECT_EQ(better.match("amdgpu: ring sdma0 timeout, but soft recovered")->id, "RT8002");
    EXPECT_EQ(better.match("short"), nullptr);
    EXPECT_EQ(better.match(""), nullptr);
}

TEST(MessageMatcher, what_is_excluded_is_not_of_the_class) {
    auto const classes = parse_message_classes(
        "m.json",
        file_with(one_class("RT8001", R"("not": ["but soft recovered"],)", "ring * timeout, ")));
    MessageMatcher const matcher(classes);
    EXPECT_NE(matcher.match("ring gfx timeout, signaled"), nullptr);
    EXPECT_EQ(matcher.match("ring gfx timeout, but soft recovered"), nullptr);
}

}  // namespace
}  // namespace rocmtune::test
