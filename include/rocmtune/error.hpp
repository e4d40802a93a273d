// SPDX-License-Identifier: MIT
// The exit codes with their precedence, and the one exception for a wrong user or wrong data.
#pragma once

#include <stdexcept>
#include <string>

namespace rocmtune {

/// What the process tells its caller. The table is part of the command-line contract
/// (rocmtune(1), EXIT STATUS); 128+n stands for an end by signal n.
enum class Exit : int {
    ok = 0,
    findings = 1,      ///< findings at or above --fail-on, missed expectation, failed measurement
    usage = 2,         ///< wrong options, bad input, output not writable
    undetermined = 3,  ///< denied, timed out, nothing judged
    no_device = 4,     ///< no GPU where one was asked for
    internal = 5,      ///< a fault of ours
};

/// A wrong option, an unreadable input, an unwritable output. Thrown anywhere, caught once in main.
/// An incomplete machine is never an Error: that is a reason on a Fact.
class Error : public std::runtime_error {
  public:
    explicit Error(std::string const& message, std::string hint = {}, Exit code = Exit::usage)
        : std::runtime_error(message), hint_(std::move(hint)), code_(code) {}

    /// What the user can do next; empty if there is nothing to add.
    std::string const& hint() const { return hint_; }
    Exit code() const { return code_; }

  private:
    std::string hint_;
    Exit code_;
};

/// Of two exit codes the one that says more: 128+n > 5 > 2 > 1 > 3 > 4 > 0 (rocmtune(1), EXIT
/// STATUS).
constexpr Exit graver(Exit a, Exit b) {
    constexpr int first_of_signals = 128;
    auto const is_signal = [](Exit code) { return static_cast<int>(code) > first_of_signals; };
    if (is_signal(a)) return a;
    if (is_signal(b)) return b;
    for (auto const code :
         {Exit::internal, Exit::usage, Exit::findings, Exit::undetermined, Exit::no_device})
        if (a == code || b == code) return code;
    return Exit::ok;
}

}  // namespace rocmtune
