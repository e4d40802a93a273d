// SPDX-License-Identifier: MIT
#include "base/lists.hpp"

#include <gtest/gtest.h>

namespace rocmtune {
namespace {

TEST(CpuList, is_ascending_numbers_and_ranges) {
    using List = std::vector<std::uint32_t>;
    EXPECT_EQ(parse_cpu_list("0-2,5"), (List{0, 1, 2, 5}));
    EXPECT_EQ(parse_cpu_list("7\n"), (List{7}));
    EXPECT_EQ(parse_cpu_list(""), List{});
    for (auto const* odd : {"1-0", "0-2,2", "3,1", "0-4294967295", "a", "1,", "-1", "0x1", "1-2-3"})
        EXPECT_FALSE(parse_cpu_list(odd)) << odd;
}

}  // namespace
}  // namespace rocmtune
