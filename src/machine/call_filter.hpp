// SPDX-License-Identifier: MIT
// Made at build time, where libseccomp is found (src/knowledge/compile_call_filter.cpp).
#pragma once

#include <span>

#include <linux/filter.h>

namespace rocmtune {

/// A program for seccomp(2) that lets a process read files, compute and start threads and children
/// of its own code; all else fails with ENOSYS. Whether openat2(2) writes, a filter cannot see:
/// it is let through only on wish.
std::span<sock_filter const> call_filter(bool openat2);

}  // namespace rocmtune
