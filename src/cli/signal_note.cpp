// SPDX-License-Identifier: MIT
#include "cli/signal_note.hpp"
#include <cstring>

#include <fmt/format.h>

#include "base/signal_name.hpp"
#include "cli/output.hpp"

namespace rocmtune {

void note_signal(std::optional<int> signal, std::string_view meaning, Report& report) {
    if (!signal) return;
    constexpr int first_of_signals = 128;
    report.exit_code = static_cast<Exit>(first_of_signals + *signal);
    auto const message = fmt::format("ended early by {}: {}", signal_name(*signal), meaning);
    report.errors.push_back({message, {}, report.exit_code});
    auto const line = fmt::format("rocmtune: {}\n", message);
    print_error(line);
}

}  // namespace rocmtune
