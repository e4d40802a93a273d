// SPDX-License-Identifier: MIT
// Every kernel of the benchmarks, for every target.
#include <gtest/gtest.h>

#include "bench/emulated/checks.hpp"

namespace rocmtune::test {
namespace {

using emulator::Fault;

class EmulatedKernels : public testing::TestWithParam<char const*> {};

TEST_P(EmulatedKernels, of_bandwidth_are_right) {
    EmulatedDevice device(GetParam());
    EXPECT_EQ(wrong_in_bandwidth(device), "");
    EXPECT_GT(device.launches, 500U);
}

TEST_P(EmulatedKernels, of_check_are_right) {
    EmulatedDevice device(GetParam());
    EXPECT_EQ(wrong_in_pattern(device), "");
}

TEST_P(EmulatedKernels, of_vpoc_are_right) {
    EmulatedDevice device(GetParam());
    EXPECT_EQ(wrong_in_vpoc(device), "");
    EXPECT_GT(device.launches, 100U);
}

TEST_P(EmulatedKernels, of_matrix_products_are_right) {
    EmulatedDevice device(GetParam());
    EXPECT_EQ(wrong_in_gemm(device), "");
    EXPECT_GE(device.launches, 4U);
    EXPECT_EQ(wrong_in_gemm_matrix(device), "");
}

INSTANTIATE_TEST_SUITE_P(, EmulatedKernels, testing::ValuesIn(targets),
                         [](auto const& it) { return std::string(it.param); });

// ---- faults of the device
// ------------------------------------------------------------------------

TEST(EmulatedFaults, transposed_layouts_are_noticed) {
    for (auto const* target : {"gfx908", "gfx90a", "gfx942", "gfx1100", "gfx1200"}) {
        EmulatedDevice device(target, {.fault = Fault::transposed_layout});
        EXPECT_NE(wrong_in_gemm_matrix(device), "") << target;
    }
}

TEST(EmulatedFaults, lost_atomics_are_noticed) {
    EmulatedDevice device("gfx90a", {.fault = Fault::lost_atomics});
    EXPECT_NE(wrong_in_vpoc(device), "");
}

TEST(EmulatedFaults, ignored_barriers_are_noticed) {
    for (auto const wrong :
         {wrong_in_bandwidth, wrong_in_vpoc, wrong_in_gemm, wrong_in_gemm_matrix}) {
        EmulatedDevice device("gfx90a", {.fault = Fault::ignored_barriers});
        EXPECT_NE(wrong(device), "");
    }
}

}  // namespace
}  // namespace rocmtune::test
