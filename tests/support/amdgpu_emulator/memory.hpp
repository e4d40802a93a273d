// SPDX-License-Identifier: MIT
// Where instructions reach memory.
#pragma once

#include "wave.hpp"

namespace rocmtune::emulator {

/// A place in memory, or in LDS or the lane's private memory if the address says so.
/// @throws Failure where nothing can be
u8* place_in_memory(Wave& wave, unsigned lane, u64 address, unsigned bytes);

/// @throws Failure beyond the lane's private memory
u8* place_in_private(Wave& wave, unsigned lane, u64 address, unsigned bytes);

/// @throws Failure beyond the workgroup's LDS
u8* place_in_lds(Wave& wave, u64 address, unsigned bytes);

/// Changes a word or a pair of them as one step. @throws Failure for a place that is not aligned
template <class T, class F>
T exchange(Wave& wave, u8* place, F f) {
    if (reinterpret_cast<std::uintptr_t>(place) % sizeof(T) != 0)
        throw Failure("the place of an atomic operation is not aligned");
    T old;
    std::memcpy(&old, place, sizeof old);
    bool const lost =
        wave.machine->options.fault == Fault::lost_atomics && ++wave.machine->atomics % 4096 == 0;
    if (lost) return old;
    T const changed = f(old);
    std::memcpy(place, &changed, sizeof changed);
    return old;
}

/// Words of one lane, from and to the registers of an operand.
inline void words_from(Wave const& wave, Operand const& operand, unsigned lane, u32* words,
                       unsigned count) {
    for (unsigned i = 0; i < count; ++i) words[i] = vector_register(wave, operand, i)[lane];
}
inline void words_to(Wave& wave, Operand const& operand, unsigned lane, u32 const* words,
                     unsigned count) {
    for (unsigned i = 0; i < count; ++i) vector_register(wave, operand, i)[lane] = words[i];
}

template <class T>
T value_from(Wave const& wave, Operand const& operand, unsigned lane) {
    u32 words[sizeof(T) / 4];
    words_from(wave, operand, lane, words, sizeof(T) / 4);
    return std::bit_cast<T>(words);
}
template <class T>
void value_to(Wave& wave, Operand const& operand, unsigned lane, T value) {
    auto const words = std::bit_cast<std::array<u32, sizeof(T) / 4>>(value);
    words_to(wave, operand, lane, words.data(), sizeof(T) / 4);
}

}  // namespace rocmtune::emulator
