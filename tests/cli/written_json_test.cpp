// SPDX-License-Identifier: MIT
// JSON however its writer set it: white space in front, an opening in one line, several lines in a
// file of lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/read_reports.hpp"
#include "support/reports.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;

struct Shape {
    char const* name;
    std::string (*write)(ordered_json const&);
};

/// With the first members in one line, up to the end of an object.
std::string with_opening(ordered_json const& document) {
    ordered_json rest = document;
    rest.erase("schema");
    rest.erase("tool");
    auto const text = rest.dump(2);
    return R"({"schema":"rocmtune-report","tool":{"name":"rocmtune","version":"0.1.0"})"
           "\n," +
           text.substr(text.find('{') + 1) + "\n";
}

constexpr Shape shapes[] = {
    {"line", [](ordered_json const& json) { return json.dump() + "\n"; }},
    {"line_without_end", [](ordered_json const& json) { return json.dump(); }},
    {"pretty", [](ordered_json const& json) { return json.dump(2) + "\n"; }},
    {"leading_newline", [](ordered_json const& json) { return "\n" + json.dump(2) + "\n"; }},
    {"leading_blanks", [](ordered_json const& json) { return " \n\t  " + json.dump() + "\n"; }},
    {"schema_beside_the_bracket",
     [](ordered_json const& json) { return "{ " + json.dump(4).substr(6) + "\n"; }},
    {"opening_in_one_line", with_opening},
    {"windows_lines",
     [](ordered_json const& json) {
         std::string text;
         for (char const c : json.dump(1)) text += c == '\n' ? "\r\n" : std::string(1, c);
         return text;
     }},
};

ordered_json written_report() {
    auto const report = small_report("a", 2);
    ordered_json document{{"schema", report["schema"]}};
    for (auto const& [key, value] : report.items()) document[key] = value;
    return document;
}

class WrittenJson : public testing::TestWithParam<Shape> {};

TEST_P(WrittenJson, is_read_by_fleet_compare_and_report) {
    Directory const place;
    auto const text = GetParam().write(written_report());
    for (std::string const name : {"a.json", "a.ndjson", "a.jsonl"}) {
        write_file(place / name, text);
        for (std::vector<std::string> const& command :
             {std::vector<std::string>{"fleet", place / name},
              {"compare", place / name, place / name},
              {"report", place / name}}) {
            auto const result = run(command);
            EXPECT_EQ(result.code, 0) << command[0] << ' ' << name << ": " << result.err;
            EXPECT_EQ(result.err, "") << command[0] << ' ' << name;
        }
    }
}

TEST_P(WrittenJson, is_read_from_a_pipe_and_beside_others) {
    Directory const place;
    auto other = written_report();
    other["host"]["hostname"] = "b";
    auto const text = GetParam().write(written_report());
    write_file(place / "all", text + "\n" + GetParam().write(other));
    auto launch = rocmtune_with({});
    launch.words = {"/bin/sh", "-c", R"(cat "$0" | "$@")", place / "all", ROCMTUNE_BINARY, "fleet",
                    "--json",  "-"};
    auto const result = run(launch);
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(json::parse(result.out).at("fleet").at("hosts"), 2) << result.out;
}

TEST_P(WrittenJson, is_read_as_an_earlier_report) {
    Directory const place;
    write_file(place / "job.sh", "export HSA_ENABLE_SDMA=0\n");
    auto const lint = ordered_json::parse(run({"lint", place / "job.sh", "--json"}).out);
    write_file(place / "lint.json", GetParam().write(lint));
    auto const result =
        run({"lint", place / "job.sh", "--baseline", place / "lint.json", "--json"});
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(json::parse(result.out).at("findings").size(), 0U) << result.out;
}

TEST_P(WrittenJson, is_read_as_a_profile) {
    Directory const place;
    auto const profile =
        ordered_json{{"schema_version", "1.0"},
                     {"extends", "gfx906"},
                     {"note", "a note of ours"},
                     {"sources", ordered_json::array({"own"})},
                     {"bibliography", {{"own", {{"title", "T"}, {"reference", "R"}}}}}};
    if (std::string_view(GetParam().name) == "opening_in_one_line") return;  // of a report
    write_file(place / "gfx906.json", GetParam().write(profile));
    auto const result = run({"explain", "gfx906", "--profiles", place.path(), "--json"});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "");
}

INSTANTIATE_TEST_SUITE_P(Shapes, WrittenJson, testing::ValuesIn(shapes),
                         [](auto const& row) { return std::string(row.param.name); });

TEST(WrittenJson, that_is_cut_off_in_a_file_of_lines_costs_one_document) {
    Directory const place;
    auto const line = written_report().dump();
    auto other = written_report();
    other["host"]["hostname"] = "b";
    write_file(place / "all.ndjson", line.substr(0, line.size() / 2) + "\n" + other.dump() + "\n");
    auto const result = run({"fleet", place / "all.ndjson", "--json"});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("all.ndjson:1: it ends in the middle of the document"));
    EXPECT_EQ(json::parse(result.out).at("errors").size(), 1U);
    EXPECT_EQ(json::parse(result.out).at("fleet").at("hosts"), 1);
}

}  // namespace
}  // namespace rocmtune::test
