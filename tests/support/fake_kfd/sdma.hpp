// SPDX-License-Identifier: MIT
// Packets of the copy engines, as far as ROCr 5.2.3 writes them (core/inc/sdma_registers.h).
#pragma once

#include <cstdint>

namespace fake_kfd {

/// Does what the packet at this address says.
/// @return how many bytes it has; 0 if what it waits for has not happened. Ends the process, with
///         the packet on stderr, where it is none that ROCr writes.
std::uint64_t execute_sdma_packet(std::uint64_t packet);

/// Whether the packet copies memory.
bool is_sdma_copy(std::uint64_t packet);

}  // namespace fake_kfd
