// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace rocmtune {

/// openat2(2), for which Debian 12's glibc has no function: a file descriptor that is closed on
/// exec, or -1 and errno. `resolve` are RESOLVE_ flags. ENOSYS before Linux 5.6, EPERM in old
/// containers.
inline int openat2_call(int directory, char const* path, int flags, std::uint64_t resolve) {
    open_how how{};
    how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
    how.resolve = resolve;
    return static_cast<int>(::syscall(SYS_openat2, directory, path, &how, sizeof how));
}

}  // namespace rocmtune
