// SPDX-License-Identifier: MIT
// The catalogue of variables from the directories of the user.
#include "measure/data_files.hpp"

#include <gtest/gtest.h>

#include "codec/json_node.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

DataChoice with_profiles(Directory const& directory) {
    return {.directory = directory.path()};
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

TEST(CatalogueFiles, of_the_sources_change_nothing_when_laid_over_themselves) {
    auto const again = catalogue_for({.directory = ROCMTUNE_SOURCE_DIR "/profiles"});
    auto const& built_in = embedded_catalogue();
    EXPECT_EQ(again.date(), built_in.date());
    ASSERT_EQ(again.all().size(), built_in.all().size());
    for (std::size_t i = 0; i < again.all().size(); ++i) {
        auto const& one = again.all()[i];
        auto const& other = built_in.all()[i];
        EXPECT_EQ(one.name, other.name);
        EXPECT_EQ(one.default_value, other.default_value) << one.name;
        EXPECT_EQ(one.parser, other.parser) << one.name;
        EXPECT_EQ(one.readers.size(), other.readers.size()) << one.name;
        EXPECT_EQ(one.sources.front()->title, other.sources.front()->title) << one.name;
    }
    ASSERT_EQ(again.names().size(), built_in.names().size());
    for (auto const* name : {"HSA_ENABLE_SDMA", "NCCL_DEBUG", "CUDA_PATH"}) {
        auto const one = again.readers(name), other = built_in.readers(name);
        ASSERT_EQ(one.size(), other.size());
        for (std::size_t i = 0; i < one.size(); ++i) {
            EXPECT_EQ(one[i].component->id, other[i].component->id);
            EXPECT_EQ(one[i].text_date, other[i].text_date);
            EXPECT_EQ(one[i].absent_by, other[i].absent_by);
        }
    }
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
    EXPECT_THROW(catalogue_for({.directory = directory / "none"}), Error);
}

TEST(DataDirectories, are_read_once_for_the_process) {
    Directory const directory;
    write_file(directory / "variables.json", variables("SITE_OWN"));
    ASSERT_NE(catalogue_for(with_profiles(directory)).find("SITE_OWN"), nullptr);
    auto const& first = directory_contents(with_profiles(directory));
    std::filesystem::remove(directory / "variables.json");
    (void)chips_for(with_profiles(directory));
    EXPECT_NE(catalogue_for(with_profiles(directory)).find("SITE_OWN"), nullptr);
    EXPECT_EQ(&directory_contents(with_profiles(directory)), &first);
}

TEST(DataDirectories, with_a_bad_file_are_an_error_only_for_who_needs_it) {
    Directory const directory;
    write_file(directory / "variables.json", variables("SITE_OWN"));
    write_file(directory / "plan.json", std::string((std::size_t{1} << 20) + 1, ' '));
    EXPECT_NE(catalogue_for(with_profiles(directory)).find("SITE_OWN"), nullptr);
    EXPECT_NO_THROW(chips_for(with_profiles(directory)));
    try {
        plan_data_for(with_profiles(directory));
        FAIL() << "accepted";
    } catch (Error const& error) {
        EXPECT_EQ(std::string(error.what()),
                  "cannot read " + (directory / "plan.json") + ": it is longer than 1 MiB");
    }
}

TEST(DataDirectories, have_schemas_and_examples_in_folders) {
    Directory const directory;
    EXPECT_TRUE(data_file(with_profiles(directory), "schema/report.schema.json").size() > 100);
    Directory const other;
    std::filesystem::create_directory(other / "schema");
    write_file(other / "schema/report.schema.json", "{}");
    EXPECT_EQ(data_file(with_profiles(other), "schema/report.schema.json"), "{}");
}

}  // namespace
}  // namespace rocmtune::test
