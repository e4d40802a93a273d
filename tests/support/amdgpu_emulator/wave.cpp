// SPDX-License-Identifier: MIT
#include "wave.hpp"

namespace rocmtune::emulator {
namespace {

unsigned shift_of(Part part) {
    auto const number = static_cast<unsigned>(part);
    return part <= Part::byte3 ? 8 * number : part == Part::word1 ? 16 : 0;
}

u32 mask_of(Part part) {
    return part <= Part::byte3 ? 0xFFU : part == Part::all ? ~0U : 0xFFFFU;
}

u32 part_of(u32 word, Part part, bool sign_extended) {
    if (part == Part::all) return word;
    word = word >> shift_of(part) & mask_of(part);
    if (!sign_extended) return word;
    return static_cast<u32>(part <= Part::byte3 ? i32{static_cast<i8>(word)}
                                                : i32{static_cast<i16>(word)});
}

void check_vector(Operand const& operand) {
    if (operand.kind != Operand::Kind::vector) throw Failure("an operand is no vector register");
}

}  // namespace

u32 modified_word(u32 word, Operand const& operand, unsigned sign_bit) {
    word = part_of(word, operand.part, operand.sign_extended);
    if (operand.absolute) word &= ~(1U << sign_bit);
    if (operand.negated) word ^= 1U << sign_bit;
    return word;
}

u64 modified_pair(u64 bits, Operand const& operand) {
    constexpr auto sign = u64{1} << 63;
    if (operand.absolute) bits &= ~sign;
    if (operand.negated) bits ^= sign;
    return bits;
}

Lanes<u32> const& vector_register(Wave const& wave, Operand const& operand, unsigned which) {
    check_vector(operand);
    return wave.vectors[operand.index + which];
}

Lanes<u32>& vector_register(Wave& wave, Operand const& operand, unsigned which) {
    check_vector(operand);
    return wave.vectors[operand.index + which];
}

void put_words(Wave& wave, Instruction const& it, Lanes<u32> const& values) {
    auto& to = vector_register(wave, it.operands[0]);
    auto const kept = it.keeps_rest ? ~(mask_of(it.destination) << shift_of(it.destination)) : 0;
    if (it.destination == Part::all) {
        for_each_lane(wave.active(), [&](unsigned lane) { to[lane] = values[lane]; });
        return;
    }
    for_each_lane(wave.active(), [&](unsigned lane) {
        to[lane] = (to[lane] & kept) | (values[lane] & mask_of(it.destination))
                                           << shift_of(it.destination);
    });
}

void put_halves(Wave& wave, Instruction const& it, Lanes<u16> const& values) {
    auto& to = vector_register(wave, it.operands[0]);
    bool const high = it.op_sel[3] || it.destination == Part::word1;
    u32 const kept = high ? 0xFFFFU : 0xFFFF0000U;
    bool const keeps = high || it.keeps_rest || wave.machine->target.keeps_high_half();
    for_each_lane(wave.active(), [&](unsigned lane) {
        to[lane] = (keeps ? to[lane] & kept : 0) | u32{values[lane]} << (high ? 16 : 0);
    });
}

void put_pairs(Wave& wave, Instruction const& it, Lanes<u64> const& values) {
    auto& low = vector_register(wave, it.operands[0]);
    auto& high = vector_register(wave, it.operands[0], 1);
    for_each_lane(wave.active(), [&](unsigned lane) {
        low[lane] = static_cast<u32>(values[lane]);
        high[lane] = static_cast<u32>(values[lane] >> 32);
    });
}

}  // namespace rocmtune::emulator
