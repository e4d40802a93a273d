// SPDX-License-Identifier: MIT
// Scalar instructions. Source: instruction set references of "Vega" 7nm, CDNA1 to CDNA3, RDNA2 to
// RDNA4 by AMD, chapters "Scalar ALU Operations" and SOP1, SOP2, SOPC, SOPK.
#include <algorithm>
#include <bit>

#include "operations.hpp"

namespace rocmtune::emulator {
namespace {

// ---- sums that carry ----------------------------------------------------------------------------

template <bool carries>
void add_words(Wave& wave, Instruction const& it) {
    auto const sum = u64{scalar_value<u32>(wave, it.operands.at(1))} +
                     scalar_value<u32>(wave, it.operands.at(2)) + (carries && wave.scc ? 1 : 0);
    set_scalar(wave, it.operands[0], static_cast<u32>(sum));
    wave.scc = sum >> 32 != 0;
}

template <bool borrows>
void subtract_words(Wave& wave, Instruction const& it) {
    auto const from = scalar_value<u32>(wave, it.operands.at(1));
    auto const taken =
        u64{scalar_value<u32>(wave, it.operands.at(2))} + (borrows && wave.scc ? 1 : 0);
    set_scalar(wave, it.operands[0], static_cast<u32>(from - taken));
    wave.scc = taken > from;
}

Flagged<u32> signed_sum(u32 a, u32 b) {
    auto const sum = a + b;
    return {sum, ((a ^ sum) & (b ^ sum)) >> 31 != 0};
}
Flagged<u32> signed_difference(u32 a, u32 b) {
    auto const difference = a - b;
    return {difference, ((a ^ b) & (a ^ difference)) >> 31 != 0};
}
template <int shift>
Flagged<u32> shifted_sum(u32 a, u32 b) {
    auto const sum = (u64{a} << shift) + b;
    return {static_cast<u32>(sum), sum >> 32 != 0};
}
template <class T>
Flagged<T> smaller(T a, T b) {
    return {std::min(a, b), a < b};
}
template <class T>
Flagged<T> larger(T a, T b) {
    return {std::max(a, b), a > b};
}

// ---- bits ---------------------------------------------------------------------------------------

/// Bits [offset, offset + width) of a number, as the field operand of s_bfe holds both.
template <class T>
T field_of(T value, u32 field) {
    constexpr u32 bits = 8 * sizeof(T);
    auto const offset = field & (bits - 1);
    auto const width = std::min(field >> 16 & 0x7F, bits - offset);
    if (width == 0) return 0;
    auto const left = static_cast<std::make_unsigned_t<T>>(value) << (bits - offset - width);
    return static_cast<T>(static_cast<T>(left) >> (bits - width));
}

i32 sign_extended(u32 immediate) {
    return static_cast<i16>(immediate);
}

/// s_cselect and s_cmov choose by SCC.
template <class T>
void select(Wave& wave, Instruction const& it) {
    set_scalar(wave, it.operands[0], scalar_value<T>(wave, it.operands.at(wave.scc ? 1 : 2)));
}
template <class T>
void move_if_scc(Wave& wave, Instruction const& it) {
    if (wave.scc) set_scalar(wave, it.operands[0], scalar_value<T>(wave, it.operands.at(1)));
}

template <bool value>
void set_bit(Wave& wave, Instruction const& it) {
    auto const bit = 1U << (scalar_value<u32>(wave, it.operands.at(1)) & 31);
    auto const old = scalar_value<u32>(wave, it.operands[0]);
    set_scalar(wave, it.operands[0], value ? old | bit : old & ~bit);
}

/// An instruction whose destination is the first source and whose second is 16 bits of the
/// instruction.
void add_immediate(Wave& wave, Instruction const& it) {
    auto const immediate = sign_extended(scalar_value<u32>(wave, it.operands.at(1)));
    auto const result =
        signed_sum(scalar_value<u32>(wave, it.operands[0]), static_cast<u32>(immediate));
    set_scalar(wave, it.operands[0], result.value);
    wave.scc = result.scc;
}
void multiply_by_immediate(Wave& wave, Instruction const& it) {
    auto const immediate = sign_extended(scalar_value<u32>(wave, it.operands.at(1)));
    set_scalar(wave, it.operands[0],
               scalar_value<u32>(wave, it.operands[0]) * static_cast<u32>(immediate));
}

// ---- the mask of active lanes -------------------------------------------------------------------

/// Keeps the mask in the destination and makes a new one from the source and it.
template <class T, class F>
constexpr Execute save_exec(F) {
    return [](Wave& wave, Instruction const& it) {
        auto const source = scalar_value<T>(wave, it.operands.at(1));
        auto const before = static_cast<T>(wave.active());
        auto const mask = static_cast<T>(F{}(source, before));
        set_scalar(wave, it.operands[0], before);
        wave.set_mask(exec, mask);
        wave.scc = mask != 0;
    };
}

template <class T>
T count_trailing(T value) {
    return value == 0 ? ~T{0} : static_cast<T>(std::countr_zero(value));
}

// ---- the tables ---------------------------------------------------------------------------------

constexpr Operation operations[] = {
    {"s_mov_b32", scalar([](u32 a) { return a; })},
    {"s_mov_b64", scalar([](u64 a) { return a; })},
    {"s_movk_i32", scalar([](u32 a) { return sign_extended(a); })},
    {"s_cmov_b32", move_if_scc<u32>},
    {"s_cmov_b64", move_if_scc<u64>},
    {"s_cselect_b32", select<u32>},
    {"s_cselect_b64", select<u64>},
    {"s_not_b32", scalar_tested([](u32 a) { return ~a; })},
    {"s_not_b64", scalar_tested([](u64 a) { return ~a; })},
    {"s_brev_b32", scalar([](u32 a) { return reversed(a); })},
    {"s_abs_i32", scalar_tested([](u32 a) { return a >> 31 != 0 ? 0 - a : a; })},
    {"s_bcnt1_i32_b32", scalar_tested([](u32 a) { return static_cast<u32>(std::popcount(a)); })},
    {"s_bcnt1_i32_b64", scalar_tested([](u64 a) { return static_cast<u32>(std::popcount(a)); })},
    {"s_ctz_i32_b32", scalar([](u32 a) { return count_trailing(a); })},
    {"s_ctz_i32_b64", scalar([](u64 a) { return static_cast<u32>(count_trailing(a)); })},
    {"s_clz_i32_u32",
     scalar([](u32 a) { return a == 0 ? ~0U : static_cast<u32>(std::countl_zero(a)); })},
    {"s_sext_i32_i8", scalar([](u32 a) { return i32{static_cast<i8>(a)}; })},
    {"s_sext_i32_i16", scalar([](u32 a) { return i32{static_cast<i16>(a)}; })},
    {"s_bitset0_b32", set_bit<false>},
    {"s_bitset1_b32", set_bit<true>},

    {"s_add_co_u32", add_words<false>},
    {"s_add_co_ci_u32", add_words<true>},
    {"s_sub_co_u32", subtract_words<false>},
    {"s_sub_co_ci_u32", subtract_words<true>},
    {"s_add_co_i32", scalar_flagged([](u32 a, u32 b) { return signed_sum(a, b); })},
    {"s_sub_co_i32", scalar_flagged([](u32 a, u32 b) { return signed_difference(a, b); })},
    {"s_addk_co_i32", add_immediate},
    {"s_mulk_i32", multiply_by_immediate},
    {"s_add_nc_u64", scalar([](u64 a, u64 b) { return a + b; })},
    {"s_sub_nc_u64", scalar([](u64 a, u64 b) { return a - b; })},
    {"s_mul_i32", scalar([](u32 a, u32 b) { return a * b; })},
    {"s_mul_u64", scalar([](u64 a, u64 b) { return a * b; })},
    {"s_mul_hi_u32", scalar([](u32 a, u32 b) { return static_cast<u32>(u64{a} * b >> 32); })},
    {"s_mul_hi_i32", scalar([](i32 a, i32 b) { return static_cast<u32>(i64{a} * b >> 32); })},
    {"s_lshl1_add_u32", scalar_flagged([](u32 a, u32 b) { return shifted_sum<1>(a, b); })},
    {"s_lshl2_add_u32", scalar_flagged([](u32 a, u32 b) { return shifted_sum<2>(a, b); })},
    {"s_lshl3_add_u32", scalar_flagged([](u32 a, u32 b) { return shifted_sum<3>(a, b); })},
    {"s_lshl4_add_u32", scalar_flagged([](u32 a, u32 b) { return shifted_sum<4>(a, b); })},
    {"s_min_i32", scalar_flagged([](i32 a, i32 b) { return smaller(a, b); })},
    {"s_min_u32", scalar_flagged([](u32 a, u32 b) { return smaller(a, b); })},
    {"s_max_i32", scalar_flagged([](i32 a, i32 b) { return larger(a, b); })},
    {"s_max_u32", scalar_flagged([](u32 a, u32 b) { return larger(a, b); })},

    {"s_and_b32", scalar_tested([](u32 a, u32 b) { return a & b; })},
    {"s_or_b32", scalar_tested([](u32 a, u32 b) { return a | b; })},
    {"s_xor_b32", scalar_tested([](u32 a, u32 b) { return a ^ b; })},
    {"s_nand_b32", scalar_tested([](u32 a, u32 b) { return ~(a & b); })},
    {"s_nor_b32", scalar_tested([](u32 a, u32 b) { return ~(a | b); })},
    {"s_xnor_b32", scalar_tested([](u32 a, u32 b) { return ~(a ^ b); })},
    {"s_and_not1_b32", scalar_tested([](u32 a, u32 b) { return a & ~b; })},
    {"s_or_not1_b32", scalar_tested([](u32 a, u32 b) { return a | ~b; })},
    {"s_and_b64", scalar_tested([](u64 a, u64 b) { return a & b; })},
    {"s_or_b64", scalar_tested([](u64 a, u64 b) { return a | b; })},
    {"s_xor_b64", scalar_tested([](u64 a, u64 b) { return a ^ b; })},
    {"s_nand_b64", scalar_tested([](u64 a, u64 b) { return ~(a & b); })},
    {"s_nor_b64", scalar_tested([](u64 a, u64 b) { return ~(a | b); })},
    {"s_xnor_b64", scalar_tested([](u64 a, u64 b) { return ~(a ^ b); })},
    {"s_and_not1_b64", scalar_tested([](u64 a, u64 b) { return a & ~b; })},
    {"s_or_not1_b64", scalar_tested([](u64 a, u64 b) { return a | ~b; })},
    {"s_lshl_b32", scalar_tested([](u32 a, u32 b) { return a << (b & 31); })},
    {"s_lshr_b32", scalar_tested([](u32 a, u32 b) { return a >> (b & 31); })},
    {"s_ashr_i32", scalar_tested([](i32 a, u32 b) { return a >> (b & 31); })},
    {"s_lshl_b64", scalar_tested([](u64 a, u32 b) { return a << (b & 63); })},
    {"s_lshr_b64", scalar_tested([](u64 a, u32 b) { return a >> (b & 63); })},
    {"s_ashr_i64", scalar_tested([](i64 a, u32 b) { return a >> (b & 63); })},
    {"s_bfm_b32", scalar([](u32 a, u32 b) { return ((1U << (a & 31)) - 1) << (b & 31); })},
    {"s_bfe_u32", scalar_tested([](u32 a, u32 b) { return field_of(a, b); })},
    {"s_bfe_i32", scalar_tested([](i32 a, u32 b) { return field_of(a, b); })},
    {"s_bfe_u64", scalar_tested([](u64 a, u32 b) { return field_of(a, b); })},
    {"s_bfe_i64", scalar_tested([](i64 a, u32 b) { return field_of(a, b); })},
    {"s_pack_ll_b32_b16", scalar([](u32 a, u32 b) { return (a & 0xFFFF) | b << 16; })},
    {"s_pack_lh_b32_b16", scalar([](u32 a, u32 b) { return (a & 0xFFFF) | (b & ~0xFFFFU); })},
    {"s_pack_hh_b32_b16", scalar([](u32 a, u32 b) { return a >> 16 | (b & ~0xFFFFU); })},

    {"s_cmp_eq_i32", scalar_compared([](i32 a, i32 b) { return a == b; })},
    {"s_cmp_lg_i32", scalar_compared([](i32 a, i32 b) { return a != b; })},
    {"s_cmp_gt_i32", scalar_compared([](i32 a, i32 b) { return a > b; })},
    {"s_cmp_ge_i32", scalar_compared([](i32 a, i32 b) { return a >= b; })},
    {"s_cmp_lt_i32", scalar_compared([](i32 a, i32 b) { return a < b; })},
    {"s_cmp_le_i32", scalar_compared([](i32 a, i32 b) { return a <= b; })},
    {"s_cmp_eq_u32", scalar_compared([](u32 a, u32 b) { return a == b; })},
    {"s_cmp_lg_u32", scalar_compared([](u32 a, u32 b) { return a != b; })},
    {"s_cmp_gt_u32", scalar_compared([](u32 a, u32 b) { return a > b; })},
    {"s_cmp_ge_u32", scalar_compared([](u32 a, u32 b) { return a >= b; })},
    {"s_cmp_lt_u32", scalar_compared([](u32 a, u32 b) { return a < b; })},
    {"s_cmp_le_u32", scalar_compared([](u32 a, u32 b) { return a <= b; })},
    {"s_cmp_eq_u64", scalar_compared([](u64 a, u64 b) { return a == b; })},
    {"s_cmp_lg_u64", scalar_compared([](u64 a, u64 b) { return a != b; })},
    {"s_bitcmp0_b32", scalar_compared([](u32 a, u32 b) { return (a >> (b & 31) & 1) == 0; })},
    {"s_bitcmp1_b32", scalar_compared([](u32 a, u32 b) { return (a >> (b & 31) & 1) != 0; })},
    // The immediate is extended by the type that is compared.
    {"s_cmpk_eq_i32", scalar_compared([](i32 a, u32 b) { return a == sign_extended(b); })},
    {"s_cmpk_lg_i32", scalar_compared([](i32 a, u32 b) { return a != sign_extended(b); })},
    {"s_cmpk_gt_i32", scalar_compared([](i32 a, u32 b) { return a > sign_extended(b); })},
    {"s_cmpk_ge_i32", scalar_compared([](i32 a, u32 b) { return a >= sign_extended(b); })},
    {"s_cmpk_lt_i32", scalar_compared([](i32 a, u32 b) { return a < sign_extended(b); })},
    {"s_cmpk_le_i32", scalar_compared([](i32 a, u32 b) { return a <= sign_extended(b); })},
    {"s_cmpk_eq_u32", scalar_compared([](u32 a, u32 b) { return a == (b & 0xFFFF); })},
    {"s_cmpk_lg_u32", scalar_compared([](u32 a, u32 b) { return a != (b & 0xFFFF); })},
    {"s_cmpk_gt_u32", scalar_compared([](u32 a, u32 b) { return a > (b & 0xFFFF); })},
    {"s_cmpk_ge_u32", scalar_compared([](u32 a, u32 b) { return a >= (b & 0xFFFF); })},
    {"s_cmpk_lt_u32", scalar_compared([](u32 a, u32 b) { return a < (b & 0xFFFF); })},
    {"s_cmpk_le_u32", scalar_compared([](u32 a, u32 b) { return a <= (b & 0xFFFF); })},

    {"s_and_saveexec_b32", save_exec<u32>([](u32 a, u32 e) { return a & e; })},
    {"s_and_saveexec_b64", save_exec<u64>([](u64 a, u64 e) { return a & e; })},
    {"s_or_saveexec_b32", save_exec<u32>([](u32 a, u32 e) { return a | e; })},
    {"s_or_saveexec_b64", save_exec<u64>([](u64 a, u64 e) { return a | e; })},
    {"s_xor_saveexec_b32", save_exec<u32>([](u32 a, u32 e) { return a ^ e; })},
    {"s_xor_saveexec_b64", save_exec<u64>([](u64 a, u64 e) { return a ^ e; })},
    {"s_and_not1_saveexec_b32", save_exec<u32>([](u32 a, u32 e) { return a & ~e; })},
    {"s_and_not1_saveexec_b64", save_exec<u64>([](u64 a, u64 e) { return a & ~e; })},
    {"s_and_not0_saveexec_b32", save_exec<u32>([](u32 a, u32 e) { return ~a & e; })},
    {"s_and_not0_saveexec_b64", save_exec<u64>([](u64 a, u64 e) { return ~a & e; })},

    // RDNA3.5 and RDNA4
    {"s_add_f32", scalar([](float a, float b) { return a + b; })},
    {"s_sub_f32", scalar([](float a, float b) { return a - b; })},
    {"s_mul_f32", scalar([](float a, float b) { return a * b; })},
    {"s_fmamk_f32", scalar([](float a, float b, float c) { return std::fma(a, b, c); })},
    {"s_fmaak_f32", scalar([](float a, float b, float c) { return std::fma(a, b, c); })},
    {"s_trunc_f32", scalar([](float a) { return std::trunc(a); })},
    {"s_cvt_f32_u32", scalar([](u32 a) { return static_cast<float>(a); })},
    {"s_cvt_f32_i32", scalar([](i32 a) { return static_cast<float>(a); })},
    {"s_cvt_u32_f32", scalar([](float a) { return to_integer<u32>(a); })},
    {"s_cvt_i32_f32", scalar([](float a) { return to_integer<i32>(a); })},
    {"v_s_rcp_f32", scalar([](float a) { return 1 / a; })},
};

}  // namespace

std::span<Operation const> scalar_operations() {
    return operations;
}

}  // namespace rocmtune::emulator
