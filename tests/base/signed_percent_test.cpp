// SPDX-License-Identifier: MIT
#include "base/text.hpp"

#include <gtest/gtest.h>

namespace rocmtune {
namespace {

TEST(SignedPercent, has_one_digit_and_a_sign) {
    EXPECT_EQ(signed_percent(0.025), "+2.5 %");
    EXPECT_EQ(signed_percent(-0.025), "-2.5 %");
    EXPECT_EQ(signed_percent(12), "+1200.0 %");
}

TEST(SignedPercent, of_nothing_has_no_sign) {
    for (double const nothing : {0.0, -0.0, 1e-17, -1e-17, 0.0004, -0.0004})
        EXPECT_EQ(signed_percent(nothing), "0.0 %") << nothing;
    EXPECT_EQ(signed_percent(-0.0006), "-0.1 %");
}

}  // namespace
}  // namespace rocmtune
