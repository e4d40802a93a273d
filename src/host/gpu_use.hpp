// SPDX-License-Identifier: MIT
// Whether a GPU sleeps, and who holds it.
#pragma once

#include "rocmtune/host.hpp"

namespace rocmtune {

/// Whether runtime power management has put the GPU to sleep. Not known counts as awake: then
/// nothing is kept from being read.
bool is_asleep(Gpu const& gpu);

/// The first GPU of the host that sleeps, or null.
Gpu const* sleeping_gpu(Host const& host);

/// Whether the process holds the card of this row. Partitions share its memory and power, so that
/// which of them it uses makes no difference.
bool holds(GpuProcess const& process, Gpu const& gpu);

/// Whether a process that is known does. Processes out of sight may, too: see the limit() of
/// `Host::gpu_processes`.
bool is_held(Host const& host, Gpu const& gpu);

}  // namespace rocmtune
