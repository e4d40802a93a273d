// SPDX-License-Identifier: MIT
// builds.json, the built-in one and those of users.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "codec/json_node.hpp"
#include "knowledge/builds_data.hpp"
#include "knowledge/embedded.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(BuildsData, of_the_program_is_read_and_its_sets_are_resolved) {
    auto const& data = embedded_builds();
    EXPECT_GE(data.builds.size(), 90U);
    for (auto const& build : data.builds)
        for (auto const& target : build.targets.value_or(BuildTexts{}))
            EXPECT_TRUE(target.starts_with("gfx")) << build.id;
    EXPECT_THAT(data.frameworks, testing::Contains("torch"));
}

/// A field that is not there was not read: it must not be taken for an empty list.
TEST(BuildsData, of_the_program_says_why_targets_are_missing) {
    for (auto const& build : embedded_builds().builds)
        if (!build.targets) {
            EXPECT_TRUE(build.not_recorded.contains("targets")) << build.id;
        }
}

struct Wrong {
    char const* name;
    char const* pointer;
    json value;
    char const* says;
};

void PrintTo(Wrong const& row, std::ostream* out) {
    *out << row.name;
}

Wrong const wrongs[] = {
    {"version", "/schema_version", "2.0", "this program reads builds of version 1.x"},
    {"unknown_key", "/builds/0/target", "gfx1100", "/builds/0/target: unknown key"},
    {"no_framework", "/builds/0/framework", nullptr, "/builds/0/framework"},
    {"status", "/builds/0/status", "new", "/builds/0/status"},
    {"channel", "/builds/0/channel", "nowhere", "/builds/0/channel: there is no such channel"},
    {"set", "/builds/0/targets/0", "@none", "/builds/0/targets/0: no gfx target"},
    {"target", "/builds/0/targets/0", "gtx1080", "/builds/0/targets/0: no gfx target"},
    {"source", "/builds/0/sources/targets/0", "none",
     "/builds/0/sources/targets/0: there is no such source"},
    {"reason", "/builds/0/not_recorded/glibc", "none",
     "/builds/0/not_recorded/glibc: there is no such reason"},
    {"source_of_absence", "/absent/0/sources/0", "none", "there is no such source"},
};

class WrongBuilds : public testing::TestWithParam<Wrong> {};

TEST_P(WrongBuilds, is_an_error_that_names_the_place) {
    auto document = json::parse(embedded_file("builds.json").value());
    document[json::json_pointer(GetParam().pointer)] = GetParam().value;
    try {
        (void)parse_builds_data("builds.json", document.dump());
        FAIL() << "no error";
    } catch (ProfileError const& error) {
        EXPECT_THAT(error.what(), HasSubstr(GetParam().says));
    }
}

INSTANTIATE_TEST_SUITE_P(Rows, WrongBuilds, testing::ValuesIn(wrongs),
                         [](auto const& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace rocmtune::test
