// SPDX-License-Identifier: MIT
// Every kernel of the benchmarks, for every target.
#include <gtest/gtest.h>

#include "bench/emulated/checks.hpp"
#include "bench/vpoc.hpp"

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

/// Three windows, three splits and global, each warmed up and timed three times.
TEST(EmulatedVpoc, tries_four_vectors_where_they_fit_into_registers) {
    constexpr std::pair<char const*, std::uint64_t> tried[] = {
        {"gfx906", 5}, {"gfx90a", 7}, {"gfx1100", 7}};
    for (auto const& [target, kernels] : tried) {
        EmulatedDevice device(target);
        device.changed_info().lds_bytes = 4096;
        bench::Options const options;
        bench::Session session{device, options};
        bench::VpocInput const input(device, bench::make_ticks("uniform", 10'007, 1009));
        EXPECT_NE(bench::best_launch(session, input).first, nullptr);
        EXPECT_EQ(device.launches, 4 * kernels) << target;
    }
}

INSTANTIATE_TEST_SUITE_P(, EmulatedKernels, testing::ValuesIn(targets),
                         [](auto const& it) { return std::string(it.param); });

// ---- faults of the device -----------------------------------------------------------------------

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
