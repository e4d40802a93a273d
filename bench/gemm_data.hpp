// SPDX-License-Identifier: MIT
// Element types of matrix products, random matrices, and the check of a product.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rocmtune::bench {

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
/// `fnuz`: fp8 as gfx940 to gfx942 have it.
Matrix random_matrix(GemmType const& type, std::size_t n, std::uint32_t seed, bool fnuz = false);

/// Whether fp8 on this target is FNUZ (exponent bias 8, no infinity) and not OCP (bias 7): the same
/// bits then mean half as much.
bool is_fnuz(std::string_view target);

/// Checks C = A B (or A B^T) by a random vector of signs: C x = A (B x) in fp64, row by row. Every
/// element of C takes part. Empty if every row is right within rounding, else what is wrong.
/// `c` holds n x n results of the output type.
std::string check_product(GemmType const& type, std::size_t n, Matrix const& a, Matrix const& b,
                          bool b_transposed, std::span<std::uint8_t const> c);

}  // namespace rocmtune::bench
