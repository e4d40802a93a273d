// SPDX-License-Identifier: MIT
#include "probe/log_story.hpp"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace rocmtune {
namespace {

/// How far a date, a host name and a tag may reach into a line.
constexpr std::size_t longest_prefix = 200;
/// A journal's entry has many fields beside its message.
constexpr std::size_t longest_json_line = std::size_t{64} << 10;

/// Takes "[...]" from the start of `text` if its inside satisfies `is_part`.
template <class Predicate>
std::optional<std::string_view> take_bracketed(std::string_view& text, Predicate&& is_part) {
    auto const end = text.substr(0, longest_prefix).find(']');
    if (!text.starts_with('[') || end == text.npos) return std::nullopt;
    auto const inside = trim(text.substr(1, end - 1));
    if (!is_part(inside)) return std::nullopt;
    text.remove_prefix(end + 1);
    return inside;
}

/// "T1234" or "C0": the task or CPU that CONFIG_PRINTK_CALLER adds.
bool is_caller(std::string_view text) {
    return text.size() > 1 && (text[0] == 'T' || text[0] == 'C') && to_unsigned(text.substr(1), 10);
}

void skip_blanks(std::string_view& text) {
    while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
}

/// Where "HH:MM:SS" stands, or npos.
std::size_t clock_at(std::string_view text) {
    for (std::size_t at = 0; at + 8 <= text.size(); ++at) {
        auto const two = [&](std::size_t i) { return is_digit(text[i]) && is_digit(text[i + 1]); };
        bool const inside = at > 0 && is_digit(text[at - 1]);
        if (!inside && text[at + 2] == ':' && text[at + 5] == ':' && two(at) && two(at + 3) &&
            two(at + 6))
            return at;
    }
    return text.npos;
}

/// Notes date and time of day of a stamp such as "Mon Nov 23 20:29:05 2026" or ISO 8601.
bool take_clock(std::string_view stamp, LogLine& line) {
    auto const at = clock_at(stamp);
    if (at == stamp.npos) return false;
    auto const part = [&](std::size_t i) {
        return static_cast<double>(to_unsigned(stamp.substr(at + i, 2), 10).value_or(0));
    };
    constexpr double minute = 60;
    constexpr double hour = 3600;
    line.day_seconds = part(0) * hour + part(3) * minute + part(6);
    line.date = stamp.substr(0, at);
    return true;
}

/// "[ 12.345678]", "[Mon Nov 23 20:29:05 2026]", "[Nov23 20:29]", "[  +0.000012]", callers.
void take_stamp(std::string_view& text, LogLine& line) {
    auto const inside = take_bracketed(text, [&](std::string_view stamp) {
        if (stamp.starts_with('+')) line.step_seconds = to_real(stamp.substr(1));
        else line.seconds = to_real(stamp);
        // "Nov23 20:29" of dmesg --human, where the minute is new.
        bool const minute_only = stamp.size() > 6 && stamp[stamp.size() - 3] == ':' &&
                                 is_digit(stamp.back()) && stamp.find(' ') != stamp.npos;
        return line.seconds || line.step_seconds || take_clock(stamp, line) || minute_only;
    });
    if (inside) take_bracketed(text, is_caller);
    if (inside && text.starts_with(':')) text.remove_prefix(1);
    skip_blanks(text);
}

/// "<6>" of syslog(2): facility times 8 plus level; facility 0 is the kernel. False for a program.
bool take_priority(std::string_view& text) {
    auto const end = text.substr(0, longest_prefix).find('>');
    if (!text.starts_with('<') || end == text.npos) return true;
    auto const priority = to_unsigned(text.substr(1, end - 1), 10);
    if (priority && *priority > 7) return false;
    if (priority) text.remove_prefix(end + 1);
    return true;
}

/// "kern  :info  : " of dmesg --decode, and "host: kern: info: " of machines that send their log;
/// of other facilities are programs. False for a program.
bool take_decoded(std::string_view& text) {
    static constexpr std::array<std::string_view, 10> levels{
        "emerg", "alert", "crit", "err", "error", "warn", "warning", "notice", "info", "debug"};
    auto const head = text.substr(0, longest_prefix);
    std::size_t at = 0;
    for (std::string_view facility; at < 64;) {
        auto const colon = head.find(':', at);
        if (colon == head.npos) return true;
        auto const field = trim(head.substr(at, colon - at));
        at = colon + 1;
        if (std::ranges::find(levels, field) == levels.end()) {
            facility = field;
            continue;
        }
        if (facility.empty() || facility.find(' ') != facility.npos) return true;
        if (facility != "kern") return false;
        text.remove_prefix(at);
        skip_blanks(text);
        return true;
    }
    return true;
}

/// "amdgpu 0000:03:00.0: ...": what no program's line begins with.
bool begins_as_kernel(std::string_view text) {
    for (std::string_view const driver : {"amdgpu ", "radeon ", "pcieport ", "vfio-pci ", "pci "})
        if (text.starts_with(driver)) {
            auto const device = text.substr(driver.size());
            return device.size() > 5 && device[4] == ':' && is_digit(device[0]);
        }
    return false;
}

/// The prefix of a syslog file or of journalctl: date, host and the tag "kernel". False for the
/// line of a program.
bool take_syslog_prefix(std::string_view& text, LogLine& line) {
    auto const head = text.substr(0, longest_prefix);
    auto const clock = clock_at(head.substr(0, 48));
    if (clock == head.npos) return true;
    for (std::string_view const tag : {" kernel: ", " kernel:\t"})
        if (auto const at = head.find(tag, clock); at != head.npos) {
            take_clock(head.substr(0, at), line);
            text.remove_prefix(at + tag.size());
            return true;
        }
    // socklog and others name facility and level in place of a tag: "kern.err: text".
    if (auto const at = head.find(" kern.", clock); at != head.npos) {
        auto const end = head.find(": ", at);
        if (end == head.npos) return false;
        take_clock(head.substr(0, at), line);
        text.remove_prefix(end + 2);
        return true;
    }
    // Collectors put a date before what the kernel said, and nothing else.
    if (auto const end = head.find(' ', clock);
        end != head.npos && begins_as_kernel(head.substr(end + 1))) {
        take_clock(head.substr(0, end), line);
        text.remove_prefix(end + 1);
        return true;
    }
    // dmesg --time-format=iso has no host and no tag: "2026-11-23T20:29:05,123456+00:00 text".
    bool const iso = clock > 0 && head[clock - 1] == 'T' && head.substr(clock + 8).starts_with(',');
    auto const end = head.find(' ', clock);
    if (!iso || end == head.npos) return false;
    take_clock(head.substr(0, end), line);
    text.remove_prefix(end + 1);
    return true;
}

std::string_view first_word(std::string_view text) {
    return text.substr(0, std::min(text.find(' '), text.size()));
}

/// "systemd[1]:", with which programs begin their lines.
bool is_program_tag(std::string_view word) {
    auto const open = word.find('[');
    if (open == word.npos || open == 0 || !word.ends_with("]:")) return false;
    return to_unsigned(word.substr(open + 1, word.size() - open - 3), 10).has_value();
}

/// "[   12.345678] host kernel: text" of journalctl -o short-monotonic, behind its stamp. False for
/// "host systemd[1]: text".
bool take_monotonic_tag(std::string_view& text) {
    constexpr std::string_view kernel = "kernel: ";
    auto const host = first_word(text.substr(0, longest_prefix));
    auto const rest = text.substr(std::min(host.size() + 1, text.size()));
    if (rest.starts_with(kernel)) text.remove_prefix(host.size() + 1 + kernel.size());
    return !is_program_tag(first_word(rest));
}

using Json = nlohmann::ordered_json;

/// A field of the journal: text, or its bytes where they are no UTF-8.
std::string journal_text(Json const& entry, char const* name) {
    auto const found = entry.find(name);
    if (found == entry.end()) return {};
    if (found->is_string()) return found->get<std::string>();
    std::string bytes;
    if (found->is_array())
        for (auto const& byte : *found)
            if (byte.is_number_unsigned()) bytes += static_cast<char>(byte.get<unsigned>() & 0xffU);
    return bytes;
}

/// One entry of journalctl -o json.
std::optional<LogLine> take_journal_entry(std::string_view line, std::string& storage) {
    auto const entry = Json::parse(line.substr(0, longest_json_line), nullptr, false);
    if (!entry.is_object()) return std::nullopt;
    auto const transport = journal_text(entry, "_TRANSPORT");
    if (!transport.empty() && transport != "kernel") return std::nullopt;
    storage = journal_text(entry, "MESSAGE");
    auto const stamp = journal_text(entry, "_SOURCE_MONOTONIC_TIMESTAMP");
    auto const received = journal_text(entry, "__MONOTONIC_TIMESTAMP");
    LogLine taken;
    taken.text = std::string_view(storage).substr(0, max_log_text_bytes);
    constexpr double microsecond = 1e-6;
    if (auto const time = to_real(stamp.empty() ? received : stamp))
        taken.seconds = *time * microsecond;
    return taken;
}

/// One mark of those that mails, and terminals with frames, put before a line.
bool take_quoting(std::string_view& line) {
    for (std::string_view const mark : {" ", "\t", "> ", "│"}) {
        if (!line.starts_with(mark)) continue;
        line.remove_prefix(mark.size());
        return true;
    }
    return false;
}

bool is_plain(std::string_view line) {
    return std::ranges::none_of(line, [](char c) { return c == '\x1b' || c == '\0' || c == '\r'; });
}

/// The line without colours (ECMA-48, "ESC [ ... letter"), NULs and carriage returns.
std::string cleaned(std::string_view line) {
    std::string kept;
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] == '\x1b' && line.substr(at + 1).starts_with('[')) {
            at += 2;
            while (at < line.size() && (line[at] < '@' || line[at] > '~')) ++at;
        } else if (line[at] != '\x1b' && line[at] != '\0' && line[at] != '\r') {
            kept += line[at];
        }
    }
    return kept;
}

}  // namespace

std::optional<LogLine> take_log_line(std::string_view line, std::string& storage) {
    if (!line.starts_with('{')) line = line.substr(0, 4 * max_log_text_bytes);
    if (!is_plain(line)) line = storage = cleaned(line);
    while (take_quoting(line)) {
    }
    if (line.starts_with('{')) return take_journal_entry(line, storage);
    LogLine taken;
    taken.boot = line.starts_with("-- Boot ") || line.starts_with("-- Reboot --");
    if (!take_priority(line) || !take_decoded(line)) return std::nullopt;
    if (!line.starts_with('[') && !take_syslog_prefix(line, taken)) return std::nullopt;
    take_stamp(line, taken);
    if (taken.seconds && !take_monotonic_tag(line)) return std::nullopt;
    // The kernel's buffer also keeps what programs write to /dev/kmsg.
    if (is_program_tag(first_word(line))) return std::nullopt;
    taken.text = line.substr(0, max_log_text_bytes);
    return taken;
}

}  // namespace rocmtune
