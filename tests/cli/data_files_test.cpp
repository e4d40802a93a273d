// SPDX-License-Identifier: MIT
// The catalogue of variables from the directories of the user.
#include "cli/data_files.hpp"

#include <gtest/gtest.h>

#include "knowledge/profile_error.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

Arguments with_profiles(Directory const& directory) {
    Arguments arguments;
    arguments.add("--profiles", directory.path());
    return arguments;
}

std::string variables(std::string const& name, std::string const& source = "s") {
    return R"({"schema_version": "1.0", "date": "2027-01-01",
        "bibliography": {"s": {"title": "T", "reference": "R"}}, "variables": [{"name": ")" +
           name + R"(", "kind": "environment", "readers": [], "status": "public",
           "use": "runtime", "type": "bool", "effect": "Own.", "sources": [")" +
           source + R"("], "last_verified": "2027-01-01"}]})";
}

TEST(CatalogueFiles, add_variables_and_take_the_place_of_built_in_ones) {
    Directory const directory;
    write_file(directory / "variables.json", variables("SITE_OWN"));
    auto const catalogue = catalogue_for(with_profiles(directory));
    ASSERT_NE(catalogue.find("SITE_OWN"), nullptr);
    EXPECT_EQ(catalogue.find("SITE_OWN")->effect, "Own.");
    EXPECT_EQ(catalogue.all().size(), embedded_catalogue().all().size() + 1);
    EXPECT_EQ(catalogue.names().size(), embedded_catalogue().names().size());
}

TEST(CatalogueFiles, are_not_needed) {
    Directory const directory;
    auto const catalogue = catalogue_for(with_profiles(directory));
    EXPECT_EQ(catalogue.all().size(), embedded_catalogue().all().size());
}

TEST(CatalogueFiles, that_are_wrong_are_named_with_the_place) {
    Directory const directory;
    write_file(directory / "variables.json", variables("SITE_OWN", "t"));
    try {
        catalogue_for(with_profiles(directory));
        FAIL() << "accepted";
    } catch (ProfileError const& error) {
        EXPECT_EQ(error.file(), directory / "variables.json");
        EXPECT_EQ(error.pointer(), "/variables/0/sources/0");
        EXPECT_EQ(error.code(), Exit::usage);
    }
}

TEST(CatalogueFiles, the_directory_of_the_command_line_comes_last_and_must_exist) {
    Directory const directory;
    auto const all = data_directories(with_profiles(directory));
    EXPECT_EQ(all.front().path, "/etc/rocmtune/profiles");
    EXPECT_FALSE(all.front().must_exist);
    EXPECT_EQ(all.back().path, directory.path());
    EXPECT_TRUE(all.back().must_exist);
    Arguments missing;
    missing.add("--profiles", directory / "none");
    EXPECT_THROW(catalogue_for(missing), Error);
}

}  // namespace
}  // namespace rocmtune::test
