// SPDX-License-Identifier: MIT
#include "commands/signal_note.hpp"

#include <fmt/format.h>

#include "base/signal_name.hpp"
#include "machine/held_signals.hpp"
#include "measure/output.hpp"

namespace rocmtune {

void note_signal(std::optional<int> signal, std::string_view meaning, Report& report) {
    if (!signal) return;
    constexpr int first_of_signals = 128;
    report.exit_code = static_cast<Exit>(first_of_signals + *signal);
    auto const message = fmt::format("ended early by {}: {}", signal_name(*signal), meaning);
    report.errors.push_back({message, {}, report.exit_code});
    tell(message);
}

bool note_end_by_signal(std::string_view meaning, Report& report) {
    auto const signal = HeldSignals::waiting();
    constexpr std::chrono::seconds writing_grace{2};
    HeldSignals::bound_what_follows(writing_grace);
    note_signal(signal, meaning, report);
    return signal.has_value();
}

}  // namespace rocmtune
