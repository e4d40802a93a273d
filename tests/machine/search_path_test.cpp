// SPDX-License-Identifier: MIT
#include "machine/trusted_library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include <unistd.h>

#include "support/tree.hpp"

namespace rocmtune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(SearchPath, is_split_as_the_loader_splits_it) {
    EXPECT_THAT(split_search_path("/a:/b;/c", ":;"), ElementsAre("/a", "/b", "/c"));
    EXPECT_THAT(split_search_path("/a;/b:/c", ":"), ElementsAre("/a;/b", "/c"));
    EXPECT_THAT(split_search_path(":/a::", ":;"), ElementsAre("", "/a", "", ""));
    EXPECT_THAT(split_search_path("/a", ":;"), ElementsAre("/a"));
    EXPECT_THAT(split_search_path("", ":;"), IsEmpty());
}

TEST(SearchPath, has_one_word_that_we_know) {
    EXPECT_EQ(expand_origin("/a/b", "/o"), "/a/b");
    EXPECT_EQ(expand_origin("$ORIGIN/../lib", "/o"), "/o/../lib");
    EXPECT_EQ(expand_origin("/x/${ORIGIN}/$ORIGIN", "o"), "/x/o/o");
    EXPECT_EQ(expand_origin("$ORIGIN64", "/o"), "/o64") << "glibc looks for the word alone";
    for (auto const* const unknown : {"/a/$LIB", "${LIB}", "$PLATFORM", "/a$", "${ORIGIN", "$$"})
        EXPECT_EQ(expand_origin(unknown, "/o"), std::nullopt) << unknown;
}

TEST(SearchPath, leads_to_directories_for_processors) {
    test::Tree tree;
    tree.directory("/glibc-hwcaps/x86-64-v3").directory("/tls/x86_64").directory("/cmake");
    auto const at = tree.path();
    EXPECT_THAT(searched_directories(at),
                UnorderedElementsAre(at, at + "/glibc-hwcaps", at + "/glibc-hwcaps/x86-64-v3",
                                     at + "/tls", at + "/tls/x86_64"));
    tree.link("/haswell", "/nowhere/at/all");
    EXPECT_THAT(searched_directories(at), testing::Contains(at + "/haswell"));
}

TEST(SearchPath, that_leads_in_circles_comes_to_an_end) {
    test::Tree tree;
    std::filesystem::create_directory_symlink(".", tree.path() + "/tls");
    EXPECT_THAT(searched_directories(tree.path()), testing::SizeIs(5));
}

TEST(SearchPath, keeps_what_is_roots_alone) {
    auto const judged = judge_search_path("/usr/lib;/etc:/no/such/directory");
    EXPECT_THAT(judged.kept, ElementsAre("/usr/lib", "/etc", "/no/such/directory"));
    EXPECT_THAT(judged.left_out, IsEmpty());
}

TEST(SearchPath, leaves_out_the_rest_with_the_reason) {
    test::Tree tree;
    tree.directory("/open");
    auto const open = tree.path() + "/open";
    std::filesystem::permissions(open, std::filesystem::perms::all);
    auto const judged = judge_search_path("relative:/a/$LIB;" + open + ":" + open + "/not-yet");
    EXPECT_THAT(judged.kept, IsEmpty());
    ASSERT_EQ(judged.left_out.size(), 4U);
    EXPECT_EQ(judged.left_out[0].why, "relative is a relative path");
    EXPECT_EQ(judged.left_out[1].element, "/a/$LIB");
    EXPECT_EQ(judged.left_out[1].why, "/a/$LIB holds a word that only the loader knows");
    for (auto const i : {2, 3}) EXPECT_NE(judged.left_out[i].why, "");
}

TEST(SearchPath, is_taken_from_the_environment_of_root_alone) {
    std::vector<std::string> const before{"A=1", "LD_LIBRARY_PATH=/usr/lib:$LIB:", "B=2"};
    auto lines = before;
    keep_trusted_search_path(lines);
    if (::geteuid() != 0) {
        EXPECT_EQ(lines, before);
        return;
    }
    ASSERT_GE(lines.size(), 4U);
    EXPECT_EQ(lines[1], "LD_LIBRARY_PATH=/usr/lib");
    EXPECT_THAT(lines[3], HasSubstr("ROCMTUNE_LEFT_OUT=$LIB"));
    lines = {"LD_LIBRARY_PATH=/usr/lib", "ROCMTUNE_LEFT_OUT=/x", "LD_LIBRARY_PATH=$LIB"};
    keep_trusted_search_path(lines);
    EXPECT_THAT(lines, ElementsAre("LD_LIBRARY_PATH=/usr/lib",
                                   "LD_LIBRARY_PATH=", "ROCMTUNE_LEFT_OUT=$LIB"));
    lines = {"A=1"};
    keep_trusted_search_path(lines);
    EXPECT_THAT(lines, ElementsAre("A=1"));
}

}  // namespace
}  // namespace rocmtune
