// SPDX-License-Identifier: MIT
// Matrix products: types of elements, random matrices, who multiplies them, whether it is right.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/session.hpp"

namespace rocmtune {
class ChipSet;
}

namespace rocmtune::bench {

// ---- data: gemm_data.cpp ------------------------------------------------------------------------

/// A type that matrix products are measured in.
struct GemmType {
    std::string_view name;  ///< fp64, fp32, tf32, fp16, bf16, fp8, int8
    std::size_t input_bytes;
    std::size_t output_bytes;
    double output_epsilon;  ///< rounding of one result: half a unit in the last place of 1
    double sum_epsilon;     ///< rounding while summing, of the inputs too
};

std::span<GemmType const> gemm_types();
GemmType const* find_gemm_type(std::string_view name);

/// One square matrix as its type holds it, and the same numbers as floats (exact). Of fp64 there
/// are no floats: the bytes are the numbers, all 53 bits of them.
struct Matrix {
    std::vector<float> values;
    std::vector<std::uint8_t> bytes;

    double at(std::size_t i) const;
};

/// Random numbers in [-1, 1), or integers in [-128, 127], in all bits of their type: zeros flatter
/// a GPU by a fifth, fp64 with the bits of fp32 by an eighth. `n` rows and columns, row-major.
/// @param fnuz  fp8 with the exponent bias 8 and without infinity (FNUZ), and not 7 (OCP): the same
///              bits mean half as much
Matrix random_matrix(GemmType const& type, std::size_t n, std::uint32_t seed, bool fnuz = false);

/// Checks C = A B (or A B^T) by a random vector of signs: C x = A (B x) in fp64, row by row. Every
/// element of C takes part. Empty if every row is right within rounding, else what is wrong.
/// `c` holds n x n results of the output type.
std::string check_product(GemmType const& type, std::size_t n, Matrix const& a, Matrix const& b,
                          bool b_transposed, std::span<std::uint8_t const> c);

// ---- libraries: gemm_libraries.cpp --------------------------------------------------------------

/// Matrices on the device; all are n x n.
struct GemmBuffers {
    Address a, b, c;
    std::uint64_t n;
    bool fnuz;  ///< fp8 is
};

/// A product ready to be queued: C = A B, or A B^T.
struct Product {
    std::string kernel;
    std::string library;  ///< file it came from; empty for our own
    bool b_transposed = false;
    std::function<void()> queue;
};

/// How a library numbers the types of a product.
struct BlasType {
    std::string_view name;
    int input, output, compute;
    int scale = 0;  ///< of alpha and beta, where the library asks for it
};

/// A library for a backend, opened in the worker.
struct GemmLibrary {
    std::string_view name;
    std::string_view backend;
    std::span<BlasType const> types;
    /// Gives nothing if the library is not installed. @throws DeviceError if it should work and
    /// does not.
    std::optional<Product> (*open)(Device& device, BlasType const& type,
                                   GemmBuffers const& buffers);

    bool has(std::string_view type) const { return row_of(type) != nullptr; }
    BlasType const* row_of(std::string_view type) const;
};

std::span<GemmLibrary const> gemm_libraries();

// ---- products: gemm_product.cpp -----------------------------------------------------------------

/// The matrix units of a target ("gfx942", "gfx90a:sramecc+:xnack-") by its profile or that of its
/// family; nothing is known of a target that has neither.
MatrixUnits matrix_units_of(ChipSet const& chips, std::string_view target);

/// Random matrices of one type in device memory, and the numbers in them.
struct GemmInput {
    /// @param dies  XCDs of the device, to which blocks are dealt in turn
    GemmInput(Device& device, GemmType const& which, std::uint64_t side, MatrixUnits const& units,
              std::uint64_t dies = 1);
    /// Bytes that these matrices take on a device.
    static std::uint64_t bytes_of(GemmType const& type, std::uint64_t side);
    GemmBuffers buffers() const {
        return {device_a.address(), device_b.address(), device_c.address(), n, units.fp8_is_fnuz()};
    }

    Device& device;
    GemmType const& type;
    std::uint64_t n;
    MatrixUnits units;
    std::uint64_t compute_dies;
    Matrix a, b;
    Buffer device_a, device_b, device_c;
};

/// Whether we have a kernel of our own for this type.
bool has_own_kernel(MatrixUnits const& units, std::string_view type);

/// The product by a library, or by our own kernel if `library` is empty. Nothing if it is not
/// installed or there is no such kernel. @throws DeviceError
std::optional<Product> product_of(Device& device, GemmInput& input, std::string_view library);

/// Where the product leaves its result: our own kernels write accumulators.
Output output_of(GemmInput const& input, Product const& product);

/// Compares the product with one that is computed here. Empty if it is right, else what is wrong.
std::string check_of(Device& device, GemmInput const& input, Product const& product);

/// Rows of the matrices that the options ask for, in whole tiles of our kernels.
std::uint64_t gemm_side(Session const& session);

/// Operations of a product of n x n matrices: 2 n^3.
constexpr double operations_of(std::uint64_t n) {
    auto const side = static_cast<double>(n);
    return 2 * side * side * side;
}

}  // namespace rocmtune::bench
