// SPDX-License-Identifier: MIT
// What becomes of a kernel: FAKE_KFD_QUEUES=execute gives it to the library FAKE_KFD_EXECUTOR,
// which has the functions of amdgpu_emulator/executor.h.
#pragma once

#include <cstdint>

#include "topology.hpp"

namespace fake_kfd {

/// What FAKE_KFD_QUEUES says of packets: `complete`, `execute`, or nothing.
bool packets_are_taken();
bool packets_are_executed();

/// Executes the kernel of an AQL packet. False if the queue goes no further: the kernel hangs, or
/// its GPU has stopped. Ends the process, with the reason on stderr, where the executor cannot go
/// on.
bool dispatch(Gpu const& gpu, std::uint64_t packet);

/// Code may have changed: the executor is told so.
void forget_code();

/// Whether a GPU was lost (FAKE_KFD_FAULT=dispatch@N=gone).
bool is_a_gpu_lost();

}  // namespace fake_kfd
