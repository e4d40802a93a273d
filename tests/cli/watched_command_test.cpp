// SPDX-License-Identifier: MIT
// A command that is watched: what reaches it and what comes out is what there is without us.
#include "measure/watched_command.hpp"

#include <cerrno>
#include <csignal>
#include <thread>

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace rocmtune {
namespace {

using std::chrono::milliseconds;

WatchedEnd shell(std::string const& line) {
    return watch({.words = {"sh", "-c", line}});
}

TEST(WatchedCommand, ends_as_it_does_alone) {
    EXPECT_EQ(shell("exit 7").exit_status, 7);
    EXPECT_FALSE(shell("exit 0").failed());
    EXPECT_EQ(shell("kill -SEGV $$").signal, SIGSEGV);
    auto const missing = watch({.words = {"/no/such/program"}});
    EXPECT_EQ(missing.start_error, ENOENT);
    EXPECT_TRUE(missing.failed());
}

TEST(WatchedCommand, is_remembered_with_both_outputs_and_passes_them_on) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    auto const end = shell("echo one; echo two >&2; printf 'no newline'");
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "one\nno newline");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "two\n");
    for (auto const* const piece : {"one\n", "two\n", "no newline"})
        EXPECT_NE(end.output.find(piece), std::string::npos) << piece;
}

TEST(WatchedCommand, keeps_only_the_end_of_much_output) {
    testing::internal::CaptureStdout();
    auto const end =
        watch({.words = {"sh", "-c", "yes line | head -c 3000000; echo last"}, .keep_bytes = 1000});
    EXPECT_EQ(testing::internal::GetCapturedStdout().size(), 3000005U);
    EXPECT_EQ(end.output.size(), 1000U);
    EXPECT_TRUE(end.output.ends_with("last\n"));
}

TEST(WatchedCommand, is_not_waited_for_beyond_its_end_where_a_descendant_holds_its_files) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);  // another test may have made us the heir of orphans
    testing::internal::CaptureStdout();
    auto const end = shell("sleep 600 & echo $!");
    auto const text = testing::internal::GetCapturedStdout();
    EXPECT_FALSE(end.failed());
    auto const sleeper = std::stoi(text);
    EXPECT_EQ(::kill(sleeper, SIGKILL), 0) << text;
}

TEST(WatchedCommand, gets_the_signals_that_are_sent_to_us) {
    std::thread sender([main = ::getpid()] {
        sigset_t all;  // the signal is for the thread that watches
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
        std::this_thread::sleep_for(milliseconds(300));
        ::kill(main, SIGTERM);
    });
    auto const end = shell("trap 'exit 9' TERM; while :; do :; done");
    sender.join();
    EXPECT_EQ(end.exit_status, 9);
}

TEST(WatchedCommand, that_says_nothing_is_told_of_once_and_goes_on) {
    int told = 0;
    testing::internal::CaptureStdout();
    auto const end =
        watch({.words = {"sh", "-c", "echo begun; sleep 0.5; echo done"},
               .silence = milliseconds(100),
               .when_silent = [&](std::string const& output, std::vector<GpuActivity> const&) {
                   ++told;
                   EXPECT_EQ(output, "begun\n");
               }});
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "begun\ndone\n");
    EXPECT_EQ(told, 1);
    EXPECT_FALSE(end.failed());
}

}  // namespace
}  // namespace rocmtune
