// SPDX-License-Identifier: MIT
// Whom a process may follow: the judgement over made-up steps.
#include "machine/trusted_path.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include <unistd.h>

namespace rocmtune::test {
namespace {

constexpr mode_t directory = S_IFDIR | 0755;
constexpr mode_t file = S_IFREG | 0644;
constexpr mode_t link = S_IFLNK | 0777;
constexpr mode_t open_directory = S_IFDIR | 0777;
constexpr mode_t sticky_directory = S_IFDIR | 01777;

using Steps = std::vector<PathStep>;

Trust const root{{0}, {0}};
Trust const root_outside{{0}, {0}, false, 65534};
/// Of user 1000, who is in group 50.
Trust const ordinary{{0, 1000}, {0, 50}, true};

Inode inode(mode_t mode, uid_t owner = 0, gid_t group = 0) {
    auto const writers = S_ISLNK(mode) ? Writers() : writers_of(mode, group, {});
    return {mode, owner, group, writers};
}

/// A path of four steps, all of them root's.
Steps steps() {
    return {{"/", inode(directory), 0},
            {"/a", inode(directory), 0},
            {"/a/b", inode(directory), 1},
            {"/a/b/lib.so", inode(file), 2}};
}

Steps with(std::size_t which, mode_t mode, uid_t owner = 0, gid_t group = 0) {
    auto all = steps();
    all[which].inode = inode(mode, owner, group);
    return all;
}

TEST(Distrust, has_nothing_against_what_is_roots_alone) {
    EXPECT_EQ(distrust(steps(), root), "");
}

TEST(Distrust, names_the_first_step_that_others_may_write) {
    EXPECT_EQ(distrust(with(3, S_IFREG | 0646), root), "/a/b/lib.so is writable by everybody");
    EXPECT_EQ(distrust(with(1, open_directory), root), "/a is writable by everybody");
    EXPECT_EQ(distrust(with(0, open_directory), root), "/ is writable by everybody");
    EXPECT_EQ(distrust(with(2, S_IFDIR | 0775, 0, 50), root), "/a/b is writable by group 50");
}

TEST(Distrust, lets_the_group_of_root_write) {
    EXPECT_EQ(distrust(with(2, S_IFDIR | 0775, 0, 0), root), "");
}

TEST(Distrust, wants_root_to_own_every_step) {
    for (std::size_t i = 0; i < steps().size(); ++i) {
        auto const mode = steps()[i].inode.mode;
        EXPECT_THAT(distrust(with(i, mode, 1000), root),
                    testing::HasSubstr("belongs to user 1000"));
    }
}

TEST(Distrust, takes_owners_outside_of_the_namespace_for_nobody) {
    EXPECT_EQ(distrust(with(3, file, 65534), root_outside), "");
    EXPECT_NE(distrust(with(3, file, 1000), root_outside), "");
    EXPECT_NE(distrust(with(3, S_IFREG | 0666, 65534), root_outside), "");
}

TEST(Distrust, passes_through_a_sticky_directory_into_one_of_root) {
    EXPECT_EQ(distrust(with(1, sticky_directory), root), "");
    EXPECT_NE(distrust(with(2, directory, 1000), root), "");
}

TEST(Distrust, takes_no_file_or_link_out_of_a_sticky_directory) {
    // Anybody may give a file of root a second name there (link(2), fs.protected_hardlinks = 0).
    EXPECT_EQ(distrust(with(2, sticky_directory), root), "/a/b is writable by everybody");
    auto linked = with(1, sticky_directory);
    linked[2].inode = inode(link);
    linked[3].holder = 0;
    EXPECT_EQ(distrust(linked, root), "/a is writable by everybody");
}

TEST(Distrust, does_not_care_for_the_mode_of_a_link) {
    auto linked = steps();
    linked.insert(linked.begin() + 3, {"/a/b/link.so", inode(link), 2});
    EXPECT_EQ(distrust(linked, root), "");
    linked[3].inode.owner = 1000;
    EXPECT_EQ(distrust(linked, root), "/a/b/link.so belongs to user 1000");
}

TEST(Distrust, counts_whom_an_access_list_names) {
    // The mask shows where the mode has the group's bits: root's own group may write, it says.
    auto listed = with(2, S_IFDIR | 0775);
    listed[2].inode.writers = {false, {0}, {1000}};
    EXPECT_EQ(distrust(listed, root), "/a/b is writable by user 1000");
    listed[2].inode.writers = {false, {0, 50}, {}};
    EXPECT_EQ(distrust(listed, root), "/a/b is writable by group 50");
    listed[2].inode.writers = {false, {0}, {0}};
    EXPECT_EQ(distrust(listed, root), "");
    listed[2].inode.writers.unknown = EIO;
    EXPECT_THAT(distrust(listed, root), testing::HasSubstr("cannot be read"));
}

// ---- links --------------------------------------------------------------------------------------

/// What an entry of /d leads to, by who made it and who may make entries in /d.
std::string followed(Inode const& holder, Inode const& entry, Trust const& trust) {
    Steps const way{{"/", inode(directory), 0}, {"/d", holder, 0}, {"/d/entry", entry, 1}};
    return distrust_links(way, trust);
}

TEST(DistrustLinks, follows_in_a_directory_for_everybody_what_the_user_has_made) {
    auto const tmp = inode(sticky_directory);
    EXPECT_EQ(followed(tmp, inode(link, 1000), ordinary), "");
    EXPECT_EQ(followed(tmp, inode(link, 0), ordinary), "");
    EXPECT_EQ(followed(tmp, inode(link, 1001), ordinary),
              "/d/entry is a link of user 1001 in a directory that everybody may write");
    EXPECT_EQ(followed(inode(open_directory), inode(link, 1001), ordinary),
              "/d/entry is a link of user 1001 in a directory that everybody may write");
}

TEST(DistrustLinks, follows_in_his_own_directory_what_the_owner_has_made) {
    auto const theirs = inode(S_IFDIR | 01777, 1001);
    EXPECT_EQ(followed(theirs, inode(link, 1001), ordinary), "");
    EXPECT_EQ(followed(inode(directory, 1001), inode(link, 1001), ordinary), "");
    EXPECT_EQ(followed(inode(directory, 1001), inode(link, 1002), ordinary), "");
}

TEST(DistrustLinks, lets_root_follow_nothing_that_another_user_decides) {
    EXPECT_EQ(followed(inode(sticky_directory, 1001), inode(link, 1001), root),
              "/d/entry is a link of user 1001 in a directory that everybody may write");
    EXPECT_EQ(followed(inode(directory, 1001), inode(link, 1001), root),
              "/d/entry is a link of user 1001 in a directory that user 1001 may write");
    EXPECT_EQ(followed(inode(directory, 1001), inode(link, 0), root), "");
    // Nobody but root could have moved it here.
    EXPECT_EQ(followed(inode(directory), inode(link, 1001), root), "");
}

TEST(DistrustLinks, counts_groups_but_those_of_the_user) {
    auto const of_group = inode(S_IFDIR | 02775, 0, 50);
    EXPECT_EQ(followed(of_group, inode(link, 1001), ordinary), "");
    EXPECT_EQ(followed(of_group, inode(link, 1001), root),
              "/d/entry is a link of user 1001 in a directory that group 50 may write");
    EXPECT_EQ(followed(inode(S_IFDIR | 0775, 0, 60), inode(link, 1001), ordinary),
              "/d/entry is a link of user 1001 in a directory that group 60 may write");
}

TEST(DistrustLinks, counts_whom_an_access_list_names) {
    auto listed = inode(S_IFDIR | 0775);
    listed.writers = {false, {0}, {1001}};
    for (auto const& trust : {root, ordinary})
        EXPECT_EQ(followed(listed, inode(link, 1001), trust),
                  "/d/entry is a link of user 1001 in a directory that user 1001 may write");
}

TEST(DistrustLinks, counts_pipes_and_devices_but_no_files) {
    auto const tmp = inode(sticky_directory);
    EXPECT_EQ(followed(tmp, inode(S_IFIFO | 0666, 1001), root),
              "/d/entry is a pipe of user 1001 in a directory that everybody may write");
    EXPECT_EQ(followed(tmp, inode(S_IFREG | 0666, 1001), root), "");
    EXPECT_EQ(followed(tmp, inode(S_IFDIR | 0777, 1001), root), "");
}

TEST(DistrustLinks, does_not_follow_the_second_name_of_a_link) {
    auto again = inode(link);
    again.links = 2;
    EXPECT_EQ(followed(inode(sticky_directory), again, root),
              "/d/entry is a link of user 0 in a directory that everybody may write");
    EXPECT_EQ(followed(inode(directory), again, root), "");
}

TEST(DistrustLinks, follows_who_is_outside_of_the_namespace_only_where_nobody_else_links) {
    EXPECT_EQ(followed(inode(directory, 65534), inode(link, 65534), root_outside), "");
    EXPECT_EQ(followed(inode(sticky_directory, 65534), inode(link, 65534), root_outside),
              "/d/entry is a link of user 65534 in a directory that everybody may write");
}

TEST(TrustOfProcess, is_in_root_alone_for_root) {
    auto const trust = trust_of_process();
    if (::geteuid() != 0) {
        EXPECT_TRUE(trust.holds(::geteuid()) && trust.holds(0) && trust.owners);
        return;
    }
    EXPECT_EQ(trust.users, root_alone().users);
    EXPECT_EQ(trust.groups, std::vector<gid_t>{0});
    EXPECT_FALSE(trust.owners);
}

}  // namespace
}  // namespace rocmtune::test
