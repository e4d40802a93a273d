// SPDX-License-Identifier: MIT
#include "machine/written_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

#include "support/child.hpp"
#include "support/tree.hpp"

namespace rocmtune::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr uid_t stranger = 65534;

class PrivateDirectoryTest : public testing::Test {
  protected:
    std::string at(std::string_view name) const { return tree_.path() + '/' + std::string(name); }
    static mode_t mode_of(std::string const& path) {
        struct stat s {};
        return ::stat(path.c_str(), &s) == 0 ? s.st_mode & 07777U : 0;
    }
    Tree tree_;
};

TEST_F(PrivateDirectoryTest, is_made_with_its_parents_for_this_user_alone) {
    EXPECT_TRUE(PrivateDirectory::open(at("a/b/cache")).is_absent());
    EXPECT_TRUE(PrivateDirectory::can_be_made(at("a/b/cache")));
    EXPECT_FALSE(fs::exists(at("a")));
    auto const made = PrivateDirectory::make(at("a/b/cache/"));
    EXPECT_EQ(made.problem(), "");
    for (auto const* const name : {"a", "a/b", "a/b/cache"})
        EXPECT_EQ(mode_of(at(name)), 0700U) << name;
    EXPECT_TRUE(PrivateDirectory::open(at("a/b/cache")));
}

TEST_F(PrivateDirectoryTest, keeps_lists_and_removes_files) {
    auto const made = PrivateDirectory::make(at("cache"));
    EXPECT_TRUE(made.write("one", "first"));
    EXPECT_TRUE(made.write("one", "second"));
    EXPECT_EQ(mode_of(at("cache/one")), 0600U);
    tree_.link("/cache/link", "one").directory("/cache/directory");
    ASSERT_EQ(made.files().size(), 1U);
    EXPECT_EQ(made.files().front().name, "one");
    EXPECT_EQ(made.files().front().bytes, 6U);
    EXPECT_EQ(made.read("one", 6), "second");
    EXPECT_EQ(made.read("one", 5), "");
    EXPECT_EQ(made.read("link", 6), "") << "a link was followed";
    EXPECT_EQ(made.remove("one"), 0);
    EXPECT_EQ(made.remove("one"), ENOENT);
}

TEST_F(PrivateDirectoryTest, stays_the_one_that_was_opened) {
    auto const made = PrivateDirectory::make(at("cache"));
    fs::rename(at("cache"), at("away"));
    tree_.directory("/cache");
    EXPECT_TRUE(made.write("one", "text"));
    EXPECT_TRUE(fs::exists(at("away/one")));
    EXPECT_TRUE(fs::is_empty(at("cache")));
}

TEST_F(PrivateDirectoryTest, is_none_that_others_may_enter) {
    tree_.directory("/cache").file("/file");
    ::chmod(at("cache").c_str(), 0750);
    fs::create_directory(at("real"));
    ::chmod(at("real").c_str(), 0700);
    tree_.link("/link", "real");
    for (auto const* const name : {"cache", "link", "file"}) {
        auto const opened = PrivateDirectory::open(at(name));
        EXPECT_FALSE(opened) << name;
        EXPECT_EQ(opened.problem(), at(name) + " is not a directory of this user alone");
        EXPECT_FALSE(PrivateDirectory::make(at(name))) << name;
    }
}

TEST_F(PrivateDirectoryTest, cannot_be_made_below_a_file) {
    tree_.file("/file");
    EXPECT_FALSE(PrivateDirectory::can_be_made(at("file/cache")));
    EXPECT_THAT(PrivateDirectory::make(at("file/cache")).problem(), HasSubstr("ENOTDIR"));
}

/// Whether a user who is not root gets a cache there.
bool has_cache(uid_t user, std::string const& path) {
    return run_in_child([&] {
               bool const is_user =
                   ::setresgid(user, user, user) == 0 && ::setresuid(user, user, user) == 0;
               return is_user && PrivateDirectory::make(path) ? 0 : 1;
           }) == 0;
}

TEST_F(PrivateDirectoryTest, of_an_ordinary_user_is_behind_no_link_but_his_own_and_roots) {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root to be two users";
    constexpr uid_t user = 1001;
    ::chmod(tree_.path().c_str(), 0755);
    tree_.directory("/real");
    ASSERT_EQ(::chown(at("real").c_str(), user, user), 0);
    for (auto const owner : {uid_t{0}, user, stranger}) {
        auto const folder = "of-" + std::to_string(owner);
        tree_.directory("/" + folder).link("/" + folder + "/link", "../real");
        ASSERT_EQ(::chown(at(folder).c_str(), owner, owner), 0);
        ASSERT_EQ(::lchown(at(folder + "/link").c_str(), owner, owner), 0);
        EXPECT_EQ(has_cache(user, at(folder + "/link/cache")), owner != stranger) << owner;
    }
}

TEST_F(PrivateDirectoryTest, is_not_looked_for_where_another_user_has_linked_to) {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root to be two users";
    tree_.directory("/shared").directory("/real");
    ::chmod(at("shared").c_str(), 01777);
    tree_.link("/shared/way", "../real");
    ASSERT_EQ(::lchown(at("shared/way").c_str(), stranger, stranger), 0);
    for (auto const* const name : {"shared/way/cache", "shared/way/a/b/cache"}) {
        auto const made = PrivateDirectory::make(at(name));
        EXPECT_FALSE(made);
        EXPECT_THAT(made.problem(), HasSubstr("is not used: " + at("shared")));
        EXPECT_FALSE(PrivateDirectory::can_be_made(at(name)));
    }
    EXPECT_TRUE(fs::is_empty(at("real")));
}

TEST_F(PrivateDirectoryTest, of_root_is_in_no_directory_of_another_user) {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root to be two users";
    tree_.directory("/home/cache");
    ::chmod(at("home/cache").c_str(), 0700);
    ASSERT_EQ(::chown(at("home").c_str(), stranger, stranger), 0);
    EXPECT_THAT(PrivateDirectory::open(at("home/cache")).problem(),
                HasSubstr("home belongs to user 65534"));
    EXPECT_FALSE(PrivateDirectory::make(at("home/other/cache")));
    EXPECT_FALSE(fs::exists(at("home/other")));
}

}  // namespace
}  // namespace rocmtune::test
