// SPDX-License-Identifier: MIT
#include "base/lists.hpp"

#include <gtest/gtest.h>

namespace rocmtune {
namespace {

TEST(Hostlist, joins_neighbours_and_keeps_widths) {
    EXPECT_EQ(hostlist({}), "");
    EXPECT_EQ(hostlist({"node7"}), "node7");
    EXPECT_EQ(hostlist({"node07"}), "node07");
    EXPECT_EQ(hostlist({"node3", "node1", "node2", "node2"}), "node[1-3]");
    EXPECT_EQ(hostlist({"node01", "node02", "node05"}), "node[01-02,05]");
    EXPECT_EQ(hostlist({"node9", "node10"}), "node9,node10");
    EXPECT_EQ(hostlist({"node099", "node100"}), "node[099-100]");
    EXPECT_EQ(hostlist({"b", "a1", "a"}), "a,a1,b");
    EXPECT_EQ(hostlist({"rack2-n1", "rack1-n1", "rack1-n2"}), "rack1-n[1-2],rack2-n1");
}

TEST(Hostlist, leaves_what_is_all_digits_or_too_long_as_it_is) {
    EXPECT_EQ(hostlist({"12", "13"}), "12,13");
    EXPECT_EQ(hostlist({"n12345678901234567890"}), "n12345678901234567890");
}

TEST(Hostlist, knows_which_names_may_stand_in_it) {
    for (auto const* good : {"node1", "a-b_c.d", "7"}) EXPECT_TRUE(is_node_name(good)) << good;
    for (auto const* bad : {"", "-x", ".x", "a b", "a,b", "a[1]", "a;rm", "$(x)", "\u00e4", "a\nb"})
        EXPECT_FALSE(is_node_name(bad)) << bad;
}

}  // namespace
}  // namespace rocmtune
