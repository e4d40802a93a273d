// SPDX-License-Identifier: MIT
#include "system/known_absent.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

/// The root directory is in every kernel's cache.
bool kernel_answers_from_its_cache() {
    open_how how{};
    how.flags = O_PATH | O_CLOEXEC;
    how.resolve = RESOLVE_CACHED;
    auto const fd = ::syscall(SYS_openat2, AT_FDCWD, "/", &how, sizeof how);
    if (fd >= 0) ::close(static_cast<int>(fd));
    return fd >= 0;
}

TEST(KnownAbsent, is_never_said_of_what_is_there) {
    Directory const directory;
    write_file(directory / "file", "");
    for (std::string const path : {"/", ".", "/proc/self/environ"})
        EXPECT_FALSE(is_known_absent(path));
    EXPECT_FALSE(is_known_absent(directory.path()));
    EXPECT_FALSE(is_known_absent(directory / "file"));
    EXPECT_FALSE(is_known_absent(directory / "file/below"));  // ENOTDIR: somebody should look
}

TEST(KnownAbsent, is_said_of_what_was_looked_for_in_vain) {
    if (!kernel_answers_from_its_cache()) GTEST_SKIP() << "openat2 is too old or forbidden here";
    Directory const directory;
    auto const path = directory / "missing";
    ASSERT_NE(::access(path.c_str(), F_OK), 0);
    EXPECT_TRUE(is_known_absent(path));
    write_file(path, "");
    EXPECT_FALSE(is_known_absent(path));
}

}  // namespace
}  // namespace rocmtune::test
