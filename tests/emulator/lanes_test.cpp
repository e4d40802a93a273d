// SPDX-License-Identifier: MIT
// Which lanes an instruction changes, and how lanes see each other. Source: AMD's instruction set
// references, chapters on the mask EXEC, VOP1, VOPC, DS.
#include <gtest/gtest.h>

#include "emulator/snippet.hpp"

namespace rocmtune::test {
namespace {

using namespace emulator;

/// v1 of each lane is 100 and its number.
void number_lanes(Snippet& code) {
    for (unsigned lane = 0; lane < 64; ++lane) code.v(1, lane) = 100 + lane;
}

TEST(Lanes, that_are_not_active_keep_what_they_have) {
    Snippet code("gfx90a", "v_mov_b32 v0, v1");
    number_lanes(code);
    code.wave->set_mask(exec, 0b1010);
    code.run();
    EXPECT_EQ(code.v(0, 0), 0U);
    EXPECT_EQ(code.v(0, 1), 101U);
    EXPECT_EQ(code.v(0, 2), 0U);
    EXPECT_EQ(code.v(0, 3), 103U);
}

TEST(Lanes, that_are_not_active_give_0_in_a_comparison) {
    Snippet code("gfx90a", "v_cmp_ge_u32 vcc, v1, 0\nv_cmpx_eq_u32 s[2:3], s8, v1");
    number_lanes(code);
    code.s(8) = 102;
    code.wave->set_mask(exec, 0xFF);
    code.run();
    EXPECT_EQ(code.wave->pair(vcc), 0xFFU);
    EXPECT_EQ(code.wave->pair(2), 0b100U);
    EXPECT_EQ(code.wave->active(), 0b100U);
}

TEST(Lanes, a_comparison_of_gfx10_that_sets_the_mask_has_no_other_destination) {
    Snippet code("gfx1100", "v_cmpx_gt_u32 v1, 0x70", 32);
    number_lanes(code);
    code.s(vcc) = 77;
    code.run();
    EXPECT_EQ(code.wave->active(), 0xFFFFE000U);  // 113 and more: lanes 13 to 31
    EXPECT_EQ(code.s(vcc), 77U);
}

TEST(Lanes, the_mask_is_kept_and_narrowed) {
    Snippet code(
        "gfx908",
        "s_and_saveexec_b64 s[4:5], s[2:3]\ns_endpgm\ns_andn2_saveexec_b64 s[6:7], s[2:3]");
    code.wave->set_pair(2, 0xF0);
    code.run();
    EXPECT_EQ(code.wave->pair(4), ~u64{0});
    EXPECT_EQ(code.wave->active(), 0xF0U);
    EXPECT_TRUE(code.wave->scc);
    code.run();
    EXPECT_EQ(code.wave->pair(6), 0xF0U);
    EXPECT_EQ(code.wave->active(), 0U);
    EXPECT_FALSE(code.wave->scc);
}

TEST(Lanes, the_first_active_one_is_read) {
    Snippet code("gfx1030",
                 "v_readfirstlane_b32 s2, v1\nv_readlane_b32 s3, v1, 33\nv_writelane_b32 v2, 5, 7",
                 32);
    number_lanes(code);
    code.wave->set_mask(exec, 0b11000);
    code.run();
    EXPECT_EQ(code.s(2), 103U);
    EXPECT_EQ(code.s(3), 101U);  // of 32 lanes
    EXPECT_EQ(code.v(2, 7), 5U);
    EXPECT_EQ(code.v(2, 6), 0U);
}

TEST(Lanes, count_the_lower_ones) {
    Snippet code("gfx90a", "v_mbcnt_lo_u32_b32 v2, -1, 0\nv_mbcnt_hi_u32_b32 v2, -1, v2");
    code.run();
    for (unsigned lane = 0; lane < 64; ++lane) EXPECT_EQ(code.v(2, lane), lane);
}

TEST(Lanes, are_permuted_by_bytes_and_without_those_that_are_not_active) {
    Snippet code("gfx942", "ds_bpermute_b32 v3, v2, v1 offset:4");
    number_lanes(code);
    for (unsigned lane = 0; lane < 64; ++lane) code.v(2, lane) = 4 * (63 - lane);
    code.wave->set_mask(exec, ~u64{1} << 9);
    code.run();
    EXPECT_EQ(code.v(3, 10), 100U + 54);
    EXPECT_EQ(code.v(3, 60), 0U);  // lane 4 is not active
}

TEST(Lanes, are_swizzled_by_a_pattern) {
    Snippet code("gfx906",
                 "ds_swizzle_b32 v2, v1 offset:swizzle(SWAP,16)\n"
                 "ds_swizzle_b32 v3, v1 offset:swizzle(QUAD_PERM,3,2,1,0)\n"
                 "ds_swizzle_b32 v4, v1 offset:swizzle(BROADCAST,8,3)");
    number_lanes(code);
    code.run();
    EXPECT_EQ(code.v(2, 35), 100U + 51);
    EXPECT_EQ(code.v(3, 41), 100U + 42);
    EXPECT_EQ(code.v(4, 46), 100U + 43);
}

TEST(Lanes, branches_follow_masks_and_flags) {
    Snippet code("gfx90a",
                 "s_mov_b64 exec, 0\ns_cbranch_execz over\ns_mov_b32 s2, 1\nover:\n"
                 "s_cmp_eq_u32 s3, 0\ns_cbranch_scc0 over2\ns_mov_b32 s4, 1\nover2:\n"
                 "s_mov_b32 s5, 3\nagain:\ns_add_u32 s6, s6, 2\ns_sub_u32 s5, s5, 1\n"
                 "s_cmp_lg_u32 s5, 0\ns_cbranch_scc1 again");
    code.run();
    EXPECT_EQ(code.s(2), 0U);
    EXPECT_EQ(code.s(4), 1U);
    EXPECT_EQ(code.s(6), 6U);
}

TEST(Lanes, of_16_bits_keep_the_upper_half_from_gfx10_on) {
    for (auto const* target : {"gfx90a", "gfx1100"}) {
        Snippet code(target, "v_mul_lo_u16 v8, v2, v4");
        code.v(2) = 0x10003;
        code.v(4) = 5;
        code.v(8) = 0xABCD0000;
        code.wave->set_mask(exec, 1);
        code.run();
        EXPECT_EQ(code.v(8), std::string(target) == "gfx90a" ? 15U : 0xABCD000FU);
    }
}

}  // namespace
}  // namespace rocmtune::test
