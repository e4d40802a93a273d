// SPDX-License-Identifier: MIT
// Queues whose packets are taken and completed, while nothing of them is executed.
#pragma once

#include <cstdint>
#include <functional>

namespace fake_kfd {

/// One AQL queue as the runtime describes it to the driver.
struct AqlQueue {
    std::uint64_t ring;         ///< address of its packets
    std::uint64_t size;         ///< in bytes
    std::uint64_t write_index;  ///< addresses of the two indices
    std::uint64_t read_index;
};

/// With FAKE_KFD_QUEUES=complete: a thread that takes each packet, sets its completion signal as if
/// it had been executed, and calls `raise` with the event of a signal that somebody waits for.
void serve_queue(AqlQueue const& queue, std::function<void(std::uint32_t event)> raise);

}  // namespace fake_kfd
