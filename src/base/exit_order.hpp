// SPDX-License-Identifier: MIT
// The precedence of exit codes.
#pragma once

#include "rocmtune/error.hpp"

namespace rocmtune {

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
