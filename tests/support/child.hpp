// SPDX-License-Identifier: MIT
// Runs a part of a test in a process of its own: one that gives up rights, files or memory.
#pragma once

#include <functional>

#include <sys/wait.h>
#include <unistd.h>

namespace rocmtune::test {

/// A body that could not do what it was to try returns this.
inline constexpr int cannot_try = 77;

/// What `body` returns; something else than 0 and 77 if it throws, crashes or cannot be started.
inline int run_in_child(std::function<int()> const& body) {
    auto const child = ::fork();
    if (child < 0) return -1;
    if (child == 0) {
        try {
            ::_exit(body());
        } catch (...) {
            ::_exit(99);
        }
    }
    int status = 0;
    if (::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

}  // namespace rocmtune::test
