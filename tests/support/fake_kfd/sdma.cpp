// SPDX-License-Identifier: MIT
#include "sdma.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "events.hpp"
#include "signals.hpp"

namespace fake_kfd {
namespace {

/// SDMA_OP_... of sdma_registers.h.
enum Operation : std::uint8_t {
    nop = 0,
    copy = 1,
    fence = 5,
    trap = 6,
    poll = 8,
    atomic = 10,
    timestamp = 13
};

struct Packet {
    std::uint64_t address;

    std::uint32_t word(unsigned index) const { return at<std::uint32_t>(address + 4 * index); }
    std::uint64_t long_word(unsigned index) const {
        return word(index) | std::uint64_t{word(index + 1)} << 32;
    }
    unsigned operation() const { return word(0) & 0xff; }
    unsigned kind() const { return word(0) >> 8 & 0xff; }
};

[[noreturn]] void refuse(Packet const& packet) {
    std::fprintf(stderr, "fake_kfd: SDMA packet %#x is not known\n", packet.word(0));
    std::abort();
}

/// Linear only: rectangles are copied with other kinds.
unsigned copy_linear(Packet const& packet) {
    if (packet.kind() != 0) refuse(packet);
    constexpr std::uint32_t count_mask = 0x3fffffff;
    std::memmove(reinterpret_cast<void*>(packet.long_word(5)),
                 reinterpret_cast<void const*>(packet.long_word(3)),
                 std::size_t{packet.word(1) & count_mask} + 1);
    return 7;
}

/// Whether memory has the value that is waited for. Flushing the path to the host waits for
/// nothing.
bool is_over(Packet const& packet) {
    bool const is_memory = packet.word(0) >> 31 != 0;
    if (!is_memory) return true;
    auto const value = at<std::uint32_t>(packet.long_word(1)) & packet.word(4);
    auto const wanted = packet.word(3);
    switch (packet.word(0) >> 28 & 7) {
        case 0: return true;
        case 3: return value == wanted;
        case 5: return value >= wanted;
        default: refuse(packet);
    }
}

/// ROCr decrements signals: an addition in 64 bits (TC_OP_ATOMIC_ADD_RTN_64).
unsigned add(Packet const& packet) {
    constexpr unsigned add_64 = 0x2f;
    if (packet.word(0) >> 25 != add_64) refuse(packet);
    at<std::uint64_t>(packet.long_word(1)) += packet.long_word(3);
    return 8;
}

unsigned store(Packet const& packet) {
    at<std::uint32_t>(packet.long_word(1)) = packet.word(3);
    return 4;
}

unsigned store_time(Packet const& packet) {
    at<std::uint64_t>(packet.long_word(1)) = now();
    return 3;
}

unsigned interrupt(Packet const& packet) {
    constexpr std::uint32_t context_mask = 0xfffffff;
    raise_event(packet.word(1) & context_mask);
    return 2;
}

unsigned words(Packet const& packet) {
    switch (packet.operation()) {
        case nop: return 1;
        case copy: return copy_linear(packet);
        case fence: return store(packet);
        case trap: return interrupt(packet);
        case poll: return is_over(packet) ? 6 : 0;
        case atomic: return add(packet);
        case timestamp: return store_time(packet);
        default: refuse(packet);
    }
}

}  // namespace

std::uint64_t execute_sdma_packet(std::uint64_t packet) {
    return 4ULL * words({packet});
}

bool is_sdma_copy(std::uint64_t packet) {
    return Packet{packet}.operation() == copy;
}

}  // namespace fake_kfd
