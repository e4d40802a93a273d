// SPDX-License-Identifier: MIT
// The kernel driver's side of /dev/kfd: every ioctl that libhsakmt 5.2.3 sends is answered, memory
// is a sparse file behind the device's descriptor, queues are made and complete nothing.
#pragma once

namespace fake_kfd {

/// As ioctl(2) on /dev/kfd: 0, or -1 with errno.
int kfd_ioctl(unsigned long request, void* argument);

}  // namespace fake_kfd
