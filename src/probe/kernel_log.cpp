// SPDX-License-Identifier: MIT
// Reader `kernel-log`: what the kernel said about GPUs and the ports they hang on.
#include <algorithm>
#include <cerrno>

#include "base/text.hpp"
#include "machine/kernel_log.hpp"
#include "probe/log_story.hpp"
#include "probe/parsers.hpp"
#include "probe/pci_address.hpp"
#include "probe/reader.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view kernel_log_reader = "kernel-log";

void tell(LogStory& story, std::string_view log) {
    while (!log.empty()) {
        auto const end = std::min(log.find('\n'), log.size());
        story.add(log.substr(0, end));
        log.remove_prefix(std::min(end + 1, log.size()));
    }
}

bool has_text(Answer<std::string> const& log) {
    return log && !trim(*log).empty();
}

void miss_log(Answer<std::string> const& ring, Fact<std::vector<KernelMessage>>& fact) {
    if (!ring && (ring.error == EPERM || ring.error == EACCES))
        return fact.miss(Missing::denied,
                         ring.detail +
                             "; needs CAP_SYSLOG, or kernel.dmesg_restrict=0, or a "
                             "journal that this user may read (group systemd-journal or "
                             "adm)");
    if (!ring) return miss(fact, ring);
    fact.miss(Missing::absent, "the kernel log is empty");
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

void read_kernel_log(ProbeContext const& context, Host& host) {
    auto const& root = context.root;
    auto const ring = root.call(kernel_log_key);
    // The journal has what the ring buffer lost, and may be read where that may not.
    auto const journal = has_text(ring) && log_begins_at_boot(*ring) ? Answer<std::string>()
                                                                     : root.call(journal_key);
    if (!has_text(ring) && !has_text(journal)) {
        miss_log(ring, host.kernel_messages);
        return host.kernel_log_start_seconds.miss(host.kernel_messages.reason());
    }
    MessageMatcher const matcher(message_classes());
    LogStory story(matcher, host);
    auto const earlier = has_text(journal)
                             ? has_text(ring) ? before_the_ring(*journal, *ring) : *journal
                             : std::string_view();
    tell(story, earlier);
    if (has_text(ring)) tell(story, *ring);
    std::optional<double> now;
    if (auto const clock = root.call("clock.monotonic")) now = to_real(*clock);
    std::string_view const from = has_text(ring) ? kernel_log_key : journal_key;
    auto messages = story.messages(now);
    bool const is_cut = story.is_cut() || messages.size() >= LogStory::most_messages;
    host.kernel_messages.offer(std::move(messages), {kernel_log_reader, std::string(from)});
    if (is_cut) host.kernel_messages.limit(Missing::failed, "it says too much of GPUs to keep");
    auto& start = host.kernel_log_start_seconds;
    if (auto const seconds = story.start_seconds())
        start.offer(double{*seconds},
                    {kernel_log_reader, std::string(earlier.empty() ? from : journal_key)});
    else start.miss(Missing::absent, "its lines do not count from boot");
}

}  // namespace rocmtune
