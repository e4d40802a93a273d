// SPDX-License-Identifier: MIT
// Matrix products in every type that a target has a kernel for.
#include "bench/gemm_product.hpp"

#include <gtest/gtest.h>

#include "bench/emulated/device.hpp"

namespace rocmtune::test {
namespace {

using namespace bench;

/// What is wrong with a product of our own kernel.
std::string product(EmulatedDevice& device, GemmType const& type, std::uint64_t side) {
    GemmInput input(device, type, side);
    input.spoil();
    auto const product = product_of(device, input, {});
    product->queue();
    return check_of(device, input, *product);
}

class EmulatedGemm : public testing::TestWithParam<char const*> {};

TEST_P(EmulatedGemm, every_type_is_right) {
    EmulatedDevice device(GetParam());
    for (auto const& type : gemm_types()) {
        if (!has_own_kernel(GetParam(), type.name)) continue;
        for (auto const schedule : schedules) {
            device.options.schedule = schedule;
            EXPECT_EQ(product(device, type, 256), "") << type.name;
        }
    }
}

TEST_P(EmulatedGemm, a_transposed_layout_is_noticed) {
    EmulatedDevice device(GetParam(), {.fault = emulator::Fault::transposed_layout});
    for (auto const& type : gemm_types())
        if (type.name != "fp32" && has_own_kernel(GetParam(), type.name)) {
            EXPECT_NE(product(device, type, 256), "") << type.name;
        }
}

INSTANTIATE_TEST_SUITE_P(, EmulatedGemm, testing::ValuesIn(targets),
                         [](auto const& it) { return std::string(it.param); });

}  // namespace
}  // namespace rocmtune::test
