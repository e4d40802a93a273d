// SPDX-License-Identifier: MIT
// What the kernel said about the GPUs. Messages are matched, not words: "failed" and "error" stand
// in harmless lines of every boot.
#include <map>

#include "base/text.hpp"
#include "checks/judgements.hpp"
#include "checks/log_messages.hpp"

namespace rocmtune {
namespace {

/// A message and what it means: always, or in a server only, because elsewhere one program's fault.
struct Pattern {
    std::string_view text;
    Verdict server = Verdict::fail;
    Verdict elsewhere = Verdict::fail;
    bool of_driver = true;  ///< the line must also name amdgpu or kfd
};

// Linux 6.12 and 7.2, drivers/gpu/drm/amd and drivers/iommu/amd, as quoted.
constexpr Pattern resets[] = {
    {"GPU reset begin"},
    {"GPU reset(*) failed"},
    {"Mode2 reset failed"},
    {"ring * timeout", Verdict::fail, Verdict::warn},
    {"fence wait loop timeout expired"},
    {"qcm fence wait loop timeout"},
    {"cp might be in an unrecoverable state"},
    {"Failed to evict process queues"},
    {"Queue preemption failed for queue"},
    {"poison is consumed by client *, kick off gpu reset flow"},
};
constexpr Pattern page_faults[] = {
    {"no-retry page fault", Verdict::fail, Verdict::warn},
    {"PROTECTION_FAULT_STATUS", Verdict::fail, Verdict::warn},
    {"IO_PAGE_FAULT", Verdict::fail, Verdict::warn, false},
};
constexpr Pattern hardware_errors[] = {
    {"Saved bad pages * reaches threshold"},
    {"sram_ecc"},
    {"new deferred hardware errors detected", Verdict::warn, Verdict::warn},
    {"Poison is created", Verdict::warn, Verdict::warn},
};
constexpr Pattern driver_errors[] = {
    {"hw_init of IP block * failed"},
    {"sw_init of IP block * failed"},
    {"Fatal error during GPU init"},
};
constexpr Pattern lost_links[] = {
    {"pcieport * Card not present", Verdict::fail, Verdict::fail, false},
    {"pcieport * Link Down", Verdict::fail, Verdict::fail, false},
};
constexpr Pattern warnings[] = {
    {"WARN: GPU is throttled", Verdict::warn, Verdict::warn},
    {"Runlist is getting oversubscribed", Verdict::warn, Verdict::warn},
    {"Expect reduced ROCm performance", Verdict::warn, Verdict::warn},
};

/// What lies further back is only worth knowing: it was dealt with, or the GPU's state shows it.
/// The window of AMD's Primus, in seconds.
constexpr double window_seconds = 900;

bool is_past(KernelMessage const& message) {
    return message.age_seconds.value_or(0) > window_seconds;
}

std::string age_text(KernelMessage const& message) {
    if (!is_past(message)) return {};
    constexpr double hour = 3600;
    auto const age = *message.age_seconds;
    return age < 2 * hour    ? fmt::format(", {:.0f} minutes ago", age / 60)
           : age < 48 * hour ? fmt::format(", {:.0f} hours ago", age / hour)
                             : fmt::format(", {:.0f} days ago", age / (24 * hour));
}

bool names_driver(std::string_view text) {
    return text.find("amdgpu") != text.npos || text.find("kfd") != text.npos;
}

/// The number that stands right before a phrase; the driver prints totals of zero, too.
std::optional<std::uint64_t> number_before(std::string_view text, std::string_view phrase) {
    auto const at = text.find(phrase);
    if (at == text.npos) return std::nullopt;
    auto const before = words(text.substr(0, at));
    return before.empty() ? std::nullopt : to_unsigned(before.back(), 10);
}

/// What matched on one GPU: how often, and the newest of the worst lines.
struct Hit {
    Verdict verdict = Verdict::pass;
    std::size_t count = 0;
    KernelMessage const* worst = nullptr;

    void add(Verdict found, KernelMessage const& message) {
        ++count;
        if (is_past(message)) found = std::min(found, Verdict::info);
        if (found < verdict) return;  // pass, info, warn, fail
        verdict = found;
        worst = &message;
    }
};

using Hits = std::map<std::string, Hit>;

Card const* card_at(CheckContext const& context, std::string const& address) {
    for (auto const& card : context.cards)
        if (card.subject == address) return &card;
    return nullptr;
}

template <std::size_t count>
void collect(CheckContext const& context, Pattern const (&patterns)[count], Hits& hits) {
    for (auto const& message : *context.host.kernel_messages)
        for (auto const& pattern : patterns) {
            if (!matches(message.text, pattern.text)) continue;
            if (pattern.of_driver && !names_driver(message.text)) continue;
            auto const* card = card_at(context, concerned_gpu(context.host, message));
            if (card == nullptr) continue;
            hits[card->subject].add(card->is_server() ? pattern.server : pattern.elsewhere,
                                    message);
            break;
        }
}

void collect_counted(CheckContext const& context, Hits& hits) {
    for (auto const& message : *context.host.kernel_messages) {
        auto const* card = card_at(context, concerned_gpu(context.host, message));
        if (card == nullptr || !names_driver(message.text)) continue;
        auto const& text = message.text;
        if (number_before(text, "uncorrectable hardware errors detected in").value_or(0) > 0)
            hits[card->subject].add(Verdict::fail, message);
        else if (text.find("uncorrectable hardware") == text.npos &&
                 number_before(text, "correctable hardware errors detected in total in")
                         .value_or(0) > 0)
            hits[card->subject].add(Verdict::warn, message);
    }
}

void state(CheckContext const& context, Hits const& hits, std::string_view nothing,
           Verdicts& verdicts) {
    for (auto const& card : context.cards) {
        auto const found = hits.find(card.subject);
        if (found == hits.end()) {
            verdicts.pass(card.subject, std::string(nothing));
            continue;
        }
        auto const& hit = found->second;
        verdicts
            .give(hit.verdict, card.subject,
                  hit.count == 1
                      ? fmt::format("kernel log{}: {}", age_text(*hit.worst), hit.worst->text)
                      : fmt::format("{} lines of the kernel log, the worst{}: {}", hit.count,
                                    age_text(*hit.worst), hit.worst->text))
            .evidence = {{hit.worst->seconds
                              ? fmt::format("kernel-log: {} s after boot", *hit.worst->seconds)
                              : std::string("kernel-log"),
                          hit.worst->text}};
    }
}

template <std::size_t count>
void judge(CheckContext const& context, Pattern const (&patterns)[count], std::string_view nothing,
           Verdicts& verdicts) {
    if (!verdicts.have(context.host.kernel_messages, "host", "kernel log")) return;
    Hits hits;
    collect(context, patterns, hits);
    state(context, hits, nothing, verdicts);
}

}  // namespace

bool matches(std::string_view text, std::string_view pattern) {
    std::size_t at = 0;
    for (auto const piece : split(pattern, '*')) {
        auto const found = text.find(piece, at);
        if (found == text.npos) return false;
        at = found + piece.size();
    }
    return true;
}

std::string concerned_gpu(Host const& host, KernelMessage const& message) {
    if (!message.pci_address) return {};
    for (auto const& gpu : host.gpus) {
        if (gpu.pci_address.value() == *message.pci_address) return *gpu.pci_address;
        // The path of a device nests the ports above it.
        if (gpu.pci_address && gpu.sysfs_path &&
            gpu.sysfs_path->find('/' + *message.pci_address + '/') != std::string::npos)
            return *gpu.pci_address;
    }
    return {};
}

KernelMessage const* rejects_atomics(CheckContext const& context, std::string const& address) {
    auto const& messages = context.host.kernel_messages;
    if (!messages) return nullptr;
    for (auto const& message : *messages) {
        if (!matches(message.text, "PCI rejects atomics")) continue;
        if (concerned_gpu(context.host, message) == address) return &message;
        // Linux kfd_device.c names the device by its ids: "skipped device 1002:744c".
        auto const* card = card_at(context, address);
        if (card == nullptr || !card->gpu->pci_device_id) continue;
        auto const id = "1002:" + card->gpu->pci_device_id->substr(2);
        if (message.text.find(id) != std::string::npos) return &message;
    }
    return nullptr;
}

void judge_log_resets(CheckContext const& context, Verdicts& verdicts) {
    judge(context, resets, "no hang and no reset in the kernel log", verdicts);
}

void judge_log_page_faults(CheckContext const& context, Verdicts& verdicts) {
    judge(context, page_faults, "no page fault in the kernel log", verdicts);
}

void judge_log_hardware_errors(CheckContext const& context, Verdicts& verdicts) {
    if (!verdicts.have(context.host.kernel_messages, "host", "kernel log")) return;
    Hits hits;
    collect(context, hardware_errors, hits);
    collect_counted(context, hits);
    state(context, hits, "no hardware error in the kernel log", verdicts);
}

void judge_log_driver_errors(CheckContext const& context, Verdicts& verdicts) {
    judge(context, driver_errors, "the driver set the GPU up", verdicts);
}

void judge_log_lost_links(CheckContext const& context, Verdicts& verdicts) {
    judge(context, lost_links, "no lost link in the kernel log", verdicts);
}

void judge_log_warnings(CheckContext const& context, Verdicts& verdicts) {
    judge(context, warnings, "no warning of the driver in the kernel log", verdicts);
}

}  // namespace rocmtune
