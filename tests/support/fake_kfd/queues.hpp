// SPDX-License-Identifier: MIT
// Queues of one GPU: packets are taken from a ring in memory and completed.
#pragma once

#include <cstdint>
#include <thread>

#include "topology.hpp"

namespace fake_kfd {

/// A queue as the runtime describes it to the driver.
struct Queue {
    std::uint64_t ring;         ///< address of its packets
    std::uint64_t size;         ///< in bytes
    std::uint64_t write_index;  ///< addresses of the two indices: packets, for SDMA bytes
    std::uint64_t read_index;
    Gpu gpu;
};

/// If packets are taken at all: a thread that takes each one, executes it as far as FAKE_KFD_QUEUES
/// says, sets its completion signal and raises the event of a signal that somebody waits for. The
/// queue's memory is read until that thread has been told to stop and has ended.
/// @param type  KFD_IOC_QUEUE_TYPE_...
std::jthread serve_queue(Queue const& queue, std::uint32_t type);

}  // namespace fake_kfd
