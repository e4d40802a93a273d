// SPDX-License-Identifier: MIT
// Loads, stores and atomic operations in memory and in LDS. Source: AMD's instruction set
// references, SMEM, FLAT, DS.
#include <gtest/gtest.h>

#include "emulator/snippet.hpp"

namespace rocmtune::test {
namespace {

using namespace emulator;

/// v[2:3] of each lane is the address of its four words; s[2:3] that of all.
struct Memory {
    explicit Memory(Snippet& code) {
        for (unsigned i = 0; i < words.size(); ++i) words[i] = 0x80000000U + i;
        auto const base = reinterpret_cast<u64>(words.data());
        code.wave->set_pair(2, base);
        for (unsigned lane = 0; lane < most_lanes; ++lane) {
            auto const address = base + 16 * lane;
            code.v(2, lane) = static_cast<u32>(address);
            code.v(3, lane) = static_cast<u32>(address >> 32);
            code.v(4, lane) = 16 * lane;
            code.v(5, lane) = 0x1234C600U + lane;
        }
    }
    std::array<u32, 4 * most_lanes> words{};
};

TEST(Memory, is_loaded_by_words_and_by_parts) {
    Snippet code(
        "gfx90a",
        "global_load_dwordx4 v[8:11], v[2:3], off\nglobal_load_dword v12, v4, s[2:3] offset:8\n"
        "global_load_ubyte v13, v4, s[2:3] offset:3\nglobal_load_sbyte v14, v4, s[2:3] offset:3\n"
        "global_load_ushort v15, v4, s[2:3]\nglobal_load_short_d16_hi v5, v4, s[2:3]\n"
        "flat_load_dwordx2 v[16:17], v[2:3]\nglobal_load_dword v18, v[2:3], off offset:-16");
    Memory memory(code);
    code.wave->set_mask(exec, ~u64{1});
    code.run();
    EXPECT_EQ(code.v(11, 7), 0x80000000U + 31);
    EXPECT_EQ(code.v(12, 7), 0x80000000U + 30);
    EXPECT_EQ(code.v(13, 7), 0x80U);
    EXPECT_EQ(code.v(14, 7), 0xFFFFFF80U);
    EXPECT_EQ(code.v(15, 7), 28U);
    EXPECT_EQ(code.v(5, 7), 28U << 16 | 0xC607);
    EXPECT_EQ(code.v(17, 7), 0x80000000U + 29);
    EXPECT_EQ(code.v(18, 7), 0x80000000U + 24);
    EXPECT_EQ(code.v(8, 0), 0U);  // not active
}

TEST(Memory, is_stored_by_words_and_by_parts) {
    Snippet code("gfx1200",
                 "global_store_b64 v[2:3], v[4:5], off offset:8\nglobal_store_b8 v4, v5, s[2:3]\n"
                 "global_store_d16_hi_b16 v4, v5, s[2:3] offset:4",
                 32);
    Memory memory(code);
    code.run();
    EXPECT_EQ(memory.words[4 * 9 + 2], 16U * 9);
    EXPECT_EQ(memory.words[4 * 9 + 3], 0x1234C609U);
    EXPECT_EQ(memory.words[4 * 9], 0x80000009U);
    EXPECT_EQ(memory.words[4 * 9 + 1], 0x80001234U);
    EXPECT_EQ(memory.words[4 * 40],
              0x80000000U + 160);  // of a lane that a wave of 32 does not have
}

TEST(Memory, is_loaded_by_the_scalar_unit) {
    Snippet code(
        "gfx908",
        "s_load_dwordx4 s[4:7], s[2:3], 0x10\ns_mov_b32 s8, 32\ns_load_dword s9, s[2:3], s8");
    Memory memory(code);
    code.run();
    EXPECT_EQ(code.s(7), 0x80000007U);
    EXPECT_EQ(code.s(9), 0x80000008U);
}

TEST(Memory, gives_what_was_there_only_to_atomic_instructions_that_ask) {
    struct Case {
        char const *target, *asks;
    };
    for (auto const& it : {Case{"gfx90a", "glc"}, Case{"gfx942", "sc0"}, Case{"gfx1100", "glc"},
                           Case{"gfx1200", "th:TH_ATOMIC_RETURN"}}) {
        auto const name =
            std::string(it.target).size() == 7 ? "global_atomic_add_u64" : "global_atomic_add_x2";
        Snippet code(it.target,
                     std::string(name) + " v[2:3], v[6:7], off\n" + name +
                         " v[8:9], v[2:3], v[6:7], off " + it.asks,
                     32);
        Memory memory(code);
        code.wave->vectors[6].fill(0x80000000U);
        code.run();
        // 0x8000000180000000 + 2 x 0x80000000, whose carry reaches the second word.
        EXPECT_EQ(code.v_pair(8), 0x8000000200000000U) << it.target;
        EXPECT_EQ(memory.words[0], 0x80000000U) << it.target;
        EXPECT_EQ(memory.words[1], 0x80000002U) << it.target;
    }
}

TEST(Memory, is_changed_by_every_lane_in_turn) {
    Snippet code(
        "gfx90a",
        "global_atomic_add_f32 v10, v11, s[2:3]\nglobal_atomic_umax v10, v4, s[2:3] offset:4\n"
        "global_atomic_cmpswap v12, v10, v[6:7], s[2:3] offset:8 glc");
    Memory memory(code);
    memory.words[0] = 0;
    memory.words[1] = 5;
    code.wave->vectors[11].fill(0x3F000000);  // 0.5
    code.wave->vectors[6].fill(77);
    code.wave->vectors[7].fill(0x80000002);
    code.run();
    EXPECT_EQ(memory.words[0], 0x42000000U);  // 32
    EXPECT_EQ(memory.words[1], 63U * 16);
    EXPECT_EQ(memory.words[2], 77U);
    EXPECT_EQ(code.v(12, 0), 0x80000002U);
    EXPECT_EQ(code.v(12, 1), 77U);
}

TEST(Lds, has_two_addresses_in_one_instruction) {
    Snippet code("gfx906",
                 "ds_write2_b32 v4, v4, v5 offset0:1 offset1:3\nds_read2_b32 v[8:9], v4 offset0:3 "
                 "offset1:1\n"
                 "ds_read_b64 v[10:11], v4 offset:8\nds_read_u8 v12, v4 offset:13\n"
                 "ds_write2st64_b32 v13, v4, v5 offset0:2 offset1:3");
    Memory memory(code);
    code.group.lds.assign(2048, 0);
    code.run();
    EXPECT_EQ(code.v(8, 9), 0x1234C609U);
    EXPECT_EQ(code.v(9, 9), 16U * 9);
    EXPECT_EQ(code.v_pair(10, 9), u64{0x1234C609} << 32);
    EXPECT_EQ(code.v(12, 9), 0xC6U);
    u32 word = 0;
    std::memcpy(&word, code.group.lds.data() + 3 * 64 * 4, sizeof word);
    EXPECT_EQ(word, 0x1234C600U + 63);  // the last lane
}

TEST(Lds, compares_in_the_order_of_its_generation) {
    for (auto const* text :
         {"ds_cmpst_rtn_b32 v8, v10, v6, v7", "ds_cmpstore_rtn_b32 v8, v10, v7, v6"}) {
        Snippet code(std::string_view(text).starts_with("ds_cmpst_") ? "gfx90a" : "gfx1100", text,
                     32);
        code.group.lds.assign(64, 0);
        code.wave->vectors[6].fill(0);   // expected
        code.wave->vectors[7].fill(42);  // wanted
        code.run();
        EXPECT_EQ(code.group.lds[0], 42);
        EXPECT_EQ(code.v(8, 0), 0U);
        EXPECT_EQ(code.v(8, 1), 42U);
    }
}

TEST(Lds, is_reached_by_flat_addresses) {
    Snippet code("gfx90a",
                 "s_mov_b64 s[4:5], src_shared_base\nv_mov_b32 v2, 16\nv_mov_b32 v3, "
                 "s5\nflat_store_dword v[2:3], v4");
    Memory memory(code);
    code.group.lds.assign(64, 0);
    code.run();
    u32 word = 0;
    std::memcpy(&word, code.group.lds.data() + 16, sizeof word);
    EXPECT_EQ(word, 16U * 63);
}

TEST(Lds, ends_a_kernel_that_leaves_it) {
    Snippet code("gfx90a", "ds_read_b32 v8, v4");
    Memory memory(code);
    code.group.lds.assign(1008, 0);  // the last lane reads at 1008
    EXPECT_THROW(code.run(), Failure);
}

TEST(Parsing, refuses_what_is_not_emulated_and_says_what) {
    for (auto const* text : {"v_mov_b32_dpp v0, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf",
                             "v_add_f32_e64 v0, v1, v2 mul:2", "v_sin_f32 v0, v1",
                             "buffer_load_dword v0, v1, s[4:7], 0 idxen"}) {
        try {
            Snippet code("gfx90a", text);
            code.run();
            ADD_FAILURE() << text;
        } catch (Failure const& failure) {
            EXPECT_EQ(std::string(failure.what()).substr(0, 5), std::string(text).substr(0, 5));
        }
    }
}

}  // namespace
}  // namespace rocmtune::test
