// SPDX-License-Identifier: MIT
// The driver's events, as kfd_events.c has them: what threads of the runtime sleep on.
#pragma once

#include <cstdint>

struct kfd_ioctl_create_event_args;
struct kfd_ioctl_destroy_event_args;
struct kfd_ioctl_set_event_args;
struct kfd_ioctl_reset_event_args;
struct kfd_ioctl_wait_events_args;

namespace fake_kfd {

// The ioctls of these names; each returns 0 or an errno.
int create_event(kfd_ioctl_create_event_args& it);
int destroy_event(kfd_ioctl_destroy_event_args& it);
int set_event(kfd_ioctl_set_event_args& it);
int reset_event(kfd_ioctl_reset_event_args& it);
int wait_events(kfd_ioctl_wait_events_args& it);

/// Sets an event, as an interrupt of the GPU does.
void raise_event(std::uint32_t id);

/// Every memory event tells of an access to a page that is not there (kfd_signal_vm_fault_event).
void raise_memory_fault(std::uint32_t gpu_id, std::uint64_t address);

/// Every event of hardware exceptions tells that the GPU hangs and its memory is lost
/// (kfd_signal_reset_event).
void raise_reset(std::uint32_t gpu_id);

}  // namespace fake_kfd
