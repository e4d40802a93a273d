// SPDX-License-Identifier: MIT
// Memory that the runtime and a queue share: ROCr's inc/amd_hsa_signal.h.
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>

namespace fake_kfd {

/// amd_signal_t.
struct Signal {
    std::int64_t kind;
    std::atomic<std::int64_t> value;
    std::uint64_t event_mailbox;
    std::uint32_t event_id;
    std::uint32_t reserved;
    std::uint64_t start;
    std::uint64_t end;
};

template <class T>
std::atomic<T>& at(std::uint64_t address) {
    return *reinterpret_cast<std::atomic<T>*>(address);
}

/// Nanoseconds: the clock of the GPU, of the processor and of signals.
inline std::uint64_t now() {
    std::timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U +
           static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace fake_kfd
