// SPDX-License-Identifier: MIT
// What single instructions give. Expected numbers follow the pseudo-code of AMD's instruction set
// references: "Vega 7nm" (gfx906), CDNA1 to CDNA3 (gfx908, gfx90a, gfx942), RDNA2 to RDNA4 (gfx1030
// to gfx1201), by the name of the instruction.
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "emulator/snippet.hpp"

namespace rocmtune::test {
namespace {

using namespace emulator;

/// Before: a in v[2:3] and s[2:3], b in [4:5], c in [6:7]; SCC is 1 and VCC all ones. After: the
/// result is in v[8:9], or in s[8:9] for instructions that begin with s_; the flag is SCC of those
/// and the lowest bit of VCC of the others.
struct Row {
    char const* targets;
    char const* text;
    u64 a, b, c;
    u64 result;
    bool flag = true;
};

constexpr char const* all = "gfx906 gfx908 gfx90a gfx942 gfx1030 gfx1100 gfx1151 gfx1200 gfx1201";
constexpr char const* before_gfx12 = "gfx906 gfx908 gfx90a gfx942 gfx1030 gfx1100 gfx1151";
constexpr char const* gfx9 = "gfx906 gfx908 gfx90a gfx942";
constexpr char const* since_gfx10 = "gfx1030 gfx1100 gfx1151 gfx1200 gfx1201";
constexpr char const* since_gfx11 = "gfx1100 gfx1151 gfx1200 gfx1201";
constexpr char const* packed = "gfx90a gfx942";
constexpr char const* sdwa = "gfx906 gfx908 gfx90a gfx942 gfx1030";
constexpr char const* gfx12 = "gfx1200 gfx1201";

constexpr u32 ones = ~0U;
constexpr u64 wide_ones = ~u64{0};
constexpr u64 bits(float value) {
    return std::bit_cast<u32>(value);
}
constexpr u64 bits(double value) {
    return std::bit_cast<u64>(value);
}
constexpr u64 nan_bits = 0x7FC00000;
constexpr u64 infinity_bits = 0x7F800000;

Row const rows[] = {
    // Sums that carry: SCC is a carry or a borrow of unsigned, an overflow of signed numbers.
    {all, "s_add_u32 s8, s2, s4", ones, 1, 0, 0, true},
    {all, "s_add_u32 s8, s2, s4", 1, 2, 0, 3, false},
    {all, "s_addc_u32 s8, s2, s4", 1, 2, 0, 4, false},
    {all, "s_addc_u32 s8, s2, s4", ones, 0, 0, 0, true},
    {all, "s_sub_u32 s8, s2, s4", 1, 2, 0, ones, true},
    {all, "s_subb_u32 s8, s2, s4", 5, 4, 0, 0, false},
    {all, "s_subb_u32 s8, s2, s4", 0, ones, 0, 0, true},
    {all, "s_add_i32 s8, s2, s4", 0x7FFFFFFF, 1, 0, 0x80000000, true},
    {all, "s_add_i32 s8, s2, s4", ones, ones, 0, 0xFFFFFFFE, false},
    {all, "s_sub_i32 s8, s2, s4", 0x80000000, 1, 0, 0x7FFFFFFF, true},
    {all, "s_lshl2_add_u32 s8, s2, s4", 0x40000000, 1, 0, 1, true},
    {all, "s_addk_i32 s8, 0xffff", 0, 0, 0, ones, false},
    {all, "s_movk_i32 s8, 0x8000", 0, 0, 0, 0xFFFF8000, true},
    {all, "s_mul_i32 s8, s2, s4", 0x10001, 0x10001, 0, 0x20001, true},
    {all, "s_mul_hi_u32 s8, s2, s4", ones, ones, 0, 0xFFFFFFFE, true},
    {all, "s_mul_hi_i32 s8, s2, s4", ones, ones, 0, 0, true},
    {gfx12, "s_mul_u64 s[8:9], s[2:3], s[4:5]", u64{1} << 33, 3, 0, u64{3} << 33, true},
    {gfx12, "s_add_nc_u64 s[8:9], s[2:3], s[4:5]", ones, 1, 0, u64{1} << 32, true},
    // SCC tells which of two was taken.
    {all, "s_min_i32 s8, s2, s4", ones, 1, 0, ones, true},
    {all, "s_min_u32 s8, s2, s4", ones, 1, 0, 1, false},
    {all, "s_max_i32 s8, s2, s4", ones, 1, 0, 1, false},
    {all, "s_cselect_b32 s8, s2, s4", 7, 8, 0, 7, true},
    {all, "s_cselect_b64 s[8:9], s[2:3], 0", wide_ones, 0, 0, wide_ones, true},
    // Bits; SCC tells whether the result is not 0.
    {all, "s_andn2_b64 s[8:9], s[2:3], s[4:5]", wide_ones, ones, 0, u64{ones} << 32, true},
    {all, "s_xor_b32 s8, s2, s4", 5, 5, 0, 0, false},
    {all, "s_lshr_b64 s[8:9], s[2:3], s4", u64{1} << 40, 40, 0, 1, true},
    {all, "s_ashr_i32 s8, s2, s4", 0x80000000, 31, 0, ones, true},
    {all, "s_bfe_u32 s8, s2, s4", 0xABCD1234, 8 << 16 | 4, 0, 0x23, true},
    {all, "s_bfe_i32 s8, s2, s4", 0xF0, 4 << 16 | 4, 0, ones, true},
    {all, "s_bfe_u64 s[8:9], s[2:3], s4", u64{0xAB} << 36, 8 << 16 | 36, 0, 0xAB, true},
    {all, "s_bfm_b32 s8, s2, s4", 4, 8, 0, 0xF00, true},
    {all, "s_ff1_i32_b32 s8, s2", 0x10, 0, 0, 4, true},
    {all, "s_ff1_i32_b64 s8, s[2:3]", 0, 0, 0, ones, true},
    {all, "s_flbit_i32_b32 s8, s2", 1, 0, 0, 31, true},
    {all, "s_bcnt1_i32_b64 s8, s[2:3]", wide_ones, 0, 0, 64, true},
    {all, "s_sext_i32_i8 s8, s2", 0x80, 0, 0, 0xFFFFFF80, true},
    {all, "s_bitset1_b32 s8, s2", 33, 0, 0, 2, true},
    {all, "s_pack_lh_b32_b16 s8, s2, s4", 0x11112222, 0x33334444, 0, 0x33332222, true},
    {all, "s_mov_b64 s[8:9], 1.0", 0, 0, 0, bits(1.0), true},
    {all, "s_mov_b64 s[8:9], -1", 0, 0, 0, wide_ones, true},
    {all, "s_cmp_lt_i32 s2, s4", ones, 0, 0, 0, true},
    {all, "s_cmp_lt_u32 s2, s4", ones, 0, 0, 0, false},
    {all, "s_cmp_lg_u64 s[2:3], s[4:5]", u64{1} << 32, 0, 0, 0, true},
    {before_gfx12, "s_cmpk_eq_i32 s2, 0x8000", 0xFFFF8000, 0, 0, 0, true},
    {before_gfx12, "s_cmpk_eq_u32 s2, 0x8000", 0xFFFF8000, 0, 0, 0, false},
    {all, "s_bitcmp1_b32 s2, s4", 4, 34, 0, 0, true},

    {all, "v_mul_lo_u32 v8, v2, v4", 0x10001, 0x10001, 0, 0x20001},
    {all, "v_mul_hi_u32 v8, v2, v4", ones, ones, 0, 0xFFFFFFFE},
    {all, "v_mul_u32_u24 v8, v2, v4", 0xFF000002, 3, 0, 6},
    {all, "v_mad_u32_u24 v8, v2, v4, v6", 0x1000000, 3, 7, 7},
    {all, "v_mul_i32_i24 v8, v2, v4", 0xFFFFFF, 5, 0, 0xFFFFFFFB},
    {all, "v_add3_u32 v8, v2, v4, v6", ones, 2, 3, 4},
    {all, "v_lshl_add_u32 v8, v2, v4, v6", 3, 33, 1, 7},
    {all, "v_lshl_or_b32 v8, v2, v4, v6", 1, 4, 1, 17},
    {all, "v_and_or_b32 v8, v2, v4, v6", 12, 6, 1, 5},
    {all, "v_xad_u32 v8, v2, v4, v6", 5, 3, 10, 16},
    {all, "v_lshlrev_b32 v8, v2, v4", 33, 1, 0, 2},
    {all, "v_ashrrev_i32 v8, v2, v4", 4, 0x80000000, 0, 0xF8000000},
    {all, "v_lshlrev_b64 v[8:9], v2, v[4:5]", 36, 1, 0, u64{1} << 36},
    {all, "v_alignbit_b32 v8, v2, v4, v6", 0x11, 0x22334455, 8, 0x11223344},
    {all, "v_bfe_u32 v8, v2, v4, v6", 0xABCD1234, 28, 8, 0xA},
    {all, "v_bfe_i32 v8, v2, v4, v6", 0xF0, 4, 4, ones},
    {all, "v_bfi_b32 v8, v2, v4, v6", 0xFF00, 0x1234, 0xABCD, 0x12CD},
    {all, "v_perm_b32 v8, v2, v4, v6", 0x77665544, 0x33221100, 0x0C0D0700, 0x00FF7700},
    {all, "v_bcnt_u32_b32 v8, v2, v4", 0xFF, 10, 0, 18},
    {all, "v_max_i32 v8, v2, v4", ones, 1, 0, 1},
    {all, "v_max_u32 v8, v2, v4", ones, 1, 0, ones},
    {all, "v_bfrev_b32 v8, v2", 1, 0, 0, 0x80000000},
    {all, "v_mad_u64_u32 v[8:9], vcc, v2, v4, v[6:7]", ones, ones, wide_ones, 0xFFFFFFFE00000000,
     true},
    {all, "v_mad_u64_u32 v[8:9], vcc, v2, v4, v[6:7]", ones, 2, 1, 0x1FFFFFFFF, false},
    {gfx9, "v_add_co_u32 v8, vcc, v2, v4", ones, 1, 0, 0, true},
    {gfx9, "v_addc_co_u32 v8, vcc, v2, v4, vcc", 1, 2, 0, 4, false},
    {gfx9, "v_subb_co_u32 v8, vcc, v2, v4, vcc", 1, 1, 0, ones, true},
    {gfx9, "v_subrev_co_u32 v8, vcc, v2, v4", 1, 3, 0, 2, false},
    {since_gfx10, "v_add_co_u32 v8, vcc, v2, v4", ones, 1, 0, 0, true},
    {"gfx942", "v_lshl_add_u64 v[8:9], v[2:3], 3, v[4:5]", u64{1} << 32, 5, 0, (u64{1} << 35) + 5},
    {all, "v_cndmask_b32 v8, v2, v4, vcc", 1, 2, 0, 2},
    {all, "v_cndmask_b32_e64 v8, v2, -v4, vcc", 1, bits(2.0F), 0, bits(-2.0F)},

    // One rounding, not two: 2^-24 is lost where the product is rounded first.
    {all, "v_fma_f32 v8, v2, v4, v6", bits(1 + 0x1p-12F), bits(1 + 0x1p-12F), bits(-1 - 0x1p-11F),
     bits(0x1p-24F)},
    {"gfx906 gfx908", "v_mad_f32 v8, v2, v4, v6", bits(1 + 0x1p-12F), bits(1 + 0x1p-12F),
     bits(-1 - 0x1p-11F), bits(0.0F)},
    {all, "v_mul_f32_e64 v8, -v2, |v4|", bits(2.0F), bits(-3.0F), 0, bits(-6.0F)},
    {all, "v_add_f32_e64 v8, v2, v4 clamp", bits(2.0F), bits(3.0F), 0, bits(1.0F)},
    {all, "v_add_f32 v8, 0.5, v2", bits(2.0F), 0, 0, bits(2.5F)},
    {all, "v_mul_f32 v8, 0x40400000, v2", bits(2.0F), 0, 0, bits(6.0F)},
    {all, "v_subrev_f32 v8, v2, v4", bits(2.0F), bits(5.0F), 0, bits(3.0F)},
    {all, "v_max_f32 v8, v2, v4", nan_bits, bits(5.0F), 0, bits(5.0F)},
    {all, "v_min_f32 v8, v2, v4", bits(-1.0F), bits(5.0F), 0, bits(-1.0F)},
    {all, "v_rndne_f32 v8, v2", bits(2.5F), 0, 0, bits(2.0F)},
    {all, "v_trunc_f32 v8, v2", bits(-2.5F), 0, 0, bits(-2.0F)},
    {all, "v_ldexp_f32 v8, v2, v4", bits(3.0F), 4, 0, bits(48.0F)},
    {all, "v_rcp_f32 v8, v2", bits(4.0F), 0, 0, bits(0.25F)},
    {all, "v_cvt_f32_u32 v8, v2", ones, 0, 0, bits(4294967296.0F)},
    {all, "v_cvt_f32_i32 v8, v2", ones, 0, 0, bits(-1.0F)},
    {all, "v_cvt_u32_f32 v8, v2", bits(4294967296.0F), 0, 0, ones},
    {all, "v_cvt_u32_f32 v8, v2", bits(-1.0F), 0, 0, 0},
    {all, "v_cvt_i32_f32 v8, v2", bits(-3e9F), 0, 0, 0x80000000},
    {all, "v_cvt_i32_f32 v8, v2", nan_bits, 0, 0, 0},
    {all, "v_cvt_f32_ubyte2 v8, v2", 0x00FF0000, 0, 0, bits(255.0F)},
    // binary16: ties to even, overflow, denormal numbers.
    {all, "v_cvt_f16_f32 v8, v2", bits(1 + 0x1p-11F), 0, 0, 0x3C00},
    {all, "v_cvt_f16_f32 v8, v2", bits(1 + 0x3p-11F), 0, 0, 0x3C02},
    {all, "v_cvt_f16_f32 v8, v2", bits(65520.0F), 0, 0, 0x7C00},
    {all, "v_cvt_f16_f32 v8, v2", bits(0x1p-24F), 0, 0, 1},
    {all, "v_cvt_f32_f16 v8, v2", 0x03FF, 0, 0, bits(0x3FFp-24F)},
    {all, "v_cvt_f32_f16 v8, v2", 0xFC00, 0, 0, infinity_bits | 0x80000000},
    {all, "v_pack_b32_f16 v8, v2, v4 op_sel:[1,0,0]", 0x11112222, 0x33334444, 0, 0x44441111},

    {all, "v_add_f64 v[8:9], v[2:3], v[4:5]", bits(1.0), bits(0x1p-52), 0, bits(1 + 0x1p-52)},
    {all, "v_add_f64 v[8:9], v[2:3], 1.0", bits(2.0), 0, 0, bits(3.0)},
    {all, "v_fma_f64 v[8:9], v[2:3], -v[4:5], v[6:7]", bits(3.0), bits(4.0), bits(1.0),
     bits(-11.0)},
    {since_gfx10, "v_mul_f64 v[8:9], v[2:3], 0x40080000", bits(2.0), 0, 0, bits(6.0)},
    {all, "v_cvt_f64_f32 v[8:9], v2", bits(0.1F), 0, 0, bits(static_cast<double>(0.1F))},
    {all, "v_cvt_f32_f64 v8, v[2:3]", bits(1 + 0x1p-30), 0, 0, bits(1.0F)},
    {packed, "v_pk_fma_f32 v[8:9], v[2:3], v[4:5], 1.0 op_sel_hi:[1,0,0]",
     bits(3.0F) << 32 | bits(2.0F), bits(9.0F) << 32 | bits(5.0F), 0,
     bits(16.0F) << 32 | bits(11.0F)},
    {packed, "v_pk_mul_f32 v[8:9], v[2:3], v[4:5] op_sel:[1,0] op_sel_hi:[0,1] neg_lo:[1,0]",
     bits(3.0F) << 32 | bits(2.0F), bits(7.0F) << 32 | bits(5.0F), 0,
     bits(14.0F) << 32 | bits(-15.0F)},
    {packed, "v_pk_mov_b32 v[8:9], v[2:3], v[4:5] op_sel:[1,0]", u64{1} << 32 | 2, u64{3} << 32 | 4,
     0, u64{4} << 32 | 1},

    // NaN is in no relation.
    {all, "v_cmp_lt_f32 vcc, v2, v4", nan_bits, 0, 0, 0, false},
    {all, "v_cmp_nge_f32 vcc, v2, v4", nan_bits, 0, 0, 0, true},
    {all, "v_cmp_u_f32 vcc, v2, v4", 0, nan_bits, 0, 0, true},
    {all, "v_cmp_lg_f32 vcc, v2, v4", bits(1.0F), nan_bits, 0, 0, false},
    {all, "v_cmp_gt_i32 vcc, v2, v4", 0, ones, 0, 0, true},
    {all, "v_cmp_gt_u32 vcc, v2, v4", 0, ones, 0, 0, false},
    {all, "v_cmp_lt_u64 vcc, v[2:3], v[4:5]", ones, u64{1} << 32, 0, 0, true},
    {all, "v_cmp_eq_u16 vcc, v2, v4", 0x10001, 0x20001, 0, 0, true},
    {all, "v_cmp_gt_f64 vcc, v[2:3], 0", bits(1.0), 0, 0, 0, true},

    {sdwa,
     "v_lshlrev_b32_sdwa v8, v2, v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD "
     "src1_sel:WORD_1",
     4, 0x00120000, 0, 0x120},
    {sdwa,
     "v_or_b32_sdwa v8, v2, v4 dst_sel:BYTE_1 dst_unused:UNUSED_PAD src0_sel:BYTE_3 "
     "src1_sel:BYTE_0",
     0x40000000, 2, 0, 0x4200},
    {sdwa,
     "v_max_i32_sdwa v8, sext(v2), v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 "
     "src1_sel:DWORD",
     0x80, 0xFFFFFF00, 0, 0xFFFFFF80},
    // Both halves of a pair read before either writes.
    {since_gfx11,
     "v_dual_mov_b32 v2, v5 :: v_dual_mov_b32 v5, v2\nv_mov_b32 v8, v2\nv_mov_b32 v9, v5", 1,
     u64{2} << 32, 0, u64{1} << 32 | 2},
};

bool is_for(Row const& row, std::string const& target) {
    return (std::string(row.targets) + " ").find(target + " ") != std::string::npos;
}

class Instructions : public testing::TestWithParam<char const*> {};

TEST_P(Instructions, give_what_their_reference_says) {
    std::string const target = GetParam();
    bool const wide = target.starts_with("gfx9");  // waves of 64
    std::string text;
    for (auto const& row : rows)
        if (is_for(row, target)) text += fmt::format("{}\ns_endpgm\n", row.text);
    for (std::size_t at = 0; !wide && (at = text.find("vcc", at)) != text.npos; at += 6)
        text.insert(at + 3, "_lo");
    Snippet code(target, text, wide ? 64 : 32);
    for (auto const& row : rows) {
        if (!is_for(row, target)) continue;
        u64 const inputs[] = {row.a, row.b, row.c, 0};
        for (unsigned i = 0; i < 4; ++i) {
            code.set_v(2 + 2 * i, inputs[i]);
            code.wave->set_pair(2 + 2 * i, inputs[i]);
        }
        code.wave->scc = true;
        code.wave->set_pair(vcc, wide_ones);
        code.run();
        bool const scalar = std::string_view(row.text).starts_with("s_");
        EXPECT_EQ(scalar ? code.wave->pair(8) : code.v_pair(8, 5), row.result) << row.text;
        EXPECT_EQ(scalar ? code.wave->scc : (code.s(vcc) & 1) != 0, row.flag) << row.text;
    }
}

INSTANTIATE_TEST_SUITE_P(, Instructions,
                         testing::Values("gfx906", "gfx908", "gfx90a", "gfx942", "gfx1030",
                                         "gfx1100", "gfx1151", "gfx1200", "gfx1201"),
                         [](auto const& it) { return std::string(it.param); });

}  // namespace
}  // namespace rocmtune::test
