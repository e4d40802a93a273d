// SPDX-License-Identifier: MIT
// Queues whose packets are taken and completed, while nothing of them is executed.
#pragma once

#include <cstdint>
#include <functional>
#include <thread>

namespace fake_kfd {

/// One AQL queue as the runtime describes it to the driver.
struct AqlQueue {
    std::uint64_t ring;         ///< address of its packets
    std::uint64_t size;         ///< in bytes
    std::uint64_t write_index;  ///< addresses of the two indices
    std::uint64_t read_index;
};

/// With FAKE_KFD_QUEUES=complete: a thread that takes each packet, sets its completion signal as if
/// it had been executed, and calls `raise` with the event of a signal that somebody waits for. The
/// queue's memory is read until that thread has been told to stop and has ended.
std::jthread serve_queue(AqlQueue const& queue, std::function<void(std::uint32_t event)> raise);

}  // namespace fake_kfd
