// SPDX-License-Identifier: MIT
// Files of known names: what their short form means, and what is refused.
#include "knowledge/known_names.hpp"

#include <gtest/gtest.h>

#include "codec/json_node.hpp"
#include "codec/json_text.hpp"
#include "knowledge/embedded.hpp"

namespace rocmtune {
namespace {

std::string file(std::string const& names, std::string const& more = "") {
    return R"({"schema_version": "1.0", "date": "2026-08-22",
        "sources": [{"title": "T", "reference": "R"}],
        "components": [{"id": "b", "title": "B", "newest": "2026-08-22"}, {"id": "a", "title": "A"}])" +
           more + R"(, "names": {)" + names + "}}";
}

TEST(KnownNames, have_readers_with_default_date_and_absence) {
    auto const names = parse_names("names.json", file(R"(
        "Y": ["runtime", "b", ["a", "x y", null, "2025", "debug-build"]],
        "X": ["build", ["b", "1", "2024-10-22"]], "Z": ["tool", ["b", null, "2024-01", "2024-07"]])"));
    EXPECT_EQ(names.size(), 3u);
    auto const y = names.readers("Y");
    ASSERT_EQ(y.size(), 2u);
    EXPECT_EQ(y[0].name, "Y");
    EXPECT_EQ(y[0].component->title, "B");
    EXPECT_EQ(y[0].scope, "runtime");
    EXPECT_EQ(y[0].default_value, "");
    EXPECT_EQ(y[0].text_date, "2026-08-22") << "the component's newest, as nothing else is said";
    EXPECT_EQ(y[0].absent_by, "");
    EXPECT_EQ(y[1].component->id, "a");
    EXPECT_EQ(y[1].default_value, "x y");
    EXPECT_EQ(y[1].text_date, "") << "null: not known";
    EXPECT_EQ(y[1].absent_by, "2025");
    EXPECT_EQ(y[1].scope, "debug-build");
    EXPECT_EQ(names.readers("X").at(0).text_date, "2024-10-22");
    EXPECT_EQ(names.readers("Z").at(0).absent_by, "2024-07");
    EXPECT_TRUE(names.readers("W").empty());
    EXPECT_TRUE(names.readers("").empty());
    EXPECT_TRUE(names.contains("X"));
    EXPECT_FALSE(names.contains("XX"));
    EXPECT_EQ(names.component("a")->title, "A");
    EXPECT_EQ(names.component("c"), nullptr);
}

TEST(KnownNames, are_listed_in_order) {
    auto const names =
        parse_names("n", file(R"("b": ["tool", "a"], "A": ["tool", "a"], "B": ["tool", "a"])"));
    std::vector<std::string_view> all;
    for (auto const name : names.all()) {
        all.push_back(name);
    }
    EXPECT_EQ(all, (std::vector<std::string_view>{"A", "B", "b"}));
}

TEST(KnownNames, may_be_written_with_escapes_and_white_space) {
    auto text = file(R"( "B\u0041D" : [ "tool" , [ "a", "x \" , ] } \\" ] ] ,"A":["build","b"])");
    text.replace(text.find("names"), 1, R"(\u006e)");
    auto const names = parse_names("n", text);
    ASSERT_EQ(names.size(), 2u);
    EXPECT_EQ(names[0], "A");
    EXPECT_EQ(names[1], "BAD");
    EXPECT_EQ(names.readers("BAD").at(0).default_value, "x \" , ] } \\");
    EXPECT_EQ(names.readers("A").at(0).scope, "build");
}

TEST(KnownNames, of_the_program_pass_every_check_of_a_file) {
    auto const checked = parse_names("names.json", embedded_file("names.json").value());
    auto const embedded = KnownNames::embedded();
    EXPECT_EQ(checked.size(), embedded.size());
    EXPECT_EQ(checked.date(), embedded.date());
    EXPECT_EQ(checked.components().size(), embedded.components().size());
    EXPECT_EQ(checked.families().size(), embedded.families().size());
}

TEST(KnownNames, may_be_none) {
    KnownNames const none;
    EXPECT_EQ(none.size(), 0u);
    EXPECT_TRUE(none.readers("A").empty());
    EXPECT_EQ(none.family("A"), nullptr);
    EXPECT_EQ(none.component("a"), nullptr);
}

TEST(WrittenMembers, are_found_without_being_read) {
    auto const members = written_members(R"({ "a" : [1, {"b": "}"}] , "c\"":"\\","d": 1.5e3
        })");
    ASSERT_EQ(members.size(), 3u);
    EXPECT_EQ(members[0].key, R"("a")");
    EXPECT_EQ(members[0].value, R"([1, {"b": "}"}])");
    EXPECT_EQ(members[1].key, R"("c\"")");
    EXPECT_EQ(members[1].value, R"("\\")");
    EXPECT_EQ(members[2].value, "1.5e3");
    for (auto const* none : {"", "{}", " { } ", "[]", "{\"a\"", "{\"a"})
        EXPECT_TRUE(written_members(none).empty()) << none;
}

TEST(KnownNames, families_fit_by_their_longest_pattern) {
    auto const names = parse_names("n", file("", R"(, "families": [
        {"pattern": "U_*", "component": "a", "rule": "all"},
        {"pattern": "U_*_X_*", "component": "b", "rule": "some"}])"));
    EXPECT_EQ(names.family("U_1")->rule, "all");
    EXPECT_EQ(names.family("U_1_X_2")->component->id, "b");
    EXPECT_EQ(names.family("U_1_X_X_2")->rule, "some");
    EXPECT_EQ(names.family("U_1_X_")->rule, "all") << "a star stands for something";
    for (auto const* name : {"U_", "U", "", "VU_1", "u_1"}) {
        EXPECT_EQ(names.family(name), nullptr) << name;
    }
}

struct Wrong {
    std::string text, pointer, message;
};

void PrintTo(Wrong const& wrong, std::ostream* out) {
    *out << wrong.message;
}

class AWrongFileOfNames : public testing::TestWithParam<Wrong> {};

TEST_P(AWrongFileOfNames, is_refused_with_file_and_pointer) {
    try {
        parse_names("dir/names.json", GetParam().text);
        FAIL() << "accepted";
    } catch (ProfileError const& error) {
        EXPECT_EQ(error.file(), "dir/names.json");
        EXPECT_EQ(error.pointer(), GetParam().pointer);
        EXPECT_NE(std::string(error.what()).find(GetParam().message), std::string::npos)
            << error.what();
    }
}

std::string family(std::string const& pattern) {
    return file(
        "", R"(, "families": [{"pattern": ")" + pattern + R"(", "component": "a", "rule": "r"}])");
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, AWrongFileOfNames,
    testing::Values(
        Wrong{"{}", "", "\"schema_version\" is missing"},
        Wrong{file(R"("A": ["runtime", "a"], "A": ["runtime", "a"])"), "/names/A", "twice"},
        Wrong{file(R"("A B": ["runtime", "a"])"), "/names/A B", "1 to 128 letters"},
        Wrong{file(R"("": ["runtime", "a"])"), "/names/", "1 to 128 letters"},
        Wrong{file(R"("A": ["runtime"])"), "/names/A", "at least one reader"},
        Wrong{file(R"("A": "runtime")"), "/names/A", "expected an array"},
        Wrong{file(R"("A": ["fun", "a"])"), "/names/A/0", "expected one of runtime"},
        Wrong{file(R"("A": ["runtime", "c"])"), "/names/A/1", "no component \"c\""},
        Wrong{file(R"("A": ["runtime", []])"), "/names/A/1", "expected a component"},
        Wrong{file(R"("A": ["runtime", ["a", "1", "2024", "2025", "tool", 1]])"), "/names/A/1",
              "expected a component"},
        Wrong{file(R"("A": ["runtime", ["a", 1]])"), "/names/A/1/1", "expected a string"},
        Wrong{file(R"("A": ["runtime", ["a", "1", "24-10"]])"), "/names/A/1/2", "a date"},
        Wrong{file(R"("A": ["runtime", "a", ["a", "1"]])"), "/names/A", "\"a\" twice"},
        Wrong{file("", R"(, "more": 1)"), "/more", "unknown key"},
        Wrong{family("ABC"), "/families/0/pattern", "with * for its free parts"},
        Wrong{family("*"), "/families/0/pattern", "with * for its free parts"},
        Wrong{family("A-*"), "/families/0/pattern", "with * for its free parts"}));

}  // namespace
}  // namespace rocmtune
