// SPDX-License-Identifier: MIT
#include "machine/trusted_library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>

#include <unistd.h>

#include "machine/library_files.hpp"
#include "support/tree.hpp"

namespace rocmtune {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr char const* plain = ROCMTUNE_FAKES_DIR "/tell-tale/libneeded.so.1";
constexpr char const* needing = ROCMTUNE_FAKES_DIR "/tell-tale/runpath/libamdhip64.so.7";

class TrustedLibrary : public testing::Test {
  protected:
    void SetUp() override {
        if (::geteuid() != 0) GTEST_SKIP() << "only root has files of root";
        tree_.directory("/ours").directory("/open");
        fs::permissions(path("/open"), fs::perms::all);
        fs::copy_file(plain, path("/ours/libplain.so"));
        if (auto const judged = judge_library(path("/ours/libplain.so")); !judged.why_not.empty())
            GTEST_SKIP() << "the directory for temporary files is not root's: " << judged.why_not;
    }
    void TearDown() override { fs::current_path(before_); }
    std::string path(std::string const& below) const { return tree_.path() + below; }

    fs::path const before_ = fs::current_path();
    test::Tree tree_;
};

TEST_F(TrustedLibrary, of_the_system_is_trusted_by_name) {
    EXPECT_EQ(judge_library("libm.so.6").why_not, "");
    EXPECT_FALSE(system_libraries().files("libc.so.6").empty());
    EXPECT_TRUE(system_libraries().are_in("/usr/lib"));
    EXPECT_FALSE(system_libraries().are_in(path("/ours")));
    EXPECT_FALSE(system_libraries().are_in("/nowhere"));
}

TEST_F(TrustedLibrary, that_is_not_there_gives_the_error) {
    EXPECT_EQ(judge_library(path("/ours/none.so")).error, ENOENT);
    EXPECT_EQ(judge_library(path("/open/none.so")).error, ENOENT);
    EXPECT_EQ(judge_library(path("/open/none.so")).why_not, "");
}

TEST_F(TrustedLibrary,
       with_a_search_path_that_does_not_exist_yet_is_trusted_if_only_root_can_make_it) {
    fs::copy_file(needing, path("/ours/libamdhip64.so.7"));
    // The 255 P are a path below the working directory.
    fs::current_path(path("/ours"));
    EXPECT_EQ(judge_library(path("/ours/libamdhip64.so.7")).why_not, "");
    fs::current_path(path("/open"));
    EXPECT_THAT(judge_library(path("/ours/libamdhip64.so.7")).why_not,
                testing::AllOf(HasSubstr("/open is writable by everybody, and "),
                               HasSubstr("looks there for libraries")));
}

TEST_F(TrustedLibrary, behind_a_link_that_leads_nowhere_yet_is_refused_if_others_can_make_it) {
    fs::copy_file(needing, path("/ours/libamdhip64.so.7"));
    fs::current_path(path("/ours"));
    fs::create_directory(path("/ours/") + std::string(255, 'P'));
    auto const link = path("/ours/") + std::string(255, 'P') + "/libneeded.so.1";
    fs::create_symlink("../none", link);
    EXPECT_EQ(judge_library(path("/ours/libamdhip64.so.7")).why_not, "");
    fs::remove(link);
    fs::create_symlink("../../open/none", link);
    EXPECT_THAT(judge_library(path("/ours/libamdhip64.so.7")).why_not,
                HasSubstr("/open is writable by everybody"));
}

TEST_F(TrustedLibrary, that_needs_itself_comes_to_an_end) {
    fs::copy_file(needing, path("/ours/libneeded.so.1"));
    fs::current_path(path("/ours"));
    fs::create_directory_symlink(".", path("/ours/") + std::string(255, 'P'));
    EXPECT_EQ(judge_library(path("/ours/libneeded.so.1")).why_not, "");
}

}  // namespace
}  // namespace rocmtune
