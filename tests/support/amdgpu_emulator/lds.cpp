// SPDX-License-Identifier: MIT
// The memory that a workgroup shares. Source: AMD's instruction set references, DS.
#include <algorithm>

#include "memory.hpp"
#include "operations.hpp"

namespace rocmtune::emulator {

u8* place_in_lds(Wave& wave, u64 address, unsigned bytes) {
    auto& lds = wave.group->lds;
    if (address + bytes > lds.size())
        throw Failure("byte " + std::to_string(address) + " lies beyond the " +
                      std::to_string(lds.size()) + " bytes of LDS");
    return lds.data() + address;
}

namespace {

/// Addresses have 32 bits, so that a base may be negative.
u8* place_of(Wave& wave, u32 base, i64 offset, unsigned bytes) {
    return place_in_lds(wave, static_cast<u32>(base + offset), bytes);
}

template <unsigned count>
void load(Wave& wave, Instruction const& it) {
    auto const from = lanes_of<u32>(wave, it.operands.at(1));
    for_each_lane(wave.active(), [&](unsigned lane) {
        u32 words[count];
        std::memcpy(words, place_of(wave, from[lane], it.offset, sizeof words), sizeof words);
        words_to(wave, it.operands[0], lane, words, count);
    });
}

template <unsigned count>
void store(Wave& wave, Instruction const& it) {
    auto const to = lanes_of<u32>(wave, it.operands.at(0));
    for_each_lane(wave.active(), [&](unsigned lane) {
        u32 words[count];
        words_from(wave, it.operands.at(1), lane, words, count);
        std::memcpy(place_of(wave, to[lane], it.offset, sizeof words), words, sizeof words);
    });
}

/// Two places at once; offsets count elements, or `stride` of them.
template <unsigned count, unsigned stride>
void load_two(Wave& wave, Instruction const& it) {
    constexpr auto bytes = 4 * count;
    auto const from = lanes_of<u32>(wave, it.operands.at(1));
    for_each_lane(wave.active(), [&](unsigned lane) {
        u32 words[2 * count];
        std::memcpy(words, place_of(wave, from[lane], it.offset * bytes * stride, bytes), bytes);
        std::memcpy(words + count, place_of(wave, from[lane], it.offset1 * bytes * stride, bytes),
                    bytes);
        words_to(wave, it.operands[0], lane, words, 2 * count);
    });
}

template <unsigned count, unsigned stride>
void store_two(Wave& wave, Instruction const& it) {
    constexpr auto bytes = 4 * count;
    auto const to = lanes_of<u32>(wave, it.operands.at(0));
    for_each_lane(wave.active(), [&](unsigned lane) {
        u32 words[2 * count];
        words_from(wave, it.operands.at(1), lane, words, count);
        words_from(wave, it.operands.at(2), lane, words + count, count);
        std::memcpy(place_of(wave, to[lane], it.offset * bytes * stride, bytes), words, bytes);
        std::memcpy(place_of(wave, to[lane], it.offset1 * bytes * stride, bytes), words + count,
                    bytes);
    });
}

template <class T>
void load_part(Wave& wave, Instruction const& it) {
    auto const from = lanes_of<u32>(wave, it.operands.at(1));
    auto& registers = vector_register(wave, it.operands[0]);
    for_each_lane(wave.active(), [&](unsigned lane) {
        T value;
        std::memcpy(&value, place_of(wave, from[lane], it.offset, sizeof value), sizeof value);
        registers[lane] = static_cast<u32>(i32{value});
    });
}

template <class T>
void store_part(Wave& wave, Instruction const& it) {
    auto const to = lanes_of<u32>(wave, it.operands.at(0));
    auto const& registers = vector_register(wave, it.operands.at(1));
    for_each_lane(wave.active(), [&](unsigned lane) {
        auto const value = static_cast<T>(registers[lane]);
        std::memcpy(place_of(wave, to[lane], it.offset, sizeof value), &value, sizeof value);
    });
}

/// Operands: destination if it returns, address, value.
template <class F>
constexpr Execute atomic(F) {
    return [](Wave& wave, Instruction const& it) {
        using T = typename detail::Signature<F>::Result;
        std::size_t const first = it.returns ? 1 : 0;
        auto const places = lanes_of<u32>(wave, it.operands.at(first));
        for_each_lane(wave.active(), [&](unsigned lane) {
            auto const value = value_from<T>(wave, it.operands.at(first + 1), lane);
            auto* const place = place_of(wave, places[lane], it.offset, sizeof(T));
            auto const old = exchange<T>(wave, place, [&](T before) { return F{}(before, value); });
            if (it.returns) value_to(wave, it.operands[0], lane, old);
        });
    };
}

/// Before gfx11 the value that must be there comes first (ds_cmpst), since then last (ds_cmpstore).
template <class T, bool expected_first>
void compare_and_store(Wave& wave, Instruction const& it) {
    std::size_t const first = it.returns ? 1 : 0;
    auto const places = lanes_of<u32>(wave, it.operands.at(first));
    for_each_lane(wave.active(), [&](unsigned lane) {
        auto const one = value_from<T>(wave, it.operands.at(first + 1), lane);
        auto const two = value_from<T>(wave, it.operands.at(first + 2), lane);
        auto* const place = place_of(wave, places[lane], it.offset, sizeof(T));
        auto const old = exchange<T>(wave, place, [&](T before) {
            return before == (expected_first ? one : two) ? (expected_first ? two : one) : before;
        });
        if (it.returns) value_to(wave, it.operands[0], lane, old);
    });
}

constexpr Operation operations[] = {
    {"ds_load_b32", load<1>},
    {"ds_load_b64", load<2>},
    {"ds_load_b96", load<3>},
    {"ds_load_b128", load<4>},
    {"ds_load_2addr_b32", load_two<1, 1>},
    {"ds_load_2addr_b64", load_two<2, 1>},
    {"ds_load_2addr_stride64_b32", load_two<1, 64>},
    {"ds_load_2addr_stride64_b64", load_two<2, 64>},
    {"ds_load_u8", load_part<u8>},
    {"ds_load_i8", load_part<i8>},
    {"ds_load_u16", load_part<u16>},
    {"ds_load_i16", load_part<i16>},
    {"ds_store_b32", store<1>},
    {"ds_store_b64", store<2>},
    {"ds_store_b96", store<3>},
    {"ds_store_b128", store<4>},
    {"ds_store_2addr_b32", store_two<1, 1>},
    {"ds_store_2addr_b64", store_two<2, 1>},
    {"ds_store_2addr_stride64_b32", store_two<1, 64>},
    {"ds_store_2addr_stride64_b64", store_two<2, 64>},
    {"ds_store_b8", store_part<u8>},
    {"ds_store_b16", store_part<u16>},
    {"ds_add_u32", atomic([](u32 a, u32 b) { return a + b; })},
    {"ds_add_u64", atomic([](u64 a, u64 b) { return a + b; })},
    {"ds_sub_u32", atomic([](u32 a, u32 b) { return a - b; })},
    {"ds_and_b32", atomic([](u32 a, u32 b) { return a & b; })},
    {"ds_or_b32", atomic([](u32 a, u32 b) { return a | b; })},
    {"ds_xor_b32", atomic([](u32 a, u32 b) { return a ^ b; })},
    {"ds_min_u32", atomic([](u32 a, u32 b) { return std::min(a, b); })},
    {"ds_max_u32", atomic([](u32 a, u32 b) { return std::max(a, b); })},
    {"ds_min_i32", atomic([](i32 a, i32 b) { return std::min(a, b); })},
    {"ds_max_i32", atomic([](i32 a, i32 b) { return std::max(a, b); })},
    {"ds_add_f32", atomic([](float a, float b) { return a + b; })},
    {"ds_cmpst_b32", compare_and_store<u32, true>},
    {"ds_cmpst_b64", compare_and_store<u64, true>},
    {"ds_cmpstore_b32", compare_and_store<u32, false>},
    {"ds_cmpstore_b64", compare_and_store<u64, false>},
};

}  // namespace

std::span<Operation const> lds_operations() {
    return operations;
}

}  // namespace rocmtune::emulator
