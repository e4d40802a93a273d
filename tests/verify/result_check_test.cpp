// SPDX-License-Identifier: MIT
// When two results are the same.
#include "judge/verify/result_check.hpp"

#include <gtest/gtest.h>

namespace rocmtune::verify {
namespace {

TEST(Difference, is_one_byte_where_nothing_is_tolerated) {
    EXPECT_EQ(difference_of("1.0\n", "1.0\n", {}), "");
    EXPECT_EQ(difference_of("1.00\n", "1.0\n", {}), "5 bytes and 4 before");
    EXPECT_NE(difference_of("1.1\n", "1.0\n", {}), "");
}

TEST(Difference, of_numbers_is_measured_by_the_larger_one) {
    EXPECT_EQ(difference_of("loss 1.001, step 7\n", "loss 1.000, step 7\n", 0.01), "");
    EXPECT_EQ(difference_of("a\nloss 1.2\n", "a\nloss 1.0\n", 0.01), "line 2: 1.2 and 1.0 before");
    EXPECT_EQ(difference_of("0\n", "0.0\n", 0.0), "");
    EXPECT_NE(difference_of("nan\n", "1\n", 0.5), "");
}

TEST(Difference, of_words_and_shapes_is_never_tolerated) {
    EXPECT_EQ(difference_of("ok\n", "failed\n", 1.0), "line 1: ok and failed before");
    EXPECT_EQ(difference_of("1 2\n", "1\n", 1.0), "line 1: 2 words and 1 before");
    EXPECT_EQ(difference_of("1\n2\n", "1\n", 1.0), "2 lines and 1 before");
}

TEST(ResultRule, says_what_it_compares) {
    EXPECT_EQ(text_of({}), "by the exit code alone");
    EXPECT_EQ(text_of({.file = "out", .tolerance = 0.001}),
              "out must be the same, numbers within 0.1 %");
    EXPECT_EQ(text_of({.pattern = "loss", .file = "out"}),
              "output must have loss; out must be the same");
}

}  // namespace
}  // namespace rocmtune::verify
