// SPDX-License-Identifier: MIT
// A check that waits for a reader that never reads can be ended, as any program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include <sys/stat.h>
#include <sys/wait.h>

#include "support/run_program.hpp"
#include "support/tree.hpp"

namespace rocmtune::test {
namespace {

using Clock = std::chrono::steady_clock;
using Words = std::vector<std::string>;

constexpr std::chrono::seconds soon{20};

Launch check(Words const& more) {
    Words words{"check", "--replay", host_file("mi300x-x8")};
    words.insert(words.end(), more.begin(), more.end());
    return rocmtune_with(std::move(words));
}

/// Whether the program has ended; it can still be waited for.
bool has_ended(Running const& running) {
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(running.pid()), &info, WEXITED | WNOHANG | WNOWAIT);
    return info.si_pid != 0;
}

/// In the state S: it waits for somebody.
bool sleeps(Running const& running) {
    auto const stat = content_of(fmt::format("/proc/{}/wchan", running.pid()));
    return stat.find("pipe") != stat.npos || stat.find("fifo") != stat.npos;
}

/// Sends the signal once the program waits for its reader, and says what ended it.
int ending_of(Running& running, int signal) {
    auto const start = Clock::now();
    while (!sleeps(running) && Clock::now() - start < std::chrono::seconds(3)) ::usleep(10'000);
    if (has_ended(running)) return 0;
    running.send(signal);
    auto const sent = Clock::now();
    while (!has_ended(running) && Clock::now() - sent < soon) ::usleep(10'000);
    if (!has_ended(running)) return -1;
    return running.finish().signal;
}

TEST(Writing, to_a_reader_that_does_not_read_is_ended_by_a_signal) {
    for (int const signal : {SIGTERM, SIGINT}) {
        Running running(check({"--json"}));
        EXPECT_EQ(ending_of(running, signal), signal);
    }
}

class Fifo : public testing::TestWithParam<char const*> {};

TEST_P(Fifo, that_nobody_opens_is_ended_by_a_signal) {
    Directory const directory;
    auto const path = directory / "fifo";
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    Running running(check({GetParam(), path}));
    EXPECT_EQ(ending_of(running, SIGTERM), SIGTERM);
}

INSTANTIATE_TEST_SUITE_P(Options, Fifo, testing::Values("--output", "--learn"),
                         [](auto const& row) { return std::string(row.param + 2); });

}  // namespace
}  // namespace rocmtune::test
