// SPDX-License-Identifier: MIT
#include "base/xdg.hpp"

#include <gtest/gtest.h>

namespace rocmtune {
namespace {

TEST(Xdg, the_variable_comes_before_the_home_directory) {
    EXPECT_EQ(config_home("/x", "/home/u"), "/x");
    EXPECT_EQ(config_home(nullptr, "/home/u"), "/home/u/.config");
}

TEST(Xdg, paths_that_are_not_absolute_do_not_count) {
    EXPECT_EQ(config_home("", "/home/u"), "/home/u/.config");
    EXPECT_EQ(config_home("x", "/home/u"), "/home/u/.config");
    EXPECT_EQ(config_home("x", "u"), std::nullopt);
    EXPECT_EQ(config_home(nullptr, ""), std::nullopt);
    EXPECT_EQ(config_home(nullptr, nullptr), std::nullopt);
}

}  // namespace
}  // namespace rocmtune
