// SPDX-License-Identifier: MIT
// What a command of the user leaves running is meant to run, also where libraries are asked
// between two runs of it (what those leave behind is ended: worker_faults_test.cpp).
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include <signal.h>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

/// Process ids that the command has noted.
std::vector<pid_t> noted(std::string const& file) {
    std::ifstream in(file);
    return {std::istream_iterator<pid_t>(in), {}};
}

bool is_running(pid_t pid) {
    return content_of("/proc/" + std::to_string(pid) + "/comm") == "sleep\n";
}

TEST(LeftBehind, daemons_of_a_measured_command_stay) {
    Directory const directory;
    auto const pids = directory / "pids";
    write_file(pids, "");
    // It ends when its daemon has noted itself: none escapes this test.
    write_file(directory / "command",
               "before=$(wc -l <" + pids + ")\nsetsid sh -c 'echo $$ >>" + pids +
                   "; exec sleep 60' </dev/null >/dev/null 2>&1 &\nuntil [ $(wc -l <" + pids +
                   ") -gt $before ]; do :; done\necho speed 100\n");
    auto launch = rocmtune_with({"verify", "--setting", "FOO=1", "--assume-read", "FOO",
                                 "--command", "sh " + (directory / "command"), "--metric",
                                 "speed (\\d+)", "--budget", "1"});
    launch.environment["ROCM_PATH"] = ROCMTUNE_FAKES_DIR "/rocm-7";
    launch.environment["FAKE_FAULT"] = "daemon=600@hipGetDeviceCount";
    launch.environment["FAKE_GPUS"] = "0000:03:00.0 gfx1100 42 21458059264 0 Radeon";
    auto const outcome = run(launch);
    auto const daemons = noted(pids);
    EXPECT_GT(daemons.size(), 1U) << outcome.out << outcome.err;
    for (auto const pid : daemons) {
        for (int i = 0; i < 1000 && !is_running(pid); ++i)  // sh has not become it yet
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        EXPECT_TRUE(is_running(pid));
        if (is_running(pid)) ::kill(pid, SIGKILL);
    }
}

}  // namespace
}  // namespace rocmtune::test
