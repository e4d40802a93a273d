// SPDX-License-Identifier: MIT
// The size of /dev/shm, where processes on one host exchange data.
#pragma once

#include "rocmtune/host.hpp"

namespace rocmtune {

/// Docker, containerd and CRI-O give this to a container that asks for nothing else.
inline constexpr std::uint64_t container_shm_bytes = std::uint64_t{64} << 20;

/// What the advice of RT3210 gives instead: twice what Primus asks of a node. It is a limit, and
/// takes no memory until something is written.
inline constexpr std::uint64_t advised_shm_bytes = std::uint64_t{16} << 30;

/// Whether a container was left with the default, at which data loaders die of a bus error.
inline bool has_container_default(Number const& shm_bytes, bool in_container) {
    return in_container && shm_bytes && *shm_bytes <= container_shm_bytes;
}

}  // namespace rocmtune
