// SPDX-License-Identifier: MIT
// A command of the user that runs as it would without us, while we keep the end of what it prints:
// its input, its terminal, the order and bytes of its output, signals from the keyboard and its
// exit status are its own.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rocmtune/diagnosis.hpp"

namespace rocmtune {

struct WatchedCommand {
    std::vector<std::string> words;  ///< the program, looked up in PATH, and its arguments
    std::size_t keep_bytes = std::size_t{256} << 10U;
    /// Once nothing was printed and no GPU has done anything for so long, `when_silent` is called,
    /// once; the command goes on.
    std::optional<std::chrono::milliseconds> silence = {};
    std::function<void(std::string const& output, std::vector<GpuActivity> const& gpus)>
        when_silent = {};
};

struct WatchedEnd {
    int start_error = 0;      ///< errno of starting it; 0: it ran
    int exit_status = 0;      ///< of the command that ended by itself
    int signal = 0;           ///< that ended it; 0: none
    std::string output = {};  ///< the last bytes of its output and error output, as they came
    std::vector<GpuActivity> gpus = {};  ///< what each GPU did meanwhile; empty without any

    bool failed() const { return start_error != 0 || exit_status != 0 || signal != 0; }
};

/// Runs it and waits for its end. Where our output or error output is a terminal, the command
/// writes to a terminal, too, of the same size. Descendants that outlive it and hold its files are
/// not waited for.
/// @throws Error if there are no pipes or processes for us
WatchedEnd watch(WatchedCommand const& command);

}  // namespace rocmtune
