// SPDX-License-Identifier: MIT
// Scalar loads, global and flat instructions. Source: AMD's instruction set references, SMEM, FLAT.
#include "memory.hpp"

#include <algorithm>

#include "operations.hpp"

namespace rocmtune::emulator {

u8* place_in_memory(Wave& wave, unsigned lane, u64 address, unsigned bytes) {
    auto const within = address & 0xFFFFFFFF;
    if (address >> 32 == shared_aperture) return place_in_lds(wave, within, bytes);
    if (address >> 32 == private_aperture) return place_in_private(wave, lane, within, bytes);
    constexpr u64 page = 4096, end = u64{1} << 47;  // of what a process of x86-64 can have
    if (address < page || address >= end) throw Failure("the address cannot be one of memory");
    return reinterpret_cast<u8*>(address);
}

namespace {

/// Addresses from the operand at `place`: 64 bits a lane, or 32 beside a scalar base, which is the
/// last operand.
Lanes<u64> addresses(Wave const& wave, Instruction const& it, std::size_t place) {
    auto const offset = static_cast<u64>(it.offset);
    auto const& last = it.operands.back();
    if (last.kind == Operand::Kind::vector || last.kind == Operand::Kind::off) {
        auto result = lanes_of<u64>(wave, it.operands.at(place));
        for (auto& address : result) address += offset;
        return result;
    }
    auto const base = scalar_value<u64>(wave, last) + offset;
    auto const words = lanes_of<u32>(wave, it.operands.at(place));
    Lanes<u64> result;
    for (unsigned lane = 0; lane < most_lanes; ++lane) result[lane] = base + words[lane];
    return result;
}

template <unsigned count>
void load_words(Wave& wave, Instruction const& it) {
    auto const from = addresses(wave, it, 1);
    for_each_lane(wave.active(), [&](unsigned lane) {
        u32 words[count];
        std::memcpy(words, place_in_memory(wave, lane, from[lane], sizeof words), sizeof words);
        words_to(wave, it.operands[0], lane, words, count);
    });
}

template <unsigned count>
void store_words(Wave& wave, Instruction const& it) {
    auto const to = addresses(wave, it, 0);
    for_each_lane(wave.active(), [&](unsigned lane) {
        u32 words[count];
        words_from(wave, it.operands.at(1), lane, words, count);
        std::memcpy(place_in_memory(wave, lane, to[lane], sizeof words), words, sizeof words);
    });
}

/// What becomes of a register when less than a word is loaded.
enum class Into { word, low_half, high_half };

template <class T, Into into>
void load_part(Wave& wave, Instruction const& it) {
    auto const from = addresses(wave, it, 1);
    auto& registers = vector_register(wave, it.operands[0]);
    for_each_lane(wave.active(), [&](unsigned lane) {
        T value;
        std::memcpy(&value, place_in_memory(wave, lane, from[lane], sizeof value), sizeof value);
        auto const word = static_cast<u32>(i32{value});
        if (into == Into::word) registers[lane] = word;
        else if (into == Into::low_half)
            registers[lane] = (registers[lane] & ~0xFFFFU) | (word & 0xFFFF);
        else registers[lane] = (registers[lane] & 0xFFFF) | word << 16;
    });
}

template <class T, unsigned shift>
void store_part(Wave& wave, Instruction const& it) {
    auto const to = addresses(wave, it, 0);
    auto const& registers = vector_register(wave, it.operands.at(1));
    for_each_lane(wave.active(), [&](unsigned lane) {
        auto const value = static_cast<T>(registers[lane] >> shift);
        std::memcpy(place_in_memory(wave, lane, to[lane], sizeof value), &value, sizeof value);
    });
}

/// Operands: destination if it returns, address, value, scalar base. f makes the new value of the
/// old one and the operand's.
template <class F>
constexpr Execute atomic(F) {
    return [](Wave& wave, Instruction const& it) {
        using T = typename detail::Signature<F>::Result;
        std::size_t const first = it.returns ? 1 : 0;
        auto const places = addresses(wave, it, first);
        for_each_lane(wave.active(), [&](unsigned lane) {
            auto const value = value_from<T>(wave, it.operands.at(first + 1), lane);
            auto* const place = place_in_memory(wave, lane, places[lane], sizeof(T));
            auto const old = exchange<T>(wave, place, [&](T before) { return F{}(before, value); });
            if (it.returns) value_to(wave, it.operands[0], lane, old);
        });
    };
}

/// The value operand holds the new value, then the one that must be there.
template <class T>
void compare_and_swap(Wave& wave, Instruction const& it) {
    struct Both {
        T wanted, expected;
    };
    std::size_t const first = it.returns ? 1 : 0;
    auto const places = addresses(wave, it, first);
    for_each_lane(wave.active(), [&](unsigned lane) {
        auto const both = value_from<Both>(wave, it.operands.at(first + 1), lane);
        auto* const place = place_in_memory(wave, lane, places[lane], sizeof(T));
        auto const old = exchange<T>(
            wave, place, [&](T before) { return before == both.expected ? both.wanted : before; });
        if (it.returns) value_to(wave, it.operands[0], lane, old);
    });
}

/// Operands: destination, base, then an offset that is a register, a number or null.
template <unsigned count>
void load_scalars(Wave& wave, Instruction const& it) {
    auto address = scalar_value<u64>(wave, it.operands.at(1)) + static_cast<u64>(it.offset);
    auto const& offset = it.operands.at(2);
    address += offset.kind == Operand::Kind::constant ? offset.constant.integer
                                                      : scalar_value<u32>(wave, offset);
    u32 words[count];
    std::memcpy(words, place_in_memory(wave, 0, address & ~u64{3}, sizeof words), sizeof words);
    for (unsigned i = 0; i < count; ++i) wave.scalars.at(it.operands[0].index + i) = words[i];
}

constexpr Operation operations[] = {
    {"s_load_b32", load_scalars<1>},
    {"s_load_b64", load_scalars<2>},
    {"s_load_b96", load_scalars<3>},
    {"s_load_b128", load_scalars<4>},
    {"s_load_b256", load_scalars<8>},
    {"s_load_b512", load_scalars<16>},

    {"global_load_b32", load_words<1>},
    {"global_load_b64", load_words<2>},
    {"global_load_b96", load_words<3>},
    {"global_load_b128", load_words<4>},
    {"global_load_u8", load_part<u8, Into::word>},
    {"global_load_i8", load_part<i8, Into::word>},
    {"global_load_u16", load_part<u16, Into::word>},
    {"global_load_i16", load_part<i16, Into::word>},
    {"global_load_d16_b16", load_part<u16, Into::low_half>},
    {"global_load_d16_hi_b16", load_part<u16, Into::high_half>},
    {"global_load_d16_u8", load_part<u8, Into::low_half>},
    {"global_load_d16_hi_u8", load_part<u8, Into::high_half>},
    {"global_store_b32", store_words<1>},
    {"global_store_b64", store_words<2>},
    {"global_store_b96", store_words<3>},
    {"global_store_b128", store_words<4>},
    {"global_store_b8", store_part<u8, 0>},
    {"global_store_b16", store_part<u16, 0>},
    {"global_store_d16_hi_b8", store_part<u8, 16>},
    {"global_store_d16_hi_b16", store_part<u16, 16>},

    {"global_atomic_add_u32", atomic([](u32 a, u32 b) { return a + b; })},
    {"global_atomic_add_u64", atomic([](u64 a, u64 b) { return a + b; })},
    {"global_atomic_sub_u32", atomic([](u32 a, u32 b) { return a - b; })},
    {"global_atomic_sub_u64", atomic([](u64 a, u64 b) { return a - b; })},
    {"global_atomic_and_b32", atomic([](u32 a, u32 b) { return a & b; })},
    {"global_atomic_and_b64", atomic([](u64 a, u64 b) { return a & b; })},
    {"global_atomic_or_b32", atomic([](u32 a, u32 b) { return a | b; })},
    {"global_atomic_or_b64", atomic([](u64 a, u64 b) { return a | b; })},
    {"global_atomic_xor_b32", atomic([](u32 a, u32 b) { return a ^ b; })},
    {"global_atomic_xor_b64", atomic([](u64 a, u64 b) { return a ^ b; })},
    {"global_atomic_min_u32", atomic([](u32 a, u32 b) { return std::min(a, b); })},
    {"global_atomic_min_u64", atomic([](u64 a, u64 b) { return std::min(a, b); })},
    {"global_atomic_max_u32", atomic([](u32 a, u32 b) { return std::max(a, b); })},
    {"global_atomic_max_u64", atomic([](u64 a, u64 b) { return std::max(a, b); })},
    {"global_atomic_min_i32", atomic([](i32 a, i32 b) { return std::min(a, b); })},
    {"global_atomic_min_i64", atomic([](i64 a, i64 b) { return std::min(a, b); })},
    {"global_atomic_max_i32", atomic([](i32 a, i32 b) { return std::max(a, b); })},
    {"global_atomic_max_i64", atomic([](i64 a, i64 b) { return std::max(a, b); })},
    {"global_atomic_swap_b32", atomic([](u32, u32 b) { return b; })},
    {"global_atomic_swap_b64", atomic([](u64, u64 b) { return b; })},
    {"global_atomic_add_f32", atomic([](float a, float b) { return a + b; })},
    {"global_atomic_add_f64", atomic([](double a, double b) { return a + b; })},
    {"global_atomic_cmpswap_b32", compare_and_swap<u32>},
    {"global_atomic_cmpswap_b64", compare_and_swap<u64>},
};

}  // namespace

std::span<Operation const> memory_operations() {
    return operations;
}

}  // namespace rocmtune::emulator
