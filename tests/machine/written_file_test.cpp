// SPDX-License-Identifier: MIT
// Files that are replaced in one step, and what is left of one where that is cut short.
#include "machine/written_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include <fcntl.h>
#include <sys/resource.h>

#include "machine/posix_file.hpp"
#include "support/child.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

FileDescriptor opened(Directory const& directory) {
    return FileDescriptor(::open(directory.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

/// Writes 64 KiB where a file may be 4 KiB long, `as` SIGXFSZ says.
int write_too_much(int directory, void (*as)(int)) {
    ::signal(SIGXFSZ, as);
    rlimit const no_core{0, 0};
    rlimit const short_files{4096, 4096};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::setrlimit(RLIMIT_FSIZE, &short_files);
    return replace_in(directory, "file", std::string(65536, 'x'), 0600, Durable::yes);
}

TEST(WrittenFile, replaces_the_old_one_and_has_its_mode) {
    Directory const place;
    auto const directory = opened(place);
    for (std::string const text : {"one", "two, longer"}) {
        EXPECT_EQ(replace_in(directory.get(), "file", text, 0640, Durable::no), 0);
        EXPECT_EQ(content_of(place / "file"), text);
        EXPECT_THAT(place.names(), testing::ElementsAre("file"));
    }
    struct stat status {};
    ASSERT_EQ(::stat((place / "file").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777U, 0640U);
    EXPECT_EQ(status.st_nlink, 1U);
}

TEST(WrittenFile, that_cannot_be_written_leaves_the_old_one_and_nothing_else) {
    Directory const place;
    auto const directory = opened(place);
    write_file(place / "file", "old");
    EXPECT_EQ(run_in_child([&] { return write_too_much(directory.get(), SIG_IGN); }), EFBIG);
    EXPECT_EQ(content_of(place / "file"), "old");
    EXPECT_THAT(place.names(), testing::ElementsAre("file"));
}

TEST(WrittenFile, whose_writer_is_killed_in_the_middle_leaves_nothing_behind) {
    Directory const place;
    auto const directory = opened(place);
    if (FileDescriptor const unnamed(::openat(directory.get(), ".", O_TMPFILE | O_WRONLY, 0600));
        !unnamed)
        GTEST_SKIP() << "this file system has no files without a name";
    write_file(place / "file", "old");
    // Ended by the signal, so without an exit code.
    EXPECT_EQ(run_in_child([&] { return write_too_much(directory.get(), SIG_DFL); }), -1);
    EXPECT_EQ(content_of(place / "file"), "old");
    EXPECT_THAT(place.names(), testing::ElementsAre("file"));
}

TEST(WrittenFile, of_the_longest_name_is_replaced_too) {
    Directory const place;
    auto const directory = opened(place);
    std::string const longest(NAME_MAX, 'n');
    for (int i = 0; i < 2; ++i)
        EXPECT_EQ(replace_in(directory.get(), longest, "text", 0600, Durable::no), 0);
    EXPECT_THAT(place.names(), testing::ElementsAre(longest));
}

}  // namespace
}  // namespace rocmtune::test
