// SPDX-License-Identifier: MIT
// Rows of matrices lie in LDS so that no load or store meets a bank twice in one clock.
#include <gtest/gtest.h>

#include "banks.hpp"
#include "bench/emulated/checks.hpp"
#include "bench/gemm.hpp"

namespace rocmtune::test {
namespace {

using bench::GemmInput;
using emulator::LdsClocks;

/// Of one product by our own kernel.
LdsClocks clocks_of(EmulatedDevice& device, bench::GemmType const& type) {
    LdsClocks clocks;
    GemmInput input(device, type, 256, device.matrix_units());
    device.options.lds_clocks = &clocks;
    bench::product_of(device, input, {})->queue();
    device.options.lds_clocks = nullptr;
    return clocks;
}

class Banks : public testing::TestWithParam<char const*> {};

TEST_P(Banks, are_never_met_twice_by_products) {
    EmulatedDevice device(GetParam());
    for (auto const& type : bench::gemm_types()) {
        if (!bench::has_own_kernel(device.matrix_units(), type.name)) continue;
        auto const clocks = clocks_of(device, type);
        EXPECT_GT(clocks.total().least, 0U) << type.name;
        EXPECT_EQ(clocks.total().taken, clocks.total().least)
            << type.name << ": " << clocks.worst();
    }
}

INSTANTIATE_TEST_SUITE_P(, Banks, testing::ValuesIn(targets),
                         [](auto const& it) { return std::string(it.param); });

TEST(BanksOfMutants, are_met_twice_where_rows_lie_otherwise) {
    for (auto const* target : {"gfx906", "gfx908", "gfx90a", "gfx942", "gfx1100", "gfx1201"}) {
        EmulatedDevice device(target);
        device.replaced_files["gemm"] =
            mutated("sgemm_without_gaps", "gemm", "#define RT_PAD 4", "#define RT_PAD 0");
        device.replaced_files["gemm_matrix"] =
            mutated("rows_of_80_bytes", "gemm_matrix", "(128 + RT_READ)", "(128 + 32)");
        for (auto const& type : bench::gemm_types()) {
            if (!bench::has_own_kernel(device.matrix_units(), type.name)) continue;
            auto const total = clocks_of(device, type).total();
            EXPECT_GT(total.taken, total.least) << type.name << " on " << target;
        }
    }
}

}  // namespace
}  // namespace rocmtune::test
