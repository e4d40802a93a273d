// SPDX-License-Identifier: MIT
// Matrix products in every type that a target has a kernel for.
#include "bench/gemm.hpp"

#include <fmt/format.h>

#include "bench/emulated/checks.hpp"

namespace rocmtune::test {
namespace {

using namespace bench;

/// What is wrong with a product of our own kernel.
std::string wrong_product(EmulatedDevice& device, GemmType const& type, std::uint64_t side) {
    GemmInput input(device, type, side, device.matrix_units());
    device.fill(input.device_c.address(), spoiled_byte, input.device_c.bytes());
    auto const product = product_of(device, input, {});
    product->queue();
    return check_of(device, input, *product);
}

std::string wrong_types(EmulatedDevice& device, bool matrix) {
    for (auto const& type : gemm_types()) {
        if (!has_own_kernel(device.matrix_units(), type.name)) continue;
        if ((type.name != "fp32") != matrix) continue;
        auto const text =
            wrong_under_any_schedule(device, [&] { return wrong_product(device, type, 256); });
        if (!text.empty()) return fmt::format("{}: {}", type.name, text);
    }
    return {};
}

}  // namespace

std::string wrong_in_gemm(EmulatedDevice& device) {
    return wrong_types(device, false);
}

std::string wrong_in_gemm_matrix(EmulatedDevice& device) {
    return wrong_types(device, true);
}

}  // namespace rocmtune::test
