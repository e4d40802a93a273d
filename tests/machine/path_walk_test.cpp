// SPDX-License-Identifier: MIT
// The way to a file, over real directories and links.
#include "machine/path_walk.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>

#include "support/tree.hpp"

namespace rocmtune::test {
namespace {

using testing::ElementsAre;

std::vector<std::string> names_of(PathWalk const& walk, std::string const& root) {
    std::vector<std::string> names;
    for (auto const& step : walk.steps)
        if (step.path.starts_with(root + '/')) names.push_back(step.path.substr(root.size()));
    return names;
}

TEST(PathWalk, notes_directories_links_and_what_they_lead_to) {
    Tree tree;
    auto const root = std::filesystem::canonical(tree.path()).string();
    tree.file("/real/lib.so.1", "x");
    tree.link("/real/lib.so", "lib.so.1").link("/way", "real/../real");
    auto const walk = walk_path(root + "/way/./lib.so");
    EXPECT_EQ(walk.error, 0);
    EXPECT_THAT(names_of(walk, root),
                ElementsAre("/way", "/real", "/real", "/real/lib.so", "/real/lib.so.1"));
    auto const& last = walk.steps.back();
    EXPECT_TRUE(S_ISREG(last.inode.mode));
    EXPECT_EQ(walk.steps[last.holder].path, root + "/real");
    EXPECT_EQ(walk.steps.front().path, "/");
}

TEST(PathWalk, starts_again_at_an_absolute_link) {
    Tree tree;
    auto const root = std::filesystem::canonical(tree.path()).string();
    tree.file("/real/lib.so", "x").link("/link.so", root + "/real/lib.so");
    auto const walk = walk_path(root + "/link.so");
    EXPECT_EQ(walk.error, 0);
    EXPECT_EQ(walk.steps.back().path, root + "/real/lib.so");
}

TEST(PathWalk, says_why_it_does_not_end) {
    Tree tree;
    tree.file("/file", "x").link("/circle", "circle");
    EXPECT_EQ(walk_path(tree.path() + "/none/lib.so").error, ENOENT);
    EXPECT_EQ(walk_path(tree.path() + "/file/lib.so").error, ENOTDIR);
    EXPECT_EQ(walk_path(tree.path() + "/circle").error, ELOOP);
}

/// Both ways of walking end at the same place.
class EveryWalk : public testing::TestWithParam<Noted> {
  protected:
    EveryWalk() {
        tree_.file("/real/file", "x").link("/way", "real").link("/link", "way/../real/file");
        tree_.link("/to_nothing", "real/new").link("/round", "round/x");
    }
    PathWalk walk(std::string_view path) const {
        return walk_path(tree_.path() + std::string(path), GetParam());
    }

    Tree tree_;
};

TEST_P(EveryWalk, holds_the_last_directory_and_the_file) {
    for (auto const* const path : {"/real/file", "/way/file", "//way/./file", "/link"}) {
        auto const found = walk(path);
        EXPECT_EQ(found.error, 0) << path;
        EXPECT_EQ(found.name, "file") << path;
        auto const file = reopen(found, O_RDONLY);
        EXPECT_TRUE(inode_of(file.get())->is_same(found.steps.back().inode)) << path;
        FileDescriptor const again(::openat(found.directory.get(), "file", O_RDONLY | O_CLOEXEC));
        EXPECT_TRUE(inode_of(again.get())->is_same(found.steps.back().inode)) << path;
    }
}

TEST_P(EveryWalk, says_where_a_new_file_would_be) {
    for (auto const* const path : {"/real/new", "/way/new", "/to_nothing"}) {
        auto const found = walk(path);
        EXPECT_TRUE(found.is_new()) << path;
        EXPECT_EQ(found.name, "new") << path;
        EXPECT_TRUE(found.steps[found.holder].path.ends_with("/real")) << path;
        EXPECT_FALSE(found.file) << path;
    }
}

TEST_P(EveryWalk, says_what_is_no_way) {
    EXPECT_EQ(walk("/none/new").error, ENOENT);
    EXPECT_FALSE(walk("/none/new").is_new());
    EXPECT_FALSE(walk("/new/").is_new());
    EXPECT_EQ(walk("/real/file/x").error, ENOTDIR);
    EXPECT_EQ(walk("/real/file/").error, ENOTDIR);
    EXPECT_EQ(walk("/round").error, ELOOP);
    EXPECT_EQ(walk("/" + std::string(256, 'n')).error, ENAMETOOLONG);
    std::string deep;
    while (deep.size() < 4096) deep += "/.";
    EXPECT_EQ(walk(deep + "/real/file").error, ENAMETOOLONG);
    EXPECT_EQ(walk_path("", GetParam()).error, ENOENT);
}

TEST_P(EveryWalk, ends_at_directories_too) {
    for (auto const* const path : {"/", "/tmp/", ".", "..", "/..", "./"}) {
        auto const found = walk_path(path, GetParam());
        EXPECT_EQ(found.error, 0) << path;
        EXPECT_TRUE(S_ISDIR(found.steps.back().inode.mode)) << path;
        EXPECT_TRUE(found.file) << path;
    }
}

TEST_P(EveryWalk, keeps_what_it_found_when_names_change) {
    auto const found = walk("/way/file");
    std::filesystem::rename(tree_.path() + "/real", tree_.path() + "/away");
    tree_.file("/real/file", "another");
    EXPECT_TRUE(inode_of(reopen(found, O_RDONLY).get())->is_same(found.steps.back().inode));
}

INSTANTIATE_TEST_SUITE_P(Both, EveryWalk, testing::Values(Noted::every_step, Noted::links),
                         [](auto const& noted) {
                             return noted.param == Noted::links ? "links" : "every_step";
                         });

TEST(PathWalk, notes_every_link_also_where_it_may_leap) {
    Tree tree;
    auto const root = std::filesystem::canonical(tree.path()).string();
    tree.file("/a/b/c/file", "x").link("/a/way", "b").link("/a/b/link", "c/file");
    auto const walk = walk_path(root + "/a/way/link", Noted::links);
    EXPECT_THAT(names_of(walk, root),
                ElementsAre("/a", "/a/way", "/a/b", "/a/b/link", "/a/b/c", "/a/b/c/file"));
    for (std::size_t const link : {2U, 4U}) {
        auto const& step = walk.steps[walk.steps.size() - 6 + link - 1];
        EXPECT_TRUE(S_ISLNK(step.inode.mode)) << step.path;
        EXPECT_EQ(walk.steps[step.holder].path + step.path.substr(step.path.rfind('/')), step.path);
    }
}

TEST(PathWalk, follows_what_only_the_kernel_can_follow_if_links_are_asked_for) {
    Tree tree;
    tree.file("/file", "x").file("/directory/file", "y");
    FileDescriptor const file(::open((tree.path() + "/file").c_str(), O_RDONLY | O_CLOEXEC));
    auto const name = fmt::format("/proc/self/fd/{}", file.get());
    auto const walk = walk_path(name, Noted::links);
    EXPECT_EQ(walk.error, 0);
    EXPECT_TRUE(walk.is_magic);
    EXPECT_TRUE(inode_of(walk.file.get())->is_same(*inode_of(file.get())));
    EXPECT_EQ(walk_path(name).error, ELOOP);
    EXPECT_FALSE(walk_path("/proc/self/status", Noted::links).is_magic);

    FileDescriptor const directory(
        ::open((tree.path() + "/directory").c_str(), O_RDONLY | O_CLOEXEC));
    auto const below =
        walk_path(fmt::format("/proc/self/fd/{}/file", directory.get()), Noted::links);
    EXPECT_EQ(below.error, 0);
    EXPECT_FALSE(below.is_magic);
    EXPECT_EQ(below.name, "file");
}

}  // namespace
}  // namespace rocmtune::test
