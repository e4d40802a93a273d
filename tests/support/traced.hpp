// SPDX-License-Identifier: MIT
// The program with system calls that answer something else (strace --inject), and in a mount
// namespace of its own.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/run_program.hpp"

namespace rocmtune::test {

/// The same launch behind other words: a program that starts it.
inline Launch started_by(std::vector<std::string> words, Launch launch) {
    words.insert(words.end(), launch.words.begin(), launch.words.end());
    launch.words = std::move(words);
    return launch;
}

/// `what` is for --inject: "openat2:error=ENOSYS".
inline Launch injected(std::string const& what, Launch launch) {
    // A search for leaks needs to trace this process, too.
    launch.environment["ASAN_OPTIONS"] += ":detect_leaks=0";
    auto const call = what.substr(0, what.find(':'));
    return started_by({"/usr/bin/strace", "-qq", "-o", "/dev/null", "-e", "trace=" + call, "-e",
                       "inject=" + what},
                      std::move(launch));
}

/// Why nothing can be injected, for a test that is to be skipped then; empty if it can.
inline std::string why_not_injected() {
    if (!std::filesystem::exists("/usr/bin/strace")) return "strace is not installed";
    Launch launch;
    launch.words = {"/bin/true"};
    auto const outcome = run(injected("openat2:error=ENOSYS", launch));
    return outcome.code == 0 ? "" : "strace may not trace here: " + outcome.err;
}

/// A shell in a mount namespace of its own runs `script`, then becomes the launch.
inline Launch after_mounting(std::string const& script, Launch launch) {
    return started_by(
        {"/usr/bin/unshare", "--mount", "/bin/sh", "-e", "-c", script + "\nexec \"$0\" \"$@\""},
        std::move(launch));
}

inline std::string why_not_mounted() {
    Launch launch;
    launch.words = {"/bin/true"};
    auto const outcome = run(after_mounting("mount -t tmpfs none /mnt", launch));
    return outcome.code == 0 ? "" : "nothing can be mounted here: " + outcome.err;
}

}  // namespace rocmtune::test
