// SPDX-License-Identifier: MIT
// May root load code from here: the judgement over made-up steps, and the walk over real ones.
#include "system/trusted_path.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>

#include <sys/stat.h>

#include "support/tree.hpp"

namespace rocmtune::test {
namespace {

constexpr mode_t directory = S_IFDIR | 0755;
constexpr mode_t file = S_IFREG | 0644;
constexpr mode_t open_directory = S_IFDIR | 0777;
constexpr mode_t sticky_directory = S_IFDIR | 01777;

using Steps = std::vector<PathStep>;

/// A path of four steps, all of them root's.
Steps steps() {
    return {{"/", directory, 0, 0, 0},
            {"/a", directory, 0, 0, 0},
            {"/a/b", directory, 0, 0, 1},
            {"/a/b/lib.so", file, 0, 0, 2}};
}

Steps with(std::size_t which, mode_t mode, uid_t owner = 0, gid_t group = 0) {
    auto all = steps();
    all[which].mode = mode;
    all[which].owner = owner;
    all[which].group = group;
    return all;
}

TEST(Distrust, has_nothing_against_what_is_roots_alone) {
    EXPECT_EQ(distrust(steps(), {}), "");
}

TEST(Distrust, names_the_first_step_that_others_may_write) {
    EXPECT_EQ(distrust(with(3, S_IFREG | 0646), {}), "/a/b/lib.so is writable by everybody");
    EXPECT_EQ(distrust(with(1, open_directory), {}), "/a is writable by everybody");
    EXPECT_EQ(distrust(with(0, open_directory), {}), "/ is writable by everybody");
    EXPECT_EQ(distrust(with(2, S_IFDIR | 0775, 0, 50), {}), "/a/b is writable by group 50");
}

TEST(Distrust, lets_the_group_of_root_write) {
    EXPECT_EQ(distrust(with(2, S_IFDIR | 0775, 0, 0), {}), "");
}

TEST(Distrust, wants_root_to_own_every_step) {
    for (std::size_t i = 0; i < steps().size(); ++i) {
        auto const mode = steps()[i].mode;
        EXPECT_THAT(distrust(with(i, mode, 1000), {}), testing::HasSubstr("belongs to user 1000"));
    }
}

TEST(Distrust, takes_owners_outside_of_the_namespace_for_nobody) {
    EXPECT_EQ(distrust(with(3, file, 65534), 65534), "");
    EXPECT_NE(distrust(with(3, file, 1000), 65534), "");
    EXPECT_NE(distrust(with(3, S_IFREG | 0666, 65534), 65534), "");
}

TEST(Distrust, passes_through_a_sticky_directory_into_one_of_root) {
    EXPECT_EQ(distrust(with(1, sticky_directory), {}), "");
    EXPECT_NE(distrust(with(2, directory, 1000), {}), "");
}

TEST(Distrust, takes_no_file_or_link_out_of_a_sticky_directory) {
    // Anybody may give a file of root a second name there (link(2), fs.protected_hardlinks = 0).
    EXPECT_EQ(distrust(with(2, sticky_directory), {}), "/a/b is writable by everybody");
    auto link = with(1, sticky_directory);
    link[2].mode = S_IFLNK | 0777;
    link[3].holder = 0;
    EXPECT_EQ(distrust(link, {}), "/a is writable by everybody");
}

TEST(Distrust, does_not_care_for_the_mode_of_a_link) {
    auto link = steps();
    link.insert(link.begin() + 3, {"/a/b/link.so", S_IFLNK | 0777, 0, 0, 2});
    EXPECT_EQ(distrust(link, {}), "");
    link[3].owner = 1000;
    EXPECT_EQ(distrust(link, {}), "/a/b/link.so belongs to user 1000");
}

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
                testing::ElementsAre("/way", "/real", "/real", "/real/lib.so", "/real/lib.so.1"));
    auto const& last = walk.steps.back();
    EXPECT_TRUE(S_ISREG(last.mode));
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

}  // namespace
}  // namespace rocmtune::test
