// SPDX-License-Identifier: MIT
#include "machine/known_absent.hpp"

#include <cerrno>

#include "machine/openat2.hpp"
#include "machine/posix_file.hpp"

namespace rocmtune {

bool is_known_absent(std::string const& path) {
#if defined(RESOLVE_CACHED)
    // Looks the path up in the kernel's cache of names only (EAGAIN if that does not do), and opens
    // nothing.
    FileDescriptor const found(openat2_call(AT_FDCWD, path.c_str(), O_PATH, RESOLVE_CACHED));
    return !found && errno == ENOENT;
#else
    static_cast<void>(path);
    return false;
#endif
}

}  // namespace rocmtune
