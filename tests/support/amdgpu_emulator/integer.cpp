// SPDX-License-Identifier: MIT
// Vector instructions on integers and bits. Source: AMD's instruction set references, VOP1, VOP2,
// VOP3.
#include <algorithm>
#include <bit>

#include "operations.hpp"

namespace rocmtune::emulator {
namespace {

u32 low24(u32 a) {
    return a & 0xFFFFFF;
}
i32 signed24(u32 a) {
    return static_cast<i32>(a << 8) >> 8;
}
u32 leading_zeros(u32 a) {
    return a == 0 ? ~0U : static_cast<u32>(std::countl_zero(a));
}
u32 trailing_zeros(u32 a) {
    return a == 0 ? ~0U : static_cast<u32>(std::countr_zero(a));
}

template <class T>
T middle(T a, T b, T c) {
    return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

/// `width` bits from `offset` on.
template <class T>
T field_of(T value, u32 offset, u32 width) {
    offset &= 31;
    width = std::min(width & 31, 32 - offset);
    if (width == 0) return 0;
    return static_cast<T>(static_cast<u32>(value) << (32 - offset - width)) >> (32 - width);
}

/// Four bytes out of eight; selectors from 12 on are constants (8 to 11, copies of a sign, are not
/// emulated and give 0).
u32 permuted(u32 high, u32 low, u32 selectors) {
    auto const bytes = u64{high} << 32 | low;
    u32 result = 0;
    for (unsigned i = 0; i < 4; ++i) {
        auto const selector = selectors >> 8 * i & 0xFF;
        u64 const byte = selector < 8 ? bytes >> 8 * selector & 0xFF : selector > 12 ? 0xFF : 0;
        result |= static_cast<u32>(byte) << 8 * i;
    }
    return result;
}

// ---- sums that carry ----------------------------------------------------------------------------

enum class Sum { add, subtract, subtract_from };

u64 sum_of(Sum kind, u64 a, u64 b, u64 carry) {
    if (kind == Sum::add) return a + b + carry;
    return kind == Sum::subtract ? a - b - carry : b - a - carry;
}

/// Operands: destination, carries out, a, b, carries in. A borrow is a carry out of 32 bits, too.
template <Sum kind>
void add_with_carry(Wave& wave, Instruction const& it) {
    auto const a = lanes_of<u32>(wave, it.operands.at(2));
    auto const b = lanes_of<u32>(wave, it.operands.at(3));
    u64 const in = it.operands.size() > 4 ? scalar_mask(wave, it.operands[4]) : 0;
    Lanes<u32> results;
    u64 out = 0;
    for (unsigned lane = 0; lane < most_lanes; ++lane) {
        auto const sum = sum_of(kind, a[lane], b[lane], in >> lane & 1);
        results[lane] = static_cast<u32>(sum);
        out |= (sum >> 32 & 1) << lane;
    }
    put(wave, it, results);
    set_scalar_mask(wave, it.operands[1], out & wave.active());
}

/// 64 = 32 x 32 + 64 bits; operands: destination, carries out, a, b, c.
template <class T, class Wide>
void multiply_add_wide(Wave& wave, Instruction const& it) {
    auto const a = lanes_of<T>(wave, it.operands.at(2));
    auto const b = lanes_of<T>(wave, it.operands.at(3));
    auto const c = lanes_of<u64>(wave, it.operands.at(4));
    Lanes<u64> results;
    u64 out = 0;
    for (unsigned lane = 0; lane < most_lanes; ++lane) {
        auto const product = static_cast<u64>(Wide{a[lane]} * b[lane]);
        results[lane] = product + c[lane];
        out |= u64{results[lane] < product} << lane;
    }
    put(wave, it, results);
    set_scalar_mask(wave, it.operands[1], out & wave.active());
}

/// The second source where the lane's bit of the mask is set, else the first. The mask of the
/// short form is VCC, which LLVM does not print in pairs.
void choose(Wave& wave, Instruction const& it) {
    auto const no = lanes_of<u32>(wave, it.operands.at(1));
    auto const yes = lanes_of<u32>(wave, it.operands.at(2));
    auto const mask = it.operands.size() > 3 ? scalar_mask(wave, it.operands[3]) : wave.mask(vcc);
    Lanes<u32> results;
    for (unsigned lane = 0; lane < most_lanes; ++lane)
        results[lane] = (mask >> lane & 1) != 0 ? yes[lane] : no[lane];
    put(wave, it, results);
}

constexpr Operation operations[] = {
    {"v_mov_b32", vector([](u32 a) { return a; })},
    {"v_mov_b64", vector([](u64 a) { return a; })},
    {"v_accvgpr_read_b32", vector([](u32 a) { return a; })},
    {"v_accvgpr_write_b32", vector([](u32 a) { return a; })},
    {"v_accvgpr_mov_b32", vector([](u32 a) { return a; })},
    {"v_cndmask_b32", choose},
    {"v_not_b32", vector([](u32 a) { return ~a; })},
    {"v_bfrev_b32", vector([](u32 a) { return reversed(a); })},
    {"v_clz_i32_u32", vector([](u32 a) { return leading_zeros(a); })},
    {"v_ctz_i32_b32", vector([](u32 a) { return trailing_zeros(a); })},

    {"v_add_nc_u32", vector([](u32 a, u32 b) { return a + b; })},
    {"v_sub_nc_u32", vector([](u32 a, u32 b) { return a - b; })},
    {"v_subrev_nc_u32", vector([](u32 a, u32 b) { return b - a; })},
    {"v_add_nc_i32", vector([](u32 a, u32 b) { return a + b; })},
    {"v_sub_nc_i32", vector([](u32 a, u32 b) { return a - b; })},
    {"v_add_co_u32", add_with_carry<Sum::add>},
    {"v_add_co_ci_u32", add_with_carry<Sum::add>},
    {"v_sub_co_u32", add_with_carry<Sum::subtract>},
    {"v_sub_co_ci_u32", add_with_carry<Sum::subtract>},
    {"v_subrev_co_u32", add_with_carry<Sum::subtract_from>},
    {"v_subrev_co_ci_u32", add_with_carry<Sum::subtract_from>},
    {"v_mad_co_u64_u32", multiply_add_wide<u32, u64>},
    {"v_mad_co_i64_i32", multiply_add_wide<i32, i64>},
    {"v_mul_lo_u32", vector([](u32 a, u32 b) { return a * b; })},
    {"v_mul_hi_u32", vector([](u32 a, u32 b) { return static_cast<u32>(u64{a} * b >> 32); })},
    {"v_mul_hi_i32", vector([](i32 a, i32 b) { return static_cast<u32>(i64{a} * b >> 32); })},
    {"v_mul_u32_u24", vector([](u32 a, u32 b) { return low24(a) * low24(b); })},
    {"v_mul_i32_i24",
     vector([](u32 a, u32 b) { return static_cast<u32>(i64{signed24(a)} * signed24(b)); })},
    {"v_mad_u32_u24", vector([](u32 a, u32 b, u32 c) { return low24(a) * low24(b) + c; })},
    {"v_mad_i32_i24", vector([](u32 a, u32 b, u32 c) {
         return static_cast<u32>(i64{signed24(a)} * signed24(b)) + c;
     })},

    {"v_and_b32", vector([](u32 a, u32 b) { return a & b; })},
    {"v_or_b32", vector([](u32 a, u32 b) { return a | b; })},
    {"v_xor_b32", vector([](u32 a, u32 b) { return a ^ b; })},
    {"v_xnor_b32", vector([](u32 a, u32 b) { return ~(a ^ b); })},
    {"v_lshlrev_b32", vector([](u32 a, u32 b) { return b << (a & 31); })},
    {"v_lshrrev_b32", vector([](u32 a, u32 b) { return b >> (a & 31); })},
    {"v_ashrrev_i32", vector([](u32 a, i32 b) { return b >> (a & 31); })},
    {"v_lshlrev_b64", vector([](u32 a, u64 b) { return b << (a & 63); })},
    {"v_lshrrev_b64", vector([](u32 a, u64 b) { return b >> (a & 63); })},
    {"v_ashrrev_i64", vector([](u32 a, i64 b) { return b >> (a & 63); })},
    {"v_lshl_add_u64", vector([](u64 a, u32 b, u64 c) { return (a << (b & 7)) + c; })},
    {"v_bfm_b32", vector([](u32 a, u32 b) { return ((1U << (a & 31)) - 1) << (b & 31); })},
    {"v_bcnt_u32_b32", vector([](u32 a, u32 b) { return static_cast<u32>(std::popcount(a)) + b; })},
    {"v_min_i32", vector([](i32 a, i32 b) { return std::min(a, b); })},
    {"v_max_i32", vector([](i32 a, i32 b) { return std::max(a, b); })},
    {"v_min_u32", vector([](u32 a, u32 b) { return std::min(a, b); })},
    {"v_max_u32", vector([](u32 a, u32 b) { return std::max(a, b); })},

    {"v_add3_u32", vector([](u32 a, u32 b, u32 c) { return a + b + c; })},
    {"v_lshl_add_u32", vector([](u32 a, u32 b, u32 c) { return (a << (b & 31)) + c; })},
    {"v_add_lshl_u32", vector([](u32 a, u32 b, u32 c) { return (a + b) << (c & 31); })},
    {"v_lshl_or_b32", vector([](u32 a, u32 b, u32 c) { return (a << (b & 31)) | c; })},
    {"v_and_or_b32", vector([](u32 a, u32 b, u32 c) { return (a & b) | c; })},
    {"v_or3_b32", vector([](u32 a, u32 b, u32 c) { return a | b | c; })},
    {"v_xor3_b32", vector([](u32 a, u32 b, u32 c) { return a ^ b ^ c; })},
    {"v_xad_u32", vector([](u32 a, u32 b, u32 c) { return (a ^ b) + c; })},
    {"v_bfe_u32", vector([](u32 a, u32 b, u32 c) { return field_of(a, b, c); })},
    {"v_bfe_i32", vector([](i32 a, u32 b, u32 c) { return field_of(a, b, c); })},
    {"v_bfi_b32", vector([](u32 a, u32 b, u32 c) { return (a & b) | (~a & c); })},
    {"v_alignbit_b32",
     vector([](u32 a, u32 b, u32 c) { return static_cast<u32>((u64{a} << 32 | b) >> (c & 31)); })},
    {"v_alignbyte_b32", vector([](u32 a, u32 b, u32 c) {
         return static_cast<u32>((u64{a} << 32 | b) >> 8 * (c & 3));
     })},
    {"v_perm_b32", vector([](u32 a, u32 b, u32 c) { return permuted(a, b, c); })},
    {"v_med3_i32", vector([](i32 a, i32 b, i32 c) { return middle(a, b, c); })},
    {"v_med3_u32", vector([](u32 a, u32 b, u32 c) { return middle(a, b, c); })},
    {"v_min3_u32", vector([](u32 a, u32 b, u32 c) {
         return std::min({a, b, c});
     })},
    {"v_max3_u32", vector([](u32 a, u32 b, u32 c) {
         return std::max({a, b, c});
     })},
    {"v_min3_i32", vector([](i32 a, i32 b, i32 c) {
         return std::min({a, b, c});
     })},
    {"v_max3_i32", vector([](i32 a, i32 b, i32 c) {
         return std::max({a, b, c});
     })},

    {"v_add_nc_u16", vector([](u16 a, u16 b) { return static_cast<u16>(a + b); })},
    {"v_sub_nc_u16", vector([](u16 a, u16 b) { return static_cast<u16>(a - b); })},
    {"v_mul_lo_u16", vector([](u16 a, u16 b) { return static_cast<u16>(u32{a} * b); })},
    {"v_lshlrev_b16", vector([](u16 a, u16 b) { return static_cast<u16>(b << (a & 15)); })},
    {"v_lshrrev_b16", vector([](u16 a, u16 b) { return static_cast<u16>(b >> (a & 15)); })},
    {"v_and_b16", vector([](u16 a, u16 b) { return static_cast<u16>(a & b); })},
    {"v_or_b16", vector([](u16 a, u16 b) { return static_cast<u16>(a | b); })},
    {"v_pack_b32_f16", vector([](u16 a, u16 b) { return u32{a} | u32{b} << 16; })},
};

}  // namespace

std::span<Operation const> integer_operations() {
    return operations;
}

}  // namespace rocmtune::emulator
