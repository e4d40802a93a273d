// SPDX-License-Identifier: MIT
// The memory of single lanes, where compilers put what registers do not hold: through a buffer on
// gfx9 and gfx10, by instructions of its own later. Source: AMD's instruction set references,
// MUBUF, FLAT.
#include "memory.hpp"
#include "operations.hpp"

namespace rocmtune::emulator {
u8* place_in_private(Wave& wave, unsigned lane, u64 address, unsigned bytes) {
    auto const size = wave.private_bytes;
    if (address + bytes > size)
        throw Failure("byte " + std::to_string(address) + " lies beyond the " +
                      std::to_string(size) + " bytes of private memory");
    return wave.private_memory.data() + lane * size + address;
}

namespace {

/// The part of an address that is the same for all lanes.
u64 common_part(Wave const& wave, Instruction const& it, Operand const& operand) {
    bool const none = operand.kind == Operand::Kind::off;
    return static_cast<u64>(it.offset) + (none ? 0 : scalar_value<u32>(wave, operand));
}

/// The part of an address that each lane has.
Lanes<u32> own_part(Wave const& wave, Operand const& operand) {
    if (operand.kind == Operand::Kind::off) return {};
    return lanes_of<u32>(wave, operand);
}

template <unsigned count>
void load(Wave& wave, Operand const& to, Lanes<u32> const& own, u64 common) {
    for_each_lane(wave.active(), [&](unsigned lane) {
        u32 words[count];
        std::memcpy(words, place_in_private(wave, lane, own[lane] + common, sizeof words),
                    sizeof words);
        words_to(wave, to, lane, words, count);
    });
}

template <unsigned count>
void store(Wave& wave, Operand const& from, Lanes<u32> const& own, u64 common) {
    for_each_lane(wave.active(), [&](unsigned lane) {
        u32 words[count];
        words_from(wave, from, lane, words, count);
        std::memcpy(place_in_private(wave, lane, own[lane] + common, sizeof words), words,
                    sizeof words);
    });
}

/// Operands: destination, lane's address or off, common address or off.
template <unsigned count>
void load_scratch(Wave& wave, Instruction const& it) {
    load<count>(wave, it.operands.at(0), own_part(wave, it.operands.at(1)),
                common_part(wave, it, it.operands.at(2)));
}
/// Operands: lane's address or off, value, common address or off.
template <unsigned count>
void store_scratch(Wave& wave, Instruction const& it) {
    store<count>(wave, it.operands.at(1), own_part(wave, it.operands.at(0)),
                 common_part(wave, it, it.operands.at(2)));
}

/// Operands: value, lane's address or off, buffer, common offset. Only the buffer of private memory
/// is emulated, whose base is 0. A common offset other than 0 is a stack of functions, in bytes of
/// a wave.
u64 offset_in_buffer(Wave const& wave, Instruction const& it) {
    if (wave.pair(it.operands.at(2).index) != 0) throw Failure("buffers are not emulated");
    if (scalar_value<u32>(wave, it.operands.at(3)) != 0) throw Failure("a stack is not emulated");
    return static_cast<u64>(it.offset);
}
template <unsigned count>
void load_buffer(Wave& wave, Instruction const& it) {
    load<count>(wave, it.operands.at(0), own_part(wave, it.operands.at(1)),
                offset_in_buffer(wave, it));
}
template <unsigned count>
void store_buffer(Wave& wave, Instruction const& it) {
    store<count>(wave, it.operands.at(0), own_part(wave, it.operands.at(1)),
                 offset_in_buffer(wave, it));
}

constexpr Operation operations[] = {
    {"scratch_load_b32", load_scratch<1>},   {"scratch_load_b64", load_scratch<2>},
    {"scratch_load_b96", load_scratch<3>},   {"scratch_load_b128", load_scratch<4>},
    {"scratch_store_b32", store_scratch<1>}, {"scratch_store_b64", store_scratch<2>},
    {"scratch_store_b96", store_scratch<3>}, {"scratch_store_b128", store_scratch<4>},
    {"buffer_load_b32", load_buffer<1>},     {"buffer_load_b64", load_buffer<2>},
    {"buffer_load_b96", load_buffer<3>},     {"buffer_load_b128", load_buffer<4>},
    {"buffer_store_b32", store_buffer<1>},   {"buffer_store_b64", store_buffer<2>},
    {"buffer_store_b96", store_buffer<3>},   {"buffer_store_b128", store_buffer<4>},
};

}  // namespace

std::span<Operation const> private_operations() {
    return operations;
}

}  // namespace rocmtune::emulator
