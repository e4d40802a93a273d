// SPDX-License-Identifier: MIT
// What is asked of a host: names of GPUs, who uses them, the variables of its process.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/host.hpp"

namespace rocmtune {

/// One of several rows of its card.
bool is_partition(Gpu const& gpu);

/// A PCI address, with /PARTITION where the card has several. What is not known of partitions is as
/// on a card without: the first of one.
std::string subject_at(std::string_view address, std::optional<std::uint64_t> partition,
                       std::optional<std::uint64_t> partitions);

/// How findings and advice name a GPU: its PCI address, with /PARTITION where the card is
/// partitioned. A device without an address is "host".
std::string subject_of(Gpu const& gpu);

/// Whether the row is among those that were asked for; none asked for means all.
bool is_among(std::vector<std::uint64_t> const& rows, Gpu const& gpu);

/// Why it is not known which GPUs the host has; absent if it is known, even that there are none.
std::optional<std::string> why_gpus_are_unread(Host const& host);

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

/// Null if the runtime was not asked.
inline Runtime const* runtime_of(Host const& host, std::string_view name) {
    if (!host.runtimes) return nullptr;
    auto const found = std::ranges::find(*host.runtimes, name, &Runtime::name);
    return found == host.runtimes->end() ? nullptr : &*found;
}

/// The first Python package of that name; null if there is none or nobody can tell.
inline Framework const* framework_of(Host const& host, std::string_view name) {
    if (!host.frameworks) return nullptr;
    auto const found = std::ranges::find(*host.frameworks, name, &Framework::name);
    return found == host.frameworks->end() ? nullptr : &*found;
}

/// The variables that ROCr, HIP, OpenCL and PyTorch choose devices by.
inline constexpr std::array<std::string_view, 4> mask_names{
    "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"};
bool is_device_mask(std::string_view name);

/// HSA_OVERRIDE_GFX_VERSION, or for one GPU HSA_OVERRIDE_GFX_VERSION_N: the runtimes then report
/// another target than the hardware has.
bool is_gfx_override(std::string_view name);

/// The value of a variable; absent if it is not set, its value is hidden or nobody can tell.
std::optional<std::string> variable_of(Host const& host, std::string_view name);

/// Whether a variable is set, be its value hidden or not.
bool is_set(Host const& host, std::string_view name);

/// The overrides of the target that are set and not empty, by name.
std::map<std::string, std::string> gfx_overrides(Host const& host);

/// Whether this process runs in a container, which cannot change its host.
bool in_container(Host const& host);

/// The value of the last kernel argument NAME=VALUE, which is the one that the kernel takes.
std::optional<std::string> kernel_argument(Host const& host, std::string_view name);

/// Docker, containerd and CRI-O give this to a container that asks for nothing else.
inline constexpr std::uint64_t container_shm_bytes = std::uint64_t{64} << 20;

/// What the advice of RT3210 gives instead: twice what Primus asks of a node. It is a limit, and
/// takes no memory until something is written.
inline constexpr std::uint64_t advised_shm_bytes = std::uint64_t{16} << 30;

/// Whether a container was left with the default, at which data loaders die of a bus error.
inline bool has_container_default(Number const& shm_bytes, bool in_container) {
    return in_container && shm_bytes && *shm_bytes <= container_shm_bytes;
}

/// 16 hexadecimal digits that are equal for equal hardware, driver, ROCm and frameworks, today and
/// on every machine. What changes from minute to minute or names a machine is left out.
std::string fingerprint(Host const& host);

}  // namespace rocmtune
