// SPDX-License-Identifier: MIT
// Every test host prints what stands in its folder (scripts/update-generated writes it), and what
// is generated from tables is what the tree holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/golden.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::ordered_json;

std::string source_file(std::string const& name) {
    return std::string(ROCMTUNE_SOURCE_DIR) + '/' + name;
}

std::string expected(std::string const& host, std::string const& file) {
    return source_file("tests/hosts/" + host + "/expect/" + file);
}

Outcome probe(std::string const& host, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"probe", "--replay", host_file(host)};
    words.insert(words.end(), more.begin(), more.end());
    auto launch = rocmtune_with(words);
    launch.environment["COLUMNS"] = "100";
    return run(launch);
}

/// Version and date of the data change with every release and say nothing of the host.
ordered_json without_release(std::string const& text) {
    auto document = ordered_json::parse(text);
    document.erase("tool");
    return document;
}

class TestHost : public testing::TestWithParam<std::string> {};

TEST_P(TestHost, prints_the_expected_text) {
    auto const result = probe(GetParam());
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_TRUE(same_text(result.out, content_of(expected(GetParam(), "probe.txt"))));
}

TEST_P(TestHost, prints_the_expected_document) {
    auto const result = probe(GetParam(), {"--json"});
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.err, "");
    auto const document = without_release(result.out);
    auto const golden = without_release(content_of(expected(GetParam(), "probe.json")));
    EXPECT_TRUE(document == golden)
        << "it differs by " << nlohmann::json::diff(golden, document).dump(1)
        << "\nif the new values are right: scripts/update-generated";
}

TEST_P(TestHost, prints_the_same_values_on_one_line) {
    auto const line = probe(GetParam(), {"--format", "ndjson"}).out;
    EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
    EXPECT_EQ(line.back(), '\n');
    EXPECT_TRUE(without_release(line) ==
                without_release(content_of(expected(GetParam(), "probe.json"))));
}

INSTANTIATE_TEST_SUITE_P(All, TestHost, testing::ValuesIn(host_names()),
                         [](auto const& host) { return test_name(host.param); });

TEST(TestHosts, are_at_least_twelve) {
    EXPECT_GE(host_names().size(), 12U);
}

TEST(Generated, man_page_is_that_of_the_tables) {
    EXPECT_TRUE(
        same_text(run({"--internal-man-page"}).out, content_of(source_file("man/rocmtune.1"))));
}

TEST(Generated, report_schema_is_that_of_the_facts) {
    EXPECT_TRUE(same_text(run({"--internal-report-schema"}).out,
                          content_of(source_file("profiles/schema/report.schema.json"))));
}

TEST(Schema, of_every_kind_is_that_of_the_tree) {
    for (std::string const name : {"report", "profile", "environment"}) {
        auto const result = run({"schema", name});
        EXPECT_EQ(result.code, 0);
        EXPECT_TRUE(same_text(result.out,
                              content_of(source_file("profiles/schema/" + name + ".schema.json"))));
        EXPECT_THAT(ordered_json::parse(result.out).at("$schema"), testing::HasSubstr("draft-07"));
    }
}

TEST(Schema, comes_from_the_profiles_directory_where_that_has_one) {
    Directory const directory;
    std::filesystem::create_directory(directory / "schema");
    write_file(directory / "schema/report.schema.json", "{}\n");
    EXPECT_EQ(run({"schema", "report", "--profiles", directory.path()}).out, "{}\n");
}

TEST(Examples, are_the_test_hosts_of_the_same_name) {
    for (auto const& entry :
         std::filesystem::directory_iterator(source_file("profiles/examples"))) {
        auto const name = entry.path().stem().string();
        auto document =
            without_release(run({"probe", "--json", "--replay", "example:" + name}).out);
        auto golden = without_release(content_of(expected(name, "probe.json")));
        // The label tells where the recording came from; the host is the same.
        EXPECT_TRUE(document == golden) << name << nlohmann::json::diff(golden, document).dump(1);
    }
}

}  // namespace
}  // namespace rocmtune::test
