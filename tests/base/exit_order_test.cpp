// SPDX-License-Identifier: MIT
#include "rocmtune/error.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rocmtune::test {
namespace {

TEST(ExitOrder, is_that_of_the_contract) {
    std::vector<int> const gravest_first{130, 5, 2, 1, 3, 4, 0};
    for (std::size_t i = 0; i < gravest_first.size(); ++i)
        for (std::size_t k = i; k < gravest_first.size(); ++k) {
            auto const a = static_cast<Exit>(gravest_first[i]);
            auto const b = static_cast<Exit>(gravest_first[k]);
            EXPECT_EQ(graver(a, b), a) << gravest_first[i] << ' ' << gravest_first[k];
            EXPECT_EQ(graver(b, a), a) << gravest_first[k] << ' ' << gravest_first[i];
        }
}

}  // namespace
}  // namespace rocmtune::test
