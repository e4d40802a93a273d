// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "bench/data.hpp"
#include "bench/gemm.hpp"
#include "bench/host_threads.hpp"

namespace rocmtune::bench {
namespace {

constexpr GemmType types[] = {
    // Matrix units cut sums off instead of rounding, those of fp8 at 13 bits. tf32 keeps 10 bits of
    // each input's fraction: no result is closer than that, which stands as rounding of the output.
    {"fp64", 8, 8, 0x1p-53, 0x1p-53},
    {"fp32", 4, 4, 0x1p-24, 0x1p-24},
    {"tf32", 4, 4, 0x1p-11, 0x1p-22},
    {"fp16", 2, 2, 0x1p-11, 0x1p-24},
    {"bf16", 2, 2, 0x1p-8, 0x1p-24},
    {"fp8", 1, 2, 0x1p-8, 0x1p-13},
    {"int8", 1, 4, 0, 0},
};

/// fp32 with its last 16 bits rounded off, ties to even.
std::uint16_t to_bf16(float value) {
    auto const bits = std::bit_cast<std::uint32_t>(value);
    return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1)) >> 16);
}
float from_bf16(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// The nearest number with three bits after the leading one, none below 1/64: in fp8 e4m3 these
/// are normal numbers.
float rounded_to_e4m3(float value) {
    int exponent = 0;
    auto const fraction = std::frexp(value, &exponent);  // 0.5 to 1
    auto const rounded = std::ldexp(std::nearbyint(fraction * 16), exponent - 4);
    return std::abs(rounded) < 0x1p-6F ? std::copysign(0x1p-6F, rounded) : rounded;
}

/// Of such a number; the exponent bias is 7 (OCP) or 8 (FNUZ).
std::uint8_t to_e4m3(float value, bool fnuz) {
    int exponent = 0;
    auto const fraction = std::frexp(std::abs(value), &exponent);  // in [0.5, 1)
    auto const mantissa = static_cast<unsigned>(std::lround(fraction * 16)) & 7U;
    auto const sign = value < 0 ? 0x80U : 0U;
    return static_cast<std::uint8_t>(
        sign | static_cast<unsigned>(exponent - 1 + (fnuz ? 8 : 7)) << 3 | mantissa);
}

template <class T>
void store(std::uint8_t* to, std::size_t i, T value) {
    std::memcpy(to + i * sizeof(T), &value, sizeof value);
}
template <class T>
T load(std::uint8_t const* from, std::size_t i) {
    T value;
    std::memcpy(&value, from + i * sizeof(T), sizeof value);
    return value;
}

/// [-1, 1) with all bits that fp64 has: numbers with fewer take less power and are quicker.
double fraction_of(std::uint32_t word) {
    auto const both = std::uint64_t{word} << 32 | mixed(word ^ 0x5bd1e995U);
    return static_cast<double>(static_cast<std::int64_t>(both) >> 10) * 0x1p-53;
}

void put_element(GemmType const& type, Matrix& matrix, std::size_t i, std::uint32_t word,
                 bool fnuz) {
    auto* const to = matrix.bytes.data();
    if (type.name == "fp64") return store(to, i, fraction_of(word));
    auto value = static_cast<float>(static_cast<std::int32_t>(word) >> 7) * 0x1p-24F;  // [-1, 1)
    if (value == 0) value = 0.5F;
    if (type.name == "fp32" || type.name == "tf32") store(to, i, value);
    else if (type.name == "fp16")
        store(to, i, static_cast<_Float16>(value)),
            value = static_cast<float>(load<_Float16>(to, i));
    else if (type.name == "bf16")
        store(to, i, to_bf16(value)), value = from_bf16(load<std::uint16_t>(to, i));
    else if (type.name == "fp8") value = rounded_to_e4m3(value), store(to, i, to_e4m3(value, fnuz));
    else value = std::floor(value * 128), store(to, i, static_cast<std::int8_t>(value));
    matrix.values[i] = value;
}

/// Element `i` of a result.
double result_at(GemmType const& type, std::uint8_t const* c, std::size_t i) {
    if (type.name == "int8") return load<std::int32_t>(c, i);
    if (type.output_bytes == 8) return load<double>(c, i);
    if (type.output_bytes == 4) return static_cast<double>(load<float>(c, i));
    if (type.name == "fp16") return static_cast<double>(load<_Float16>(c, i));
    return static_cast<double>(from_bf16(load<std::uint16_t>(c, i)));
}

int sign_of(std::size_t i) {
    return (mixed(static_cast<std::uint32_t>(i) + 777U) & 1) != 0 ? 1 : -1;
}

/// y = M x for each row, or M^T x. M has as many columns as x has elements.
template <class T>
std::vector<double> times(T const* m, bool transposed, std::vector<double> const& x) {
    auto const n = x.size();
    std::vector<double> y(n);
    in_parallel([&](unsigned part, unsigned parts) {
        auto const range = part_of(n, part, parts);
        if (!transposed) {
            for (auto i = range.begin; i < range.end; ++i)
                for (std::size_t k = 0; k < n; ++k)
                    y[i] += static_cast<double>(m[i * n + k]) * x[k];
        } else {
            for (std::size_t k = 0; k < n; ++k)
                for (auto i = range.begin; i < range.end; ++i)
                    y[i] += static_cast<double>(m[k * n + i]) * x[k];
        }
    });
    return y;
}

std::vector<double> times(Matrix const& m, bool transposed, std::vector<double> const& x) {
    if (!m.values.empty()) return times(m.values.data(), transposed, x);
    return times(reinterpret_cast<double const*>(m.bytes.data()), transposed, x);
}

}  // namespace

std::span<GemmType const> gemm_types() {
    return types;
}

GemmType const* find_gemm_type(std::string_view name) {
    auto const* const found = std::ranges::find(types, name, &GemmType::name);
    return found == std::end(types) ? nullptr : found;
}

double Matrix::at(std::size_t i) const {
    return values.empty() ? load<double>(bytes.data(), i) : static_cast<double>(values[i]);
}

Matrix random_matrix(GemmType const& type, std::size_t n, std::uint32_t seed, bool fnuz) {
    Matrix matrix{std::vector<float>(type.name == "fp64" ? 0 : n * n),
                  std::vector<std::uint8_t>(n * n * type.input_bytes)};
    in_parallel([&](unsigned part, unsigned parts) {
        auto const range = part_of(n * n, part, parts, 64);
        for (auto i = range.begin; i < range.end; ++i)
            put_element(type, matrix, i, mixed(static_cast<std::uint32_t>(i) * 0x9e3779b9U + seed),
                        fnuz);
    });
    return matrix;
}

std::string check_product(GemmType const& type, std::size_t n, Matrix const& a, Matrix const& b,
                          bool b_transposed, std::span<std::uint8_t const> c) {
    std::vector<double> signs(n);
    for (std::size_t i = 0; i < n; ++i) signs[i] = sign_of(i);
    auto const expected = times(a, false, times(b, b_transposed, signs));
    std::vector<double> found(n);
    in_parallel([&](unsigned part, unsigned parts) {
        auto const range = part_of(n, part, parts);
        for (auto i = range.begin; i < range.end; ++i)
            for (std::size_t j = 0; j < n; ++j)
                found[i] += result_at(type, c.data(), i * n + j) * signs[j];
    });
    // The bound of n and the type: an element is about sqrt(n) / 3 large. Rounding changes it by
    // that times the epsilon of the result, and each of the n additions by that times the epsilon
    // of a sum, with random signs sqrt(n) times as much. So do n elements with random signs, and
    // ten times that is beyond chance. (The worst case, n times as much, would let errors of the
    // size of an element pass.) In bf16 and fp8 of thousands of rows one wrong element may hide in
    // a row; one in each block of them, or a part of all sums that is missing, does not.
    auto const side = static_cast<double>(n);
    auto const element = std::sqrt(side) / 3;
    auto const rounding = type.output_epsilon + type.sum_epsilon * std::sqrt(side);
    auto const tolerance = type.name == "int8" ? 0.5 : 10 * element * std::sqrt(side) * rounding;
    for (std::size_t i = 0; i < n; ++i)
        if (!(std::abs(found[i] - expected[i]) <= tolerance))
            return fmt::format(
                "row {} of {} is wrong: its check sum is {:.9g}, not {:.9g} (within {:.2g})", i, n,
                found[i], expected[i], tolerance);
    return {};
}

}  // namespace rocmtune::bench
