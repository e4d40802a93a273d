// SPDX-License-Identifier: MIT
// A run that a signal has cut short says so.
#pragma once

#include <optional>
#include <string_view>

#include "rocmtune/report.hpp"

namespace rocmtune {

/// Notes the signal in the document, with the exit code 128+n, and says so on standard error.
/// Nothing without a signal. `meaning`: what that means for the results.
void note_signal(std::optional<int> signal, std::string_view meaning, Report& report);

/// The same for a signal that waits (HeldSignals), which from now on leaves this program a short
/// time to write. False without one.
bool note_end_by_signal(std::string_view meaning, Report& report);

}  // namespace rocmtune
