// SPDX-License-Identifier: MIT
// Reader `kernel-log`: what the kernel said about GPUs and the ports they hang on.
#include <algorithm>
#include <cerrno>
#include <cmath>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "probe/parsers.hpp"
#include "probe/pci_address.hpp"
#include "probe/reader.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view reader = "kernel-log";
constexpr std::string_view key = "kernel-log";

constexpr std::size_t max_messages = 200;
/// The kernel's own limit for one message (kernel/printk/printk.c, PRINTKRB_RECORD_MAX).
constexpr std::size_t max_text_bytes = 1024;

bool names_driver(std::string_view text) {
    return text.find("amdgpu") != text.npos || text.find("amdkfd") != text.npos ||
           has_word(text, "kfd");
}

/// The command line is a fact of its own; that it mentions amdgpu is no event.
bool is_command_line(std::string_view text) {
    return text.starts_with("Command line: ") || text.starts_with("Kernel command line: ") ||
           text.starts_with("Unknown kernel command line parameters");
}

/// Takes "[...]" from the start of `text` if its inside satisfies `is_part`.
template <class Predicate>
std::optional<std::string_view> take_bracketed(std::string_view& text, Predicate&& is_part) {
    auto const end = text.find(']');
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

/// The addresses of the GPUs and of every bridge above them.
std::set<std::string> known_addresses(Host const& host) {
    std::set<std::string> known;
    for (auto const& gpu : host.gpus) {
        for (auto const* fact : {&gpu.pci_address, &gpu.sysfs_path})
            for (auto& address : pci_addresses_in(fact->value_or(""))) known.insert(address);
    }
    return known;
}

/// The message of one line, if it is about the driver or a known device.
std::optional<KernelMessage> relevant_message(std::string_view line,
                                              std::set<std::string> const& addresses) {
    auto message = parse_kernel_log_line(line);
    if (!message || is_command_line(message->text)) return std::nullopt;
    auto const named = pci_addresses_in(message->text);
    auto const device = std::find_if(named.begin(), named.end(), [&](std::string const& address) {
        return addresses.contains(address);
    });
    if (device == named.end() && !names_driver(message->text)) return std::nullopt;
    if (device != named.end()) message->pci_address = *device;
    else if (!named.empty()) message->pci_address = named.front();
    message->text = printable(message->text);
    return message;
}

}  // namespace

std::vector<std::string> pci_addresses_in(std::string_view text) {
    std::vector<std::string> found;
    for (auto dot = text.find('.'); dot != text.npos; dot = text.find('.', dot + 1)) {
        if (dot < 5 || text[dot - 3] != ':') continue;
        auto start = dot;
        while (start > 0 && (is_hexadecimal(text[start - 1]) || text[start - 1] == ':')) --start;
        auto const end = std::min(dot + 2, text.size());
        if (end < text.size() && is_name_character(text[end])) continue;
        auto const token = text.substr(start, end - start);
        bool const is_short = token.find(':') == token.rfind(':');
        auto const address =
            parse_pci_address(is_short ? "0000:" + std::string(token) : std::string(token));
        if (address) found.push_back(address->text());
    }
    return found;
}

std::optional<KernelMessage> parse_kernel_log_line(std::string_view line) {
    if (line.starts_with('<')) {
        auto const end = line.find('>');
        auto const priority =
            end == line.npos ? std::nullopt : to_unsigned(line.substr(1, end - 1), 10);
        // syslog(2): facility times 8 plus level; facility 0 is the kernel.
        if (priority && *priority > 7) return std::nullopt;
        if (priority) line.remove_prefix(end + 1);
    }
    KernelMessage message;
    auto const stamp =
        take_bracketed(line, [](std::string_view inside) { return to_real(inside).has_value(); });
    if (stamp) {
        message.seconds = to_real(*stamp);
        take_bracketed(line, is_caller);
    }
    if (line.starts_with(' ')) line.remove_prefix(1);
    message.text = std::string(line.substr(0, max_text_bytes));
    return message;
}

std::vector<KernelMessage> kernel_messages_about(std::string_view log,
                                                 std::set<std::string> const& addresses,
                                                 std::size_t limit) {
    std::vector<KernelMessage> messages;
    auto const all = lines(log);
    for (auto line = all.rbegin(); line != all.rend() && messages.size() < limit; ++line)
        if (auto message = relevant_message(*line, addresses))
            messages.push_back(std::move(*message));
    std::reverse(messages.begin(), messages.end());
    return messages;
}

namespace {

/// When the log was read, in its own time. A recording without a clock was not made before its
/// newest line.
std::optional<double> end_of_log(HostRoot const& root, std::string_view log) {
    std::optional<double> end;
    if (auto const clock = root.call("clock.monotonic")) end = to_real(*clock);
    for (auto const line : lines(log))
        if (auto const message = parse_kernel_log_line(line); message && message->seconds)
            end = std::max(end.value_or(0), *message->seconds);
    return end;
}

std::vector<KernelMessage> with_age(std::vector<KernelMessage> messages,
                                    std::optional<double> end) {
    // Of a microsecond; the figure is a difference of large ones.
    constexpr double digits = 1e6;
    for (auto& message : messages)
        if (end && message.seconds)
            message.age_seconds = std::round((*end - *message.seconds) * digits) / digits;
    return messages;
}

}  // namespace

void read_kernel_log(ProbeContext const& context, Host& host) {
    auto const log = context.root.call(key);
    auto& fact = host.kernel_messages;
    if (!log && (log.error == EPERM || log.error == EACCES))
        return fact.miss(Missing::denied,
                         log.detail + "; needs CAP_SYSLOG, or kernel.dmesg_restrict=0");
    if (!log) return miss(fact, log);
    if (trim(*log).empty()) return fact.miss(Missing::absent, "the kernel log is empty");
    auto messages = kernel_messages_about(*log, known_addresses(host), max_messages);
    auto const end = messages.empty() ? std::nullopt : end_of_log(context.root, *log);
    fact.offer(with_age(std::move(messages), end), {reader, std::string(key)});
}

}  // namespace rocmtune
