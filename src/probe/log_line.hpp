// SPDX-License-Identifier: MIT
// One line of a kernel log, in any of the forms in which people and programs keep it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rocmtune {

/// The kernel's own limit for one message (kernel/printk/printk.c, PRINTKRB_RECORD_MAX).
inline constexpr std::size_t max_log_text_bytes = 1024;

struct LogLine {
    std::string_view text = {};               ///< without stamp, host and tag; at most 1024 bytes
    std::optional<double> seconds = {};       ///< since boot
    std::optional<double> step_seconds = {};  ///< since the line before (dmesg --human)
    /// Of the day, with the words for the date before it: the clock on the wall.
    std::optional<double> day_seconds = {};
    std::string_view date = {};
    bool boot = false;  ///< what stands behind it is another boot (journalctl)
};

/// Takes a line apart: syslog(2) with or without priority, dmesg with its options (-T, -x, -H,
/// --time-format), journalctl in its short and JSON forms, syslog files; ANSI colours, carriage
/// returns, NULs and quoting of mails left out. Nothing for a line that a program wrote.
/// `storage` keeps what the views of the result point into, where that is not the line itself.
std::optional<LogLine> take_log_line(std::string_view line, std::string& storage);

}  // namespace rocmtune
