// SPDX-License-Identifier: MIT
#include "base/text.hpp"

#include <gtest/gtest.h>

namespace rocmtune {
namespace {

TEST(Ascii, names_of_variables_are_those_that_every_shell_takes) {
    for (auto const* name : {"A", "_", "a1", "HSA_OVERRIDE_GFX_VERSION_0"})
        EXPECT_TRUE(is_variable_name(name)) << name;
    for (auto const* text : {"", "1A", "A-B", "A.B", "A B", "A\n", "\xc3\x84", "A=B", "$A"})
        EXPECT_FALSE(is_variable_name(text)) << text;
}

}  // namespace
}  // namespace rocmtune
