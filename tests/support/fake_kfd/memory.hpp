// SPDX-License-Identifier: MIT
// Memory of GPUs: a stretch of the sparse file behind a render node, at the same address for
// processor and GPU. Memory of the host that the GPU shall see at another address is moved into a
// file of its own and mapped at both.
#pragma once

#include <cstdint>

struct kfd_ioctl_alloc_memory_of_gpu_args;
struct kfd_ioctl_free_memory_of_gpu_args;
struct kfd_ioctl_map_memory_to_gpu_args;
struct kfd_ioctl_unmap_memory_from_gpu_args;

namespace fake_kfd {

/// Beyond every allocation: where doorbells lie in the file behind the device.
constexpr std::uint64_t doorbell_offset = 1ULL << 39;

// The ioctls of these names; each returns 0 or an errno.
int allocate(kfd_ioctl_alloc_memory_of_gpu_args& it);
int release(kfd_ioctl_free_memory_of_gpu_args& it);
int map_memory(kfd_ioctl_map_memory_to_gpu_args& it);
int unmap_memory(kfd_ioctl_unmap_memory_from_gpu_args& it);

}  // namespace fake_kfd
