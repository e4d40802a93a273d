// SPDX-License-Identifier: MIT
// One line of a kernel log, in any of the forms in which people and programs keep it.
// What a kernel log tells of GPUs: of each GPU and each class of messages the newest line, in the
// order of these lines. Memory depends on classes and GPUs, not on the length of the log.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/messages.hpp"
#include "rocmtune/host.hpp"

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

/// Seconds since the first line, through all the ways in which lines are stamped. Clocks are set
/// and jump; lines stand in their order.
class LogClock {
  public:
    void step(LogLine const& line);
    double elapsed() const { return elapsed_; }
    /// The stamp of the newest line that counts from boot.
    std::optional<double> seconds() const { return seconds_; }
    bool has_time() const { return has_time_; }

  private:
    void advance(double seconds);

    double elapsed_ = 0;
    bool has_time_ = false;
    std::optional<double> seconds_;
    std::optional<double> day_seconds_;
    std::string date_;
};

/// Reads a log line by line.
class LogStory {
  public:
    /// `host` tells which GPUs there are and which ports lie above them. Both must outlive this.
    LogStory(MessageMatcher const& matcher, Host const& host);

    void add(std::string_view line);

    /// What was told, oldest first. `now` is the time since boot at which the log was read, if the
    /// stamps of its lines count from there.
    std::vector<KernelMessage> messages(std::optional<double> now) const;

    /// Time between boot and the first line: 0 if the boot itself is in the log; nothing if that
    /// cannot be told.
    std::optional<double> start_seconds() const { return start_seconds_; }
    bool has_lines() const { return line_number_ > 0; }

    /// More is not kept: a log that says more than this of GPUs was made to.
    static constexpr std::size_t most_messages = 4096;
    /// Whether something was left out for want of room.
    bool is_cut() const { return is_cut_; }

  private:
    struct Event {
        std::uint64_t count = 0;
        std::uint64_t line_number = 0;
        double elapsed = 0;
        bool has_time = false;
        std::optional<double> seconds = {};
        std::string text = {};
    };
    /// By address as it stands in the line ("" where none does) and class.
    using Events = std::map<std::pair<std::string, MessageClass const*>, Event>;
    struct Bridge {
        std::string domain;
        std::uint64_t low, high;
    };

    void begin_boot();
    void note_start(LogLine const& line);
    void note_bridge(std::string_view text);
    std::string gpu_of(MessageClass const& kind, std::string_view text,
                       std::string const& address) const;
    std::string place_of(MessageClass const& kind, std::string_view text) const;
    std::string last_opened(MessageClass const& kind) const;
    std::string starting_gpu(MessageClass const& kind) const;
    bool is_near(Event const& event) const;
    bool follows(MessageClass const& kind) const;
    void adopt(MessageClass const& kind, std::string const& address);
    void record(std::pair<std::string, MessageClass const*> const& key, Event const& event);
    std::vector<std::string> gpus_at(std::string const& address,
                                     std::set<std::string> const& gpus) const;
    std::set<std::string> known_gpus() const;

    MessageMatcher const& matcher_;
    std::set<std::string> present_;                           ///< GPUs of the host
    std::map<std::string, std::vector<std::string>> below_;   ///< port -> GPUs of the host
    std::map<std::string, std::vector<std::string>> models_;  ///< "1002:744c" -> GPUs of the host
    std::map<std::string, Bridge> bridges_;                   ///< as the log has them
    Events events_;
    std::map<std::string_view, std::uint64_t> newest_;  ///< line of the newest of each class, by id
    LogClock clock_;
    std::uint64_t line_number_ = 0;
    std::uint64_t last_warning_ = 0;  ///< line of the newest "WARNING: ", whose trace is no oops'
    bool is_cut_ = false;
    std::optional<double> start_seconds_;
    std::string storage_;  ///< of the line at hand
};

}  // namespace rocmtune
