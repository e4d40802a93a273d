// SPDX-License-Identifier: MIT
// Wrong files of variables: each is refused with the file and the JSON pointer of what is wrong.
#include "knowledge/variables_parser.hpp"

#include <gtest/gtest.h>

#include "codec/json_node.hpp"
#include "small_catalogue.hpp"

namespace rocmtune {
namespace {

struct Wrong {
    std::string text, pointer, message;
};

void PrintTo(Wrong const& wrong, std::ostream* out) {
    *out << wrong.message << ": " << wrong.text.substr(0, 2000);
}

class AWrongFileOfVariables : public testing::TestWithParam<Wrong> {};

TEST_P(AWrongFileOfVariables, is_refused_with_file_and_pointer) {
    try {
        lay_variables(nullptr, {{"dir/variables.json", GetParam().text}});
        FAIL() << "accepted";
    } catch (ProfileError const& error) {
        EXPECT_EQ(error.file(), "dir/variables.json");
        EXPECT_EQ(error.pointer(), GetParam().pointer);
        EXPECT_NE(std::string(error.what()).find(GetParam().message), std::string::npos)
            << error.what();
    }
}

std::string with(std::string const& more) {
    return variables_json(variable_json("A", ", " + more));
}

/// The minimal object with one key spelt otherwise or left out.
std::string changed(std::string const& from, std::string const& to) {
    auto text = variables_json(variable_json("A"));
    text.replace(text.find(from), from.size(), to);
    return text;
}

std::string judged(std::string const& keys) {
    return with(R"("judged_values": [{"class": "bad-value", "certain": true, "why": "W", )" + keys +
                "}]");
}

std::string contradicts(std::string const& other, std::string const& remove) {
    return with(R"("contradictions": [{"with": ")" + other +
                R"(", "certain": true, "why": "W", "remove": ")" + remove + "\"}]");
}

INSTANTIATE_TEST_SUITE_P(
    Documents, AWrongFileOfVariables,
    testing::Values(
        Wrong{"", "", "not valid JSON"}, Wrong{"[]", "", "expected an object"},
        Wrong{"{}", "", "\"schema_version\" is missing"},
        Wrong{"{\"a\": \"\xc3\"}", "", "not valid JSON"},
        Wrong{std::string(max_catalogue_file_bytes + 1, ' '), "", "larger than 16777216 bytes"},
        Wrong{changed("\"1.0\"", "\"2.0\""), "/schema_version", "version 1.x"},
        Wrong{changed("2026-09-01", "2026-13-01"), "/date", "a date such as"},
        Wrong{changed("2026-09-01", "2026-09"), "/date", "a date such as"},
        Wrong{changed("2026-09-01", "2026-0a-01"), "/date", "a date such as"},
        Wrong{changed("\"variables\"", "\"variable\""), "/variable", "unknown key"},
        Wrong{changed(", \"reference\": \"R\"", ""), "/bibliography/s", "url or a reference"},
        Wrong{changed("\"reference\": \"R\"", "\"url\": \"http://a\""), "/bibliography/s/url",
              "https://"},
        Wrong{changed("rocr_exact", "rocr"), "/components/0/parser", "expected one of hip_flag"},
        Wrong{changed("[{\"id\": \"rocr\"",
                      "[{\"id\": \"rocr\", \"title\": \"x\"}, {\"id\": \"rocr\""),
              "/components/1/id", "stands at /components/0 too"}));

INSTANTIATE_TEST_SUITE_P(
    Variables, AWrongFileOfVariables,
    testing::Values(
        Wrong{with("\"efect\": \"E\""), "/variables/0/efect", "unknown key"},
        Wrong{with("\"name\": \"A\""), "/variables/0/name", "twice"},
        Wrong{changed("\"A\"", "\"A B\""), "/variables/0/name", "letters, digits"},
        Wrong{changed("\"A\"", "\"A$(x)\""), "/variables/0/name", "letters, digits"},
        Wrong{changed("\"A\"", "\"1A\""), "/variables/0/name", "no digit first"},
        Wrong{changed("\"A\"", "\"<n>\""), "/variables/0/name", "letters, digits"},
        Wrong{changed("\"A\"", "\"A<n>B\""), "/variables/0/name", "letters, digits"},
        Wrong{changed("\"A\"", "\"\\u00c4\""), "/variables/0/name", "letters, digits"},
        Wrong{changed("\"A\"", "\"" + std::string(129, 'A') + "\""), "/variables/0/name", "128"},
        Wrong{variables_json(variable_json("a b ", "", "practice")), "/variables/0/name",
              "expected letters"},
        Wrong{variables_json(variable_json("a;b", "", "option")), "/variables/0/name",
              "expected letters"},
        Wrong{changed("\"environment\"", "\"variable\""), "/variables/0/kind", "allocator"},
        Wrong{changed("\"public\"", "\"secret\""), "/variables/0/status", "never-existed"},
        Wrong{changed("\"debug\"", "\"fun\""), "/variables/0/use", "code-loading"},
        Wrong{changed("\"bool\"", "\"boolean\""), "/variables/0/type", "devices"},
        Wrong{changed("\"effect\": \"E\", ", ""), "/variables/0", "\"effect\" is missing"},
        Wrong{changed("\"readers\": [\"rocr\"], ", ""), "/variables/0", "\"readers\" is missing"},
        Wrong{changed("[\"rocr\"]", "[\"hip\"]"), "/variables/0/readers/0", "no component \"hip\""},
        Wrong{changed("[\"rocr\"]", "[\"rocr\", \"rocr\"]"), "/variables/0/readers/1", "twice"},
        Wrong{changed("[\"s\"]", "[]"), "/variables/0", "needs a source"},
        Wrong{changed("[\"s\"]", "[\"t\"]"), "/variables/0/sources/0", "no bibliography"},
        Wrong{changed("\"last_verified\": \"2026-09-01\"", "\"last_verified\": \"2026-09\""),
              "/variables/0/last_verified", "a date such as"},
        Wrong{with("\"parser\": \"hip\""), "/variables/0/parser", "expected one of"},
        Wrong{with("\"words\": [\"a\"]"), "/variables/0/words", "only a variable of type enum"},
        Wrong{with("\"gfx_prefixes\": \"gfx94\""), "/variables/0/gfx_prefixes", "an array"},
        Wrong{with("\"gfx_prefixes\": [\"gfx94x\"]"), "/variables/0/gfx_prefixes/0",
              "prefix of gfx targets"},
        Wrong{with("\"gfx_prefixes\": [\"gfx94\", \"gfx94\"]"), "/variables/0/gfx_prefixes/1",
              "twice"},
        Wrong{with("\"minimum\": 2, \"maximum\": 1"), "/variables/0/minimum", "larger than"},
        Wrong{with("\"minimum\": 1.5"), "/variables/0/minimum", "whole number"},
        Wrong{with("\"maximum\": 9223372036854775808"), "/variables/0/maximum", "64 bits"},
        Wrong{with("\"minimum\": -9223372036854775808"), "/variables/0/minimum", "64 bits"},
        Wrong{with("\"default\": \"a\\u0000b\""), "/variables/0/default", "control"},
        Wrong{with("\"default\": 1"), "/variables/0/default", "expected a string"},
        Wrong{with("\"harm\": \"\""), "/variables/0/harm", "1 to 1000"},
        Wrong{with("\"harm\": \"" + std::string(1001, 'x') + "\""), "/variables/0/harm", "1000"},
        Wrong{with("\"validity\": {\"kind\": \"sure\"}"), "/variables/0/validity/kind", "observed"},
        Wrong{with("\"validity\": {\"kind\": \"known\", \"since\": \"v6\"}"),
              "/variables/0/validity/since", "expected a version"},
        Wrong{with("\"former_defaults\": [{\"value\": \"0\", \"until\": \"x\"}]"),
              "/variables/0/former_defaults/0/until", "expected a version"},
        Wrong{with("\"needs\": \"speed\""), "/variables/0/needs", "expected one of xnack"},
        Wrong{judged(R"("values": ["1"], "below": 2)"), "/variables/0/judged_values/0",
              "either \"values\" or \"below\""},
        Wrong{judged(R"("any_case": true)"), "/variables/0/judged_values/0",
              "either \"values\" or \"below\""},
        Wrong{judged(R"("values": ["1", "1"])"), "/variables/0/judged_values/0/values/1", "twice"},
        Wrong{with(R"("judged_values": [{"values": ["1"], "class": "conflict", "certain": true}])"),
              "/variables/0/judged_values/0/class", "expected one of bad-value"},
        Wrong{judged(R"("value": "1")"), "/variables/0/judged_values/0/value", "unknown key"},
        Wrong{contradicts("B", "B"), "/variables/0/contradictions/0/with", "no variable \"B\""},
        Wrong{
            with(
                R"("contradictions": [{"with": "B", "certain": true, "why": "W", "remove": "B", "versions": {"of": "torch"}}])"),
            "/variables/0/contradictions/0/versions", "\"since\", \"until\" or both"},
        Wrong{contradicts("A", "A"), "/variables/0/contradictions/0/with", "another variable"},
        Wrong{
            with(
                R"("judged_values": [{"below": 0, "class": "bad-value", "certain": true, "why": "W"}])"),
            "/variables/0/judged_values/0/below", "above 0"},
        Wrong{contradicts("B", "C"), "/variables/0/contradictions/0/remove", "expected one of A"},
        Wrong{contradicts("B C", "A"), "/variables/0/contradictions/0/with", "letters, digits"},
        Wrong{with("\"aliases\": [\"B C\"]"), "/variables/0/aliases/0", "letters, digits"},
        Wrong{with("\"replaced_by\": \"B\""), "/variables/0/replaced_by", "no variable \"B\""},
        Wrong{with("\"replaced_by\": \"A\""), "/variables/0/replaced_by", "circle"}));

INSTANTIATE_TEST_SUITE_P(
    Several, AWrongFileOfVariables,
    testing::Values(Wrong{variables_json(variable_json("A") + "," + variable_json("A")),
                          "/variables/1/name", "stands at /variables/0 too"},
                    Wrong{variables_json(variable_json("A", R"(, "aliases": ["C"])") + "," +
                                         variable_json("B", R"(, "aliases": ["C"])")),
                          "/variables/1/aliases", "C is an alias of A too"},
                    Wrong{variables_json(variable_json("A", R"(, "replaced_by": "B")") + "," +
                                         variable_json("B", R"(, "replaced_by": "A")")),
                          "/variables/0/replaced_by", "circle"}));

}  // namespace
}  // namespace rocmtune
