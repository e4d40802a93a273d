// SPDX-License-Identifier: MIT
// `rocmtune bench` over the fake HIP libraries (tests/support/fakes), with what it leaves behind.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <sys/prctl.h>
#include <sys/wait.h>

#include "support/run_program.hpp"

namespace rocmtune::test {

using nlohmann::json;
using Variables = std::map<std::string, std::string>;

inline std::string const fakes = ROCMTUNE_FAKES_DIR;
inline constexpr char const* one_gpu =
    "0000:83:00.0 gfx90a:sramecc+:xnack- 104 8589934592 0 Instinct MI210";

/// A run over fake libraries with what it leaves in the ledger.
class BenchRun {
  public:
    BenchRun(std::vector<std::string> words, Variables const& variables) {
        // What loses its parent becomes our child, so that it can be found.
        ::prctl(PR_SET_CHILD_SUBREAPER, 1);
        // What earlier tests of this program have left is none of this run's.
        while (::waitpid(-1, nullptr, WNOHANG) > 0) {
        }
        words.insert(words.begin(), "bench");
        for (auto const* word : {"--backend", "hip", "--quick", "--time", "0.001", "--json"})
            words.emplace_back(word);
        auto launch = rocmtune_with(std::move(words));
        launch.environment.insert({{"FAKE_GPUS", one_gpu},
                                   {"FAKE_LEDGER", directory_ / "ledger"},
                                   {"ROCMTUNE_CACHE", directory_ / "cache"}});
        leave_signals_alone(launch);
        for (auto const& [name, value] : variables) launch.environment[name] = value;
        outcome = run(launch);
        child_left = child();
        document = json::parse(outcome.out, nullptr, false);
        ledger = content_of(directory_ / "ledger");
    }

    json const& measurements() const { return document.at("measurements"); }

    /// What was taken and not given back, and the number of all that was taken.
    std::pair<std::set<std::string>, std::size_t> balance() const {
        std::set<std::string> missing;
        std::size_t taken = 0;
        std::istringstream lines(ledger);
        for (std::string sign, kind, number; lines >> sign >> kind >> number;) {
            auto const what = kind + " " + number;
            if (sign == "-") missing.erase(what);
            else ++taken, missing.insert(what);
        }
        return {missing, taken};
    }

    Outcome outcome;
    std::string child_left;  ///< its command; empty if there is none
    json document;
    std::string ledger;

  private:
    /// A child of ours, still running or not reaped: number, state and words.
    static std::string child() {
        siginfo_t one{};
        if (::waitid(P_ALL, 0, &one, WEXITED | WNOHANG | WNOWAIT) != 0) return {};
        auto const pid = std::to_string(one.si_pid);
        auto words = content_of("/proc/" + pid + "/stat") + content_of("/proc/" + pid + "/cmdline");
        std::replace(words.begin(), words.end(), '\0', ' ');
        if (one.si_pid != 0) ::waitpid(one.si_pid, nullptr, 0);
        return pid + ": " + (one.si_pid == 0 ? "running" : words);
    }

    Directory directory_;
};

/// What is true of every measurement, whatever went wrong.
inline void expect_honest(json const& one) {
    EXPECT_THAT(one.at("status").get<std::string>(),
                testing::AnyOf("ok", "wrong-result", "unsupported", "no-memory", "timeout", "lost",
                               "error"));
    bool const ok = one.at("status") == "ok";
    EXPECT_EQ(one.at("value").is_number(), ok) << one;
    EXPECT_EQ(one.at("samples").empty(), !ok) << one;
    EXPECT_EQ(one.at("verified"), ok) << one;
    EXPECT_EQ(one.at("detail").is_string(), !ok) << one;
}

inline std::string release(std::string const& major) {
    return fakes + "/rocm-" + major;
}

}  // namespace rocmtune::test
