// SPDX-License-Identifier: MIT
#include "machine/path_walk.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include "machine/posix_file.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

/// The root directory is in every kernel's cache.
bool kernel_answers_from_its_cache() {
    return static_cast<bool>(FileDescriptor(openat2_call(AT_FDCWD, "/", O_PATH, RESOLVE_CACHED)));
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
