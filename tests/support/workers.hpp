// SPDX-License-Identifier: MIT
// Workers: a test of run_workers() with support/worker_program.cpp as the worker.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <sys/wait.h>

#include "machine/worker.hpp"
#include "support/tree.hpp"

namespace rocmtune::test {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using Strings = std::vector<std::string>;

/// What starting and ending a worker may take on a busy machine, sanitizers included.
inline constexpr auto slack = 20s;

inline WorkerMachinery machinery() {
    WorkerMachinery machinery;
    machinery.program = ROCMTUNE_WORKER_PROGRAM;
    machinery.grace = 200ms;
    machinery.patience = 200ms;
    return machinery;
}

inline WorkerRequest request(std::string name, Strings arguments = {},
                             milliseconds deadline = 10s) {
    return {std::move(name), std::move(arguments), deadline, false};
}

inline WorkerOutcome run(WorkerRequest const& one, WorkerMachinery const& with = machinery()) {
    return run_workers({&one, 1}, with).at(0);
}

inline WorkerOutcome run(std::string name, Strings arguments = {}, milliseconds deadline = 10s) {
    return run(request(std::move(name), std::move(arguments), deadline));
}

inline std::string_view status(WorkerOutcome const& outcome) {
    return worker_status_name(outcome.status);
}

inline bool has_children() {
    return ::waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD;
}

inline bool comes_true_within(milliseconds time, std::function<bool()> const& condition) {
    auto const end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {
        if (condition()) return true;
        std::this_thread::sleep_for(2ms);
    }
    return condition();
}

/// The process id that a worker wrote into the file; 0 if there is none yet.
inline pid_t noted_pid(std::string const& file) {
    pid_t pid = 0;
    std::ifstream(file) >> pid;
    return pid;
}

/// Waits for that note and kills the process; a number of 0 would mean our own group.
inline pid_t kill_noted(std::string const& file, int signal = SIGKILL) {
    comes_true_within(5s, [&] { return noted_pid(file) > 0; });
    auto const pid = noted_pid(file);
    EXPECT_GT(pid, 0);
    if (pid > 0) ::kill(pid, signal);
    return pid;
}

/// Zombies count as gone: whoever inherits them may be slow.
inline bool is_gone(pid_t pid) {
    std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
    std::string const stat{std::istreambuf_iterator<char>(in), {}};
    auto const name_end = stat.rfind(") ");
    return name_end == std::string::npos || stat[name_end + 2] == 'Z' || stat[name_end + 2] == 'X';
}

class Workers : public testing::Test {
  protected:
    void SetUp() override { start_ = std::chrono::steady_clock::now(); }
    void TearDown() override {
        EXPECT_LT(std::chrono::steady_clock::now() - start_, 60s) << "a deadline was not kept";
        EXPECT_FALSE(has_children());
    }
    std::string pid_file() const { return tree_.path() + "/pid"; }

    std::chrono::steady_clock::time_point start_;
    Tree tree_;
};

}  // namespace rocmtune::test
