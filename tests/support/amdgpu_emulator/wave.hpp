// SPDX-License-Identifier: MIT
// The state of a wave and of its workgroup, and how instructions read and write it.
#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include "faults.hpp"
#include "instruction.hpp"
#include "target.hpp"

namespace rocmtune::emulator {

constexpr unsigned most_lanes = 64;
template <class T>
using Lanes = std::array<T, most_lanes>;

class Program;

/// What all waves of a dispatch share.
struct Machine {
    Target target;
    Options options;
    Program* program = nullptr;
    u64 atomics = 0;  ///< so far
};

struct Workgroup {
    std::vector<u8> lds;
    std::array<u32, 3> id{};
};

struct Wave {
    Machine* machine = nullptr;
    Workgroup* group = nullptr;
    Instruction const* next = nullptr;
    unsigned lanes = most_lanes;  ///< 32 or 64
    bool scc = false;
    bool finished = false;
    bool waiting = false;   ///< at a barrier
    u32 private_bytes = 0;  ///< of a lane
    std::vector<u8> private_memory = {};
    std::array<u32, scalar_registers> scalars;
    std::array<Lanes<u32>, 2 * first_accumulator> vectors;

    u64 pair(unsigned index) const { return u64{scalars[index + 1]} << 32 | scalars[index]; }
    void set_pair(unsigned index, u64 value) {
        scalars[index] = static_cast<u32>(value);
        scalars[index + 1] = static_cast<u32>(value >> 32);
    }
    /// A bit a lane, from a register or a pair of them.
    u64 mask(unsigned index) const { return lanes == 32 ? scalars[index] : pair(index); }
    void set_mask(unsigned index, u64 value) {
        if (lanes == 32) scalars[index] = static_cast<u32>(value);
        else set_pair(index, value);
    }
    u64 active() const { return mask(exec); }
};

/// Calls f(lane) for every lane whose bit is set.
template <class F>
void for_each_lane(u64 mask, F f) {
    if ((mask & (mask + 1)) == 0) {  // the usual case, which compilers turn into vector code
        auto const count = static_cast<unsigned>(std::popcount(mask));
        for (unsigned lane = 0; lane < count; ++lane) f(lane);
        return;
    }
    for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}

// ---- scalar values ------------------------------------------------------------------------------

template <class T>
T constant_as(Constant const& it) {
    if constexpr (std::is_same_v<T, double>) return std::bit_cast<double>(it.real);
    else if constexpr (sizeof(T) == 8) return std::bit_cast<T>(it.integer);
    else if constexpr (sizeof(T) == 4) return std::bit_cast<T>(it.word);
    else return std::bit_cast<T>(it.half);
}

/// What an operand that is no vector holds. @throws Failure
template <class T>
T scalar_value(Wave const& wave, Operand const& operand) {
    using Kind = Operand::Kind;
    if (operand.kind == Kind::constant) return constant_as<T>(operand.constant);
    u64 bits = 0;
    if (operand.kind == Kind::scc) bits = wave.scc;
    else if (operand.kind != Kind::scalar) throw Failure("an operand is not scalar");
    else if (operand.index == null) bits = 0;
    else if constexpr (sizeof(T) == 8) bits = wave.pair(operand.index);
    else bits = wave.scalars[operand.index];
    if constexpr (sizeof(T) == 8) return std::bit_cast<T>(bits);
    else if constexpr (sizeof(T) == 4) return std::bit_cast<T>(static_cast<u32>(bits));
    else return std::bit_cast<T>(static_cast<u16>(bits));
}

template <class T>
void set_scalar(Wave& wave, Operand const& operand, T value) {
    if (operand.kind != Operand::Kind::scalar) throw Failure("a destination is not scalar");
    if (operand.index == null) return;
    if constexpr (sizeof(T) == 8) wave.set_pair(operand.index, std::bit_cast<u64>(value));
    else wave.scalars[operand.index] = std::bit_cast<u32>(value);
}

inline u64 scalar_mask(Wave const& wave, Operand const& operand) {
    return wave.lanes == 32 ? scalar_value<u32>(wave, operand) : scalar_value<u64>(wave, operand);
}

inline void set_scalar_mask(Wave& wave, Operand const& operand, u64 mask) {
    if (wave.lanes == 32) set_scalar(wave, operand, static_cast<u32>(mask));
    else set_scalar(wave, operand, mask);
}

// ---- a value for each lane ----------------------------------------------------------------------

/// The bits that an operand's modifiers leave: the part of the register, then its sign.
u32 modified_word(u32 word, Operand const& operand, unsigned sign_bit);
u64 modified_pair(u64 bits, Operand const& operand);

/// The registers behind an operand in vector register `index + which`. @throws Failure
Lanes<u32> const& vector_register(Wave const& wave, Operand const& operand, unsigned which = 0);
Lanes<u32>& vector_register(Wave& wave, Operand const& operand, unsigned which = 0);

/// What an operand is for each lane, as T: 16, 32 or 64 bits.
template <class T>
Lanes<T> lanes_of(Wave const& wave, Operand const& operand) {
    Lanes<T> values;
    if (operand.kind != Operand::Kind::vector) {
        values.fill(scalar_value<T>(wave, operand));
    } else if constexpr (sizeof(T) == 8) {
        auto const& low = vector_register(wave, operand);
        auto const& high = vector_register(wave, operand, 1);
        for (unsigned lane = 0; lane < most_lanes; ++lane)
            values[lane] = std::bit_cast<T>(u64{high[lane]} << 32 | low[lane]);
    } else if constexpr (sizeof(T) == 4) {
        std::memcpy(values.data(), vector_register(wave, operand).data(), sizeof values);
    } else {
        auto const& words = vector_register(wave, operand);
        for (unsigned lane = 0; lane < most_lanes; ++lane)
            values[lane] =
                std::bit_cast<T>(static_cast<u16>(modified_word(words[lane], operand, 15)));
        return values;
    }
    if (operand.is_plain()) return values;
    for (auto& value : values) {
        if constexpr (sizeof(T) == 8)
            value = std::bit_cast<T>(modified_pair(std::bit_cast<u64>(value), operand));
        else if constexpr (sizeof(T) == 4)
            value = std::bit_cast<T>(modified_word(std::bit_cast<u32>(value), operand, 31));
        else
            value = std::bit_cast<T>(
                static_cast<u16>(modified_word(std::bit_cast<u16>(value), operand, 15)));
    }
    return values;
}

/// Writes 32-bit results to the first operand, for the lanes that are active, into the part that
/// the instruction says.
void put_words(Wave& wave, Instruction const& it, Lanes<u32> const& values);
void put_halves(Wave& wave, Instruction const& it, Lanes<u16> const& values);
void put_pairs(Wave& wave, Instruction const& it, Lanes<u64> const& values);

/// Writes results of any type to the first operand.
template <class T>
void put(Wave& wave, Instruction const& it, Lanes<T> values) {
    if constexpr (std::is_floating_point_v<T>)
        if (it.clamps)
            for (auto& value : values) value = value > 0 ? (value < 1 ? value : T{1}) : T{0};
    if constexpr (sizeof(T) == 8) put_pairs(wave, it, std::bit_cast<Lanes<u64>>(values));
    else if constexpr (sizeof(T) == 4) put_words(wave, it, std::bit_cast<Lanes<u32>>(values));
    else put_halves(wave, it, std::bit_cast<Lanes<u16>>(values));
}

}  // namespace rocmtune::emulator
