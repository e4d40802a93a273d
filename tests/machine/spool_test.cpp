// SPDX-License-Identifier: MIT
// Text that waits in a file comes back as it was.
#include "machine/spool.hpp"

#include <gtest/gtest.h>

namespace rocmtune {
namespace {

std::string handed_on(Spool& spool) {
    std::string text;
    spool.hand_on([&](std::string_view piece) { text += piece; });
    return text;
}

TEST(Spool, gives_back_what_was_added_in_its_order) {
    Spool spool;
    std::string expected;
    for (int i = 0; i < 20000; ++i) {
        auto const line =
            "line " + std::to_string(i) + std::string(static_cast<std::size_t>(i % 50), '.') + '\n';
        spool.add(line);
        expected += line;
    }
    EXPECT_EQ(handed_on(spool), expected);
    EXPECT_EQ(handed_on(spool), expected);
    EXPECT_EQ(spool.mapped(), expected);
}

TEST(Spool, can_be_empty) {
    Spool spool;
    EXPECT_EQ(handed_on(spool), "");
    EXPECT_EQ(spool.mapped(), "");
}

}  // namespace
}  // namespace rocmtune
