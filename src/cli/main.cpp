// SPDX-License-Identifier: MIT
#include <csignal>
#include <string>
#include <vector>

#include "cli/run.hpp"

int main(int argc, char** argv) {
    // A reader that goes away shows as EPIPE where we write, not as a death without a word.
    std::signal(SIGPIPE, SIG_IGN);
    std::vector<std::string> const words(argv + (argc > 0 ? 1 : 0), argv + argc);
    return static_cast<int>(rocmtune::run(words));
}
