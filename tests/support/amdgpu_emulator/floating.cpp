// SPDX-License-Identifier: MIT
// Vector instructions on floating-point numbers. Rounding is to the nearest and denormal numbers
// are kept, as compilers set both for compute; what GPUs approximate (reciprocals, roots, powers)
// is exact here.
#include <algorithm>
#include <cmath>

#include "operations.hpp"

namespace rocmtune::emulator {
namespace {

/// Instructions of two numbers in each of two registers: which word of a source each half takes is
/// in op_sel and op_sel_hi. A constant or scalar register stands for both words.
Lanes<float> packed_source(Wave const& wave, Instruction const& it, std::size_t source,
                           bool upper) {
    Operand operand = it.operands.at(source + 1);
    bool const second = upper ? it.op_sel_hi[source] : it.op_sel[source];
    bool const negated = upper ? it.neg_hi[source] : it.neg_lo[source];
    // Of a constant only the first word exists; the second is 0.
    if (operand.kind == Operand::Kind::constant && second) operand.constant.word = 0;
    else if (operand.kind != Operand::Kind::constant) operand.index += second ? 1 : 0;
    auto values = lanes_of<float>(wave, operand);
    if (negated)
        for (auto& value : values) value = -value;
    return values;
}

template <class F>
Lanes<u32> packed_half(F f, Wave const& wave, Instruction const& it, bool upper) {
    auto const a = packed_source(wave, it, 0, upper);
    auto const b = packed_source(wave, it, 1, upper);
    auto const c = it.operands.size() > 3 ? packed_source(wave, it, 2, upper) : Lanes<float>{};
    Lanes<u32> results;
    for (unsigned lane = 0; lane < most_lanes; ++lane)
        results[lane] = std::bit_cast<u32>(f(a[lane], b[lane], c[lane]));
    return results;
}

template <class F>
constexpr Execute packed(F) {
    return [](Wave& wave, Instruction const& it) {
        auto const low = packed_half(F{}, wave, it, false);
        auto const high = packed_half(F{}, wave, it, true);
        Lanes<u64> both;
        for (unsigned lane = 0; lane < most_lanes; ++lane)
            both[lane] = u64{high[lane]} << 32 | low[lane];
        put(wave, it, both);
    };
}

float ldexp_of(float value, i32 exponent) {
    return std::ldexp(value, exponent);
}
Half rounded(float value) {
    return to_half(value);
}

constexpr Operation operations[] = {
    {"v_add_f32", vector([](float a, float b) { return a + b; })},
    {"v_sub_f32", vector([](float a, float b) { return a - b; })},
    {"v_subrev_f32", vector([](float a, float b) { return b - a; })},
    {"v_mul_f32", vector([](float a, float b) { return a * b; })},
    {"v_max_num_f32", vector([](float a, float b) { return std::fmax(a, b); })},
    {"v_min_num_f32", vector([](float a, float b) { return std::fmin(a, b); })},
    {"v_fma_f32", vector([](float a, float b, float c) { return std::fma(a, b, c); })},
    {"v_fmamk_f32", vector([](float a, float b, float c) { return std::fma(a, b, c); })},
    {"v_fmaak_f32", vector([](float a, float b, float c) { return std::fma(a, b, c); })},
    {"v_fmac_f32", vector_into([](float a, float b, float c) { return std::fma(a, b, c); })},
    // Rounded twice, unlike fma.
    {"v_mad_f32", vector([](float a, float b, float c) { return a * b + c; })},
    {"v_madmk_f32", vector([](float a, float b, float c) { return a * b + c; })},
    {"v_madak_f32", vector([](float a, float b, float c) { return a * b + c; })},
    {"v_mac_f32", vector_into([](float a, float b, float c) { return a * b + c; })},
    {"v_med3_f32", vector([](float a, float b, float c) {
         return std::fmax(std::fmin(a, b), std::fmin(std::fmax(a, b), c));
     })},
    {"v_rcp_f32", vector([](float a) { return 1 / a; })},
    {"v_sqrt_f32", vector([](float a) { return std::sqrt(a); })},
    {"v_rsq_f32", vector([](float a) { return 1 / std::sqrt(a); })},
    {"v_exp_f32", vector([](float a) { return std::exp2(a); })},
    {"v_log_f32", vector([](float a) { return std::log2(a); })},
    {"v_rndne_f32", vector([](float a) { return std::nearbyint(a); })},
    {"v_trunc_f32", vector([](float a) { return std::trunc(a); })},
    {"v_floor_f32", vector([](float a) { return std::floor(a); })},
    {"v_ceil_f32", vector([](float a) { return std::ceil(a); })},
    {"v_fract_f32", vector([](float a) { return a - std::floor(a); })},
    {"v_ldexp_f32", vector([](float a, i32 b) { return ldexp_of(a, b); })},

    {"v_cvt_f32_u32", vector([](u32 a) { return static_cast<float>(a); })},
    {"v_cvt_f32_i32", vector([](i32 a) { return static_cast<float>(a); })},
    {"v_cvt_u32_f32", vector([](float a) { return to_integer<u32>(a); })},
    {"v_cvt_i32_f32", vector([](float a) { return to_integer<i32>(a); })},
    {"v_cvt_f32_ubyte0", vector([](u32 a) { return static_cast<float>(a & 0xFF); })},
    {"v_cvt_f32_ubyte1", vector([](u32 a) { return static_cast<float>(a >> 8 & 0xFF); })},
    {"v_cvt_f32_ubyte2", vector([](u32 a) { return static_cast<float>(a >> 16 & 0xFF); })},
    {"v_cvt_f32_ubyte3", vector([](u32 a) { return static_cast<float>(a >> 24); })},
    {"v_cvt_f32_f16", vector([](Half a) { return to_float(a); })},
    {"v_cvt_f16_f32", vector([](float a) { return rounded(a); })},
    {"v_add_f16", vector([](Half a, Half b) { return rounded(to_float(a) + to_float(b)); })},
    {"v_sub_f16", vector([](Half a, Half b) { return rounded(to_float(a) - to_float(b)); })},
    {"v_mul_f16", vector([](Half a, Half b) { return rounded(to_float(a) * to_float(b)); })},

    {"v_add_f64", vector([](double a, double b) { return a + b; })},
    {"v_mul_f64", vector([](double a, double b) { return a * b; })},
    {"v_max_num_f64", vector([](double a, double b) { return std::fmax(a, b); })},
    {"v_min_num_f64", vector([](double a, double b) { return std::fmin(a, b); })},
    {"v_fma_f64", vector([](double a, double b, double c) { return std::fma(a, b, c); })},
    {"v_fmac_f64", vector_into([](double a, double b, double c) { return std::fma(a, b, c); })},
    {"v_ldexp_f64", vector([](double a, i32 b) { return std::ldexp(a, b); })},
    {"v_rcp_f64", vector([](double a) { return 1 / a; })},
    {"v_cvt_f64_f32", vector([](float a) { return static_cast<double>(a); })},
    {"v_cvt_f32_f64", vector([](double a) { return static_cast<float>(a); })},
    {"v_cvt_f64_u32", vector([](u32 a) { return static_cast<double>(a); })},
    {"v_cvt_f64_i32", vector([](i32 a) { return static_cast<double>(a); })},
    {"v_cvt_u32_f64", vector([](double a) { return to_integer<u32>(a); })},
    {"v_cvt_i32_f64", vector([](double a) { return to_integer<i32>(a); })},

    {"v_pk_fma_f32", packed([](float a, float b, float c) { return std::fma(a, b, c); })},
    {"v_pk_mul_f32", packed([](float a, float b, float) { return a * b; })},
    {"v_pk_add_f32", packed([](float a, float b, float) { return a + b; })},
};

}  // namespace

std::span<Operation const> float_operations() {
    return operations;
}

}  // namespace rocmtune::emulator
