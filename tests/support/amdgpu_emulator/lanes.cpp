// SPDX-License-Identifier: MIT
// Instructions in which lanes see each other, and moves of whole words. Source: AMD's instruction
// set references, VOP1, VOP3, DS.
#include <bit>

#include "operations.hpp"

namespace rocmtune::emulator {
namespace {

/// Counts the bits of a mask that belong to lower lanes; the mask's words are counted apart.
template <unsigned first>
void count_lower(Wave& wave, Instruction const& it) {
    auto const mask = lanes_of<u32>(wave, it.operands.at(1));
    auto values = lanes_of<u32>(wave, it.operands.at(2));
    for (unsigned lane = 0; lane < most_lanes; ++lane) {
        auto const below = lane < first ? 0 : lane - first < 32 ? (1U << (lane - first)) - 1 : ~0U;
        values[lane] += static_cast<u32>(std::popcount(mask[lane] & below));
    }
    put(wave, it, values);
}

void read_first_lane(Wave& wave, Instruction const& it) {
    auto const mask = wave.active();
    auto const lane = mask == 0 ? 0 : static_cast<unsigned>(std::countr_zero(mask));
    set_scalar(wave, it.operands[0], lanes_of<u32>(wave, it.operands.at(1))[lane]);
}

void read_lane(Wave& wave, Instruction const& it) {
    auto const lane = scalar_value<u32>(wave, it.operands.at(2)) & (wave.lanes - 1);
    set_scalar(wave, it.operands[0], lanes_of<u32>(wave, it.operands[1])[lane]);
}

void write_lane(Wave& wave, Instruction const& it) {
    auto const lane = scalar_value<u32>(wave, it.operands.at(2)) & (wave.lanes - 1);
    vector_register(wave, it.operands[0])[lane] = scalar_value<u32>(wave, it.operands[1]);
}

/// Each lane takes the value of another; what an inactive lane has reads as 0.
template <class F>
void take_from(Wave& wave, Instruction const& it, Lanes<u32> const& values, F source) {
    Lanes<u32> results{};
    auto const active = wave.active();
    for (unsigned lane = 0; lane < wave.lanes; ++lane) {
        unsigned const from = source(lane) & (wave.lanes - 1);
        results[lane] = (active >> from & 1) != 0 ? values[from] : 0;
    }
    put(wave, it, results);
}

void permute_backward(Wave& wave, Instruction const& it) {
    auto const places = lanes_of<u32>(wave, it.operands.at(1));
    auto const values = lanes_of<u32>(wave, it.operands.at(2));
    take_from(wave, it, values,
              [&](unsigned lane) { return (places[lane] + static_cast<u32>(it.offset)) / 4; });
}

/// The offset is a pattern: of each four lanes by two bits a lane, or of each 32 by an and, an or
/// and an exclusive or of their number.
void swizzle(Wave& wave, Instruction const& it) {
    auto const values = lanes_of<u32>(wave, it.operands.at(1));
    auto const pattern = static_cast<u32>(it.offset);
    take_from(wave, it, values, [&](unsigned lane) {
        if ((pattern & 0x8000) != 0) return (lane & ~3U) | (pattern >> 2 * (lane & 3) & 3);
        auto const inside = (((lane & pattern) | (pattern >> 5)) ^ (pattern >> 10)) & 31;
        return (lane & 32) | inside;
    });
}

/// Two words out of two pairs; op_sel says which of each.
void move_pair(Wave& wave, Instruction const& it) {
    auto low = it.operands.at(1), high = it.operands.at(2);
    if (low.kind != Operand::Kind::constant) low.index += it.op_sel[0] ? 1 : 0;
    if (high.kind != Operand::Kind::constant) high.index += it.op_sel[1] ? 1 : 0;
    auto const first = lanes_of<u32>(wave, low), second = lanes_of<u32>(wave, high);
    Lanes<u64> both;
    for (unsigned lane = 0; lane < most_lanes; ++lane)
        both[lane] = u64{second[lane]} << 32 | first[lane];
    put(wave, it, both);
}

constexpr Operation operations[] = {
    {"v_mbcnt_lo_u32_b32", count_lower<0>},   {"v_mbcnt_hi_u32_b32", count_lower<32>},
    {"v_readfirstlane_b32", read_first_lane}, {"v_readlane_b32", read_lane},
    {"v_writelane_b32", write_lane},          {"v_pk_mov_b32", move_pair},
    {"ds_bpermute_b32", permute_backward},    {"ds_swizzle_b32", swizzle},
};

}  // namespace

std::span<Operation const> lane_operations() {
    return operations;
}

}  // namespace rocmtune::emulator
