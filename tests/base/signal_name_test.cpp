// SPDX-License-Identifier: MIT
#include "base/text.hpp"

#include <csignal>

#include <gtest/gtest.h>

namespace rocmtune {
namespace {

TEST(SignalName, is_that_of_signal_h_or_the_number) {
    EXPECT_EQ(signal_name(SIGSEGV), "SIGSEGV");
    EXPECT_EQ(signal_name(SIGTERM), "SIGTERM");
    EXPECT_EQ(signal_name(40), "signal 40");
}

}  // namespace
}  // namespace rocmtune
