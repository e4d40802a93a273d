// SPDX-License-Identifier: MIT
// Kinds of file systems by the numbers of statfs(2).
#include "base/filesystem.hpp"

#include <gtest/gtest.h>

namespace rocmtune::test {
namespace {

TEST(Filesystem, has_the_name_of_its_number_or_stays_a_number) {
    EXPECT_EQ(filesystem_kind("0x6969"), "nfs");
    EXPECT_EQ(filesystem_kind("0xbd00bd0"), "lustre");
    EXPECT_EQ(filesystem_kind("0x1badface"), "0x1badface");
    EXPECT_EQ(filesystem_kind("nfs"), std::nullopt);
    EXPECT_EQ(filesystem_kind(""), std::nullopt);
}

TEST(Filesystem, on_the_network_is_not_always_known_to_miopen) {
    for (auto const* const kind : {"nfs", "lustre", "cifs", "ceph"}) {
        EXPECT_TRUE(is_network_filesystem(kind)) << kind;
        EXPECT_TRUE(is_left_by_miopen(kind)) << kind;
    }
    for (auto const* const kind : {"gpfs", "beegfs", "panfs"}) {
        EXPECT_TRUE(is_network_filesystem(kind)) << kind;
        EXPECT_FALSE(is_left_by_miopen(kind)) << kind;
    }
    for (auto const* const kind : {"ext", "xfs", "tmpfs", "fuse", "0x1badface"})
        EXPECT_FALSE(is_network_filesystem(kind)) << kind;
}

}  // namespace
}  // namespace rocmtune::test
