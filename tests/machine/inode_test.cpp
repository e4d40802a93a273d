// SPDX-License-Identifier: MIT
// Who may write an inode: access lists as the kernel hands them out, and real ones.
#include "machine/path_walk.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

#include <endian.h>
#include <fcntl.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <sys/xattr.h>

#include "machine/posix_file.hpp"
#include "support/tree.hpp"

namespace rocmtune::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Entry {
    unsigned short tag;
    unsigned short permissions;
    unsigned id = static_cast<unsigned>(ACL_UNDEFINED_ID);
};

std::string access_list(std::vector<Entry> const& entries, unsigned version = 2) {
    posix_acl_xattr_header const header{htole32(version)};
    std::string value(reinterpret_cast<char const*>(&header), sizeof header);
    for (auto const& entry : entries) {
        posix_acl_xattr_entry const raw{htole16(entry.tag), htole16(entry.permissions),
                                        htole32(entry.id)};
        value.append(reinterpret_cast<char const*>(&raw), sizeof raw);
    }
    return value;
}

constexpr unsigned short rwx = ACL_READ | ACL_WRITE | ACL_EXECUTE;
constexpr unsigned short rx = ACL_READ | ACL_EXECUTE;

/// user::rwx, the given ones, group::PERMISSIONS, mask::rwx, other::r-x
std::string usual_list(std::vector<Entry> users, unsigned short of_group = rx) {
    std::vector<Entry> all{{ACL_USER_OBJ, rwx}};
    for (auto const& entry : users)
        if (entry.tag == ACL_USER) all.push_back(entry);
    all.push_back({ACL_GROUP_OBJ, of_group});
    for (auto const& entry : users)
        if (entry.tag == ACL_GROUP) all.push_back(entry);
    all.insert(all.end(), {{ACL_MASK, rwx}, {ACL_OTHER, rx}});
    return access_list(all);
}

TEST(Writers, are_group_and_others_by_the_mode) {
    EXPECT_EQ(writers_of(0755, 7, {}), Writers());
    EXPECT_EQ(writers_of(0775, 7, {}), (Writers{false, {7}}));
    EXPECT_EQ(writers_of(0757, 7, {}), (Writers{true}));
}

TEST(Writers, are_whom_an_access_list_names) {
    EXPECT_EQ(writers_of(0775, 7, usual_list({{ACL_USER, rwx, 1000}, {ACL_USER, rx, 1001}})),
              (Writers{false, {}, {1000}}));
    EXPECT_EQ(writers_of(0775, 7, usual_list({{ACL_GROUP, rwx, 50}}, rwx)),
              (Writers{false, {7, 50}, {}}));
}

TEST(Writers, are_none_beyond_the_mask) {
    EXPECT_EQ(writers_of(0755, 7, usual_list({{ACL_USER, rwx, 1000}})), Writers());
}

TEST(Writers, are_unknown_where_the_list_is_none) {
    for (auto const& value : {std::string("abc"), access_list({}, 3), access_list({}) + "x"})
        EXPECT_EQ(writers_of(0775, 7, value).unknown, EINVAL);
}

class RealInode : public testing::Test {
  protected:
    RealInode() { tree_.file("/file", "x").link("/link", "file"); }
    Inode of(std::string const& name, int flags) const {
        FileDescriptor const file(::open((tree_.path() + name).c_str(), flags | O_CLOEXEC));
        auto inode = inode_of(file.get());
        EXPECT_TRUE(inode) << errno_text(errno);
        return inode.value_or(Inode());
    }
    Tree tree_;
};

TEST_F(RealInode, shows_its_access_list_through_every_descriptor) {
    auto const value = usual_list({{ACL_USER, rwx, 1000}});
    for (std::string const name : {"/file", "/etc"}) {
        auto const path = tree_.path() + name;
        if (::setxattr(path.c_str(), "system.posix_acl_access", value.data(), value.size(), 0) != 0)
            GTEST_SKIP() << "no access lists here: " << errno_text(errno);
        for (int const flags : {O_RDONLY, O_PATH, O_PATH | O_NOFOLLOW}) {
            auto const inode = of(name, flags);
            EXPECT_THAT(inode.writers.users, ElementsAre(1000U));
            EXPECT_THAT(inode.writers.groups, IsEmpty());
            EXPECT_EQ(inode.writers.unknown, 0);
        }
    }
}

TEST_F(RealInode, without_an_access_list_has_the_writers_of_its_mode) {
    ::chmod((tree_.path() + "/file").c_str(), 0664);
    auto const inode = of("/file", O_PATH);
    EXPECT_THAT(inode.writers.groups, ElementsAre(inode.group));
    EXPECT_EQ(inode.writers.unknown, 0);
}

TEST_F(RealInode, may_be_a_link_which_nobody_writes) {
    auto const inode = of("/link", O_PATH | O_NOFOLLOW);
    EXPECT_TRUE(S_ISLNK(inode.mode));
    EXPECT_EQ(inode.writers, Writers());
}

TEST(Inode, of_no_descriptor_is_none) {
    EXPECT_FALSE(inode_of(-1));
    EXPECT_EQ(errno, EBADF);
}

}  // namespace
}  // namespace rocmtune::test
