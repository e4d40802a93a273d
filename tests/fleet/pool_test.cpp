// SPDX-License-Identifier: MIT
#include "judge/fleet/group.hpp"

#include <gtest/gtest.h>

#include <string>

#include "rocmtune/fact.hpp"

namespace rocmtune {
namespace {

TEST(Pool, keeps_each_thing_once_and_finds_it_again) {
    Pool<std::string> pool;
    for (int round = 0; round < 2; ++round)
        for (std::uint32_t i = 1; i < 3000; ++i)
            ASSERT_EQ(pool.number_of("host" + std::to_string(i)), i);
    EXPECT_EQ(pool[0], "");
    EXPECT_EQ(pool[2999], "host2999");
}

TEST(Pool, tells_values_apart_that_look_alike) {
    Pool<PlainValue> pool;
    EXPECT_EQ(pool.number_of({}), 0U);
    auto const text = pool.number_of(std::string("1"));
    auto const number = pool.number_of(std::uint64_t{1});
    EXPECT_NE(text, number);
    EXPECT_EQ(pool.number_of(std::string("1")), text);
    // Sizes of memories: equal in their low bits.
    for (std::uint64_t i = 2; i < 2000; ++i)
        ASSERT_EQ(pool.number_of(i << 40), static_cast<std::uint32_t>(i + 1));
}

}  // namespace
}  // namespace rocmtune
