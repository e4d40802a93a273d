// SPDX-License-Identifier: MIT
#include "system/known_absent.hpp"

#include <cerrno>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "system/posix_file.hpp"

namespace rocmtune {

bool is_known_absent(std::string const& path) {
#if defined(RESOLVE_CACHED)
    // With RESOLVE_CACHED the path is looked up in the kernel's cache of names only (EAGAIN if that
    // does not do), and with O_PATH nothing is opened. glibc has no function for openat2(2).
    open_how how{};
    how.flags = O_PATH | O_CLOEXEC;
    how.resolve = RESOLVE_CACHED;
    FileDescriptor const found(
        static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how)));
    return !found && errno == ENOENT;
#else
    static_cast<void>(path);
    return false;
#endif
}

}  // namespace rocmtune
