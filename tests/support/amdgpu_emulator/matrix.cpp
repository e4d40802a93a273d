// SPDX-License-Identifier: MIT
// D = A B + C by the matrix instructions MFMA (CDNA) and WMMA (RDNA3, RDNA4) of one block. Which
// lane and register hold which element: https://github.com/ROCm/amd_matrix_instruction_calculator.
// Products are added one after the other, each sum rounded; how the hardware rounds is not
// published.
#include <array>

#include "operations.hpp"

namespace rocmtune::emulator {
namespace {

enum class Format { fp64, fp32, fp16, bf16, fp8, int8 };

struct Shape {
    Format format;
    unsigned edge;   ///< rows of A and D, columns of B and D
    unsigned depth;  ///< columns of A, rows of B
    bool wmma = false;
};

constexpr unsigned bits_of(Format format) {
    switch (format) {
        case Format::fp64: return 64;
        case Format::fp32: return 32;
        case Format::fp16:
        case Format::bf16: return 16;
        default: return 8;
    }
}

/// How a row or a column is dealt to groups of lanes: runs of neighbours in turn.
struct Deal {
    unsigned groups, run;
    unsigned index_of(unsigned group, unsigned element) const {
        return element / run * run * groups + group * run + element % run;
    }
};

/// Of A and B, along the depth. RDNA3: both halves of the wave hold the same.
Deal operand_deal(Shape const& shape, Wave const& wave) {
    if (shape.wmma && wave.machine->target.generation == 11) return {1, shape.depth};
    auto const groups = wave.lanes / shape.edge;
    bool const runs_of_four = shape.wmma && bits_of(shape.format) == 16;
    return {groups, runs_of_four ? 4 : shape.depth / groups};
}

/// Of D and C, along the rows.
Deal result_deal(Shape const& shape, Wave const& wave) {
    auto const groups = wave.lanes / shape.edge;
    if (!shape.wmma) return {groups, shape.format == Format::fp64 ? 1U : 4U};
    return {groups, wave.machine->target.generation == 11 ? 1U : 8U};
}

u32 bits_at(Wave const& wave, Operand const& operand, unsigned lane, unsigned element,
            unsigned bits) {
    auto const word = vector_register(wave, operand, element * bits / 32)[lane];
    return bits == 32 ? word : word >> element * bits % 32 & ((1U << bits) - 1);
}

template <class T>
T element_of(Format format, Wave const& wave, Operand const& operand, unsigned lane,
             unsigned element, bool is_signed) {
    if (format == Format::fp64) return static_cast<T>(lanes_of<double>(wave, operand)[lane]);
    auto const bits = bits_at(wave, operand, lane, element, bits_of(format));
    switch (format) {
        case Format::fp32: return static_cast<T>(std::bit_cast<float>(bits));
        case Format::fp16: return static_cast<T>(to_float(Half{static_cast<u16>(bits)}));
        case Format::bf16: return static_cast<T>(from_bfloat(bits));
        case Format::fp8: return static_cast<T>(from_fp8(bits, wave.machine->target.fnuz));
        default:
            return static_cast<T>(is_signed ? i32{static_cast<i8>(bits)} : static_cast<i32>(bits));
    }
}

constexpr unsigned most_edge = 32, most_depth = 32;
/// A by columns or B by rows.
template <class T>
using Operands = std::array<std::array<T, most_edge>, most_depth>;
template <class T>
using Results = std::array<std::array<T, most_edge>, most_edge>;

template <class T>
Operands<T> operand_of(Shape const& shape, Wave const& wave, Instruction const& it,
                       std::size_t which) {
    auto const deal = operand_deal(shape, wave);
    bool const is_signed = !shape.wmma || it.neg_lo[which - 1];
    Operands<T> values{};
    for (unsigned lane = 0; lane < deal.groups * shape.edge; ++lane)
        for (unsigned i = 0; i < shape.depth / deal.groups; ++i)
            values[deal.index_of(lane / shape.edge, i)][lane % shape.edge] =
                element_of<T>(shape.format, wave, it.operands.at(which), lane, i, is_signed);
    return values;
}

/// RDNA3 wants A and B twice, and its result is not defined where the copies differ.
void check_copies(Wave const& wave, Instruction const& it, unsigned registers) {
    for (std::size_t which = 1; which <= 2; ++which)
        for (unsigned i = 0; i < registers; ++i) {
            auto const& words = vector_register(wave, it.operands.at(which), i);
            for (unsigned lane = 0; lane < 16; ++lane)
                if (words[lane] != words[lane + 16])
                    throw Failure("the halves of the wave hold different operands");
        }
}

/// a b + c with one rounding. Products of short formats are exact in fp32, so that no fma is
/// needed.
template <class T>
T sum_of(Format format, T a, T b, T c) {
    if constexpr (std::is_integral_v<T>)
        return static_cast<T>(static_cast<u32>(c) + static_cast<u32>(a * b));
    else return bits_of(format) >= 32 ? std::fma(a, b, c) : a * b + c;
}

template <class T>
void add_products(Shape const& shape, Operands<T> const& a, Operands<T> const& b, Results<T>& d) {
    for (unsigned k = 0; k < shape.depth; ++k)
        for (unsigned row = 0; row < shape.edge; ++row)
            for (unsigned column = 0; column < shape.edge; ++column)
                d[row][column] = sum_of(shape.format, a[k][row], b[k][column], d[row][column]);
}

/// Calls f(row, column, register, lane) for every element of D.
template <class F>
void for_each_result(Shape const& shape, Wave const& wave, F f) {
    auto const deal = result_deal(shape, wave);
    for (unsigned i = 0; i < shape.edge / deal.groups; ++i)
        for (unsigned lane = 0; lane < wave.lanes; ++lane)
            f(deal.index_of(lane / shape.edge, i), lane % shape.edge, i, lane);
}

template <class T>
void run(Shape const& shape, Wave& wave, Instruction const& it) {
    auto const a = operand_of<T>(shape, wave, it, 1), b = operand_of<T>(shape, wave, it, 2);
    auto const& c = it.operands.at(3);
    constexpr unsigned words = sizeof(T) / 4;
    Results<T> d;
    for_each_result(shape, wave, [&](unsigned row, unsigned column, unsigned i, unsigned lane) {
        Operand place = c;
        place.index += c.kind == Operand::Kind::vector ? i * words : 0;
        d[row][column] = lanes_of<T>(wave, place)[lane];
    });
    add_products(shape, a, b, d);
    bool const transposed = wave.machine->options.fault == Fault::transposed_layout;
    for_each_result(shape, wave, [&](unsigned row, unsigned column, unsigned i, unsigned lane) {
        auto const value = transposed ? d[column][row] : d[row][column];
        auto const bits = std::bit_cast<std::array<u32, words>>(value);
        for (unsigned word = 0; word < words; ++word)
            vector_register(wave, it.operands[0], i * words + word)[lane] = bits[word];
    });
}

template <Shape shape>
void multiply(Wave& wave, Instruction const& it) {
    if (it.clamps) throw Failure("sums that are cut off are not emulated");
    if (shape.wmma && wave.machine->target.generation == 11)
        check_copies(wave, it, shape.depth * bits_of(shape.format) / 32);
    if constexpr (shape.format == Format::fp64) run<double>(shape, wave, it);
    else if constexpr (shape.format == Format::int8) run<i32>(shape, wave, it);
    else run<float>(shape, wave, it);
}

constexpr Operation operations[] = {
    {"v_mfma_f64_16x16x4f64", multiply<{Format::fp64, 16, 4}>},
    {"v_mfma_f32_32x32x2f32", multiply<{Format::fp32, 32, 2}>},
    {"v_mfma_f32_16x16x4f32", multiply<{Format::fp32, 16, 4}>},
    {"v_mfma_f32_32x32x8f16", multiply<{Format::fp16, 32, 8}>},
    {"v_mfma_f32_16x16x16f16", multiply<{Format::fp16, 16, 16}>},
    {"v_mfma_f32_32x32x4bf16", multiply<{Format::bf16, 32, 4}>},
    {"v_mfma_f32_16x16x8bf16", multiply<{Format::bf16, 16, 8}>},
    {"v_mfma_f32_32x32x8bf16_1k", multiply<{Format::bf16, 32, 8}>},
    {"v_mfma_f32_16x16x16bf16_1k", multiply<{Format::bf16, 16, 16}>},
    {"v_mfma_i32_32x32x8i8", multiply<{Format::int8, 32, 8}>},
    {"v_mfma_i32_16x16x16i8", multiply<{Format::int8, 16, 16}>},
    {"v_mfma_i32_32x32x16_i8", multiply<{Format::int8, 32, 16}>},
    {"v_mfma_i32_16x16x32_i8", multiply<{Format::int8, 16, 32}>},
    {"v_mfma_f32_32x32x16_fp8_fp8", multiply<{Format::fp8, 32, 16}>},
    {"v_mfma_f32_16x16x32_fp8_fp8", multiply<{Format::fp8, 16, 32}>},
    {"v_wmma_f32_16x16x16_f16", multiply<{Format::fp16, 16, 16, true}>},
    {"v_wmma_f32_16x16x16_bf16", multiply<{Format::bf16, 16, 16, true}>},
    {"v_wmma_i32_16x16x16_iu8", multiply<{Format::int8, 16, 16, true}>},
    {"v_wmma_f32_16x16x16_fp8_fp8", multiply<{Format::fp8, 16, 16, true}>},
};

}  // namespace

std::span<Operation const> matrix_operations() {
    return operations;
}

}  // namespace rocmtune::emulator
