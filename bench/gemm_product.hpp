// SPDX-License-Identifier: MIT
// One product of random matrices: its operands, who computes it, whether it is right.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bench/gemm_libraries.hpp"
#include "bench/witness.hpp"

namespace rocmtune::bench {

/// Random matrices of one type in device memory, and the numbers in them.
struct GemmInput {
    /// @param dies  XCDs of the device, to which blocks are dealt in turn
    GemmInput(Device& device, GemmType const& which, std::uint64_t side, std::uint64_t dies = 1);
    /// Bytes that these matrices take on a device.
    static std::uint64_t bytes_of(GemmType const& type, std::uint64_t side);
    GemmBuffers buffers() const {
        return {device_a.address(), device_b.address(), device_c.address(), n};
    }

    Device& device;
    GemmType const& type;
    std::uint64_t n;
    std::uint64_t compute_dies;
    Matrix a, b;
    Buffer device_a, device_b, device_c;
};

/// Whether we have a kernel of our own for this target and type.
bool has_own_kernel(std::string_view target, std::string_view type);

/// The product by a library, or by our own kernel if `library` is empty. Nothing if it is not
/// installed or there is no such kernel. @throws DeviceError
std::optional<Product> product_of(Device& device, GemmInput& input, std::string_view library);

/// Where the product leaves its result: our own kernels write accumulators.
inline Output output_of(GemmInput const& input, Product const& product) {
    return device_output(input.device, input.device_c.address(),
                         product.library.empty() ? input.device_c.bytes()
                                                 : input.n * input.n * input.type.output_bytes);
}

/// Compares the product with one that is computed here. Empty if it is right, else what is wrong.
std::string check_of(Device& device, GemmInput const& input, Product const& product);

}  // namespace rocmtune::bench
