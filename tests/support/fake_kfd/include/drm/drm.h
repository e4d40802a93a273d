// SPDX-License-Identifier: MIT
// <linux/kfd_ioctl.h> includes this name for its integer types only. Debian's linux-libc-dev leaves
// the DRM headers to libdrm-dev, which puts them elsewhere.
#pragma once
#include <linux/types.h>
