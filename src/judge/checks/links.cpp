// SPDX-License-Identifier: MIT
// Links: of the bridge chain, with their errors, and between GPUs.
#include <map>
#include <set>

#include "base/text.hpp"
#include "judge/checks/check.hpp"

namespace rocmtune {
namespace {

/// The slot's wiring is not visible in sysfs, and a second slot of a desktop often has fewer lanes;
/// in a server it is a fault, and where nobody can change it, only news.
Verdict below_link(Card const& card) {
    switch (card.profile) {
        case Profile::server: return card.is_apu() ? Verdict::info : Verdict::fail;
        case Profile::desktop: return Verdict::warn;
        case Profile::guest:
        case Profile::apu: break;
    }
    return Verdict::info;
}

std::vector<Evidence> link_evidence(Gpu const& gpu) {
    std::vector<Evidence> found;
    if (gpu.link_current_width) found.push_back(evidence(gpu.link_current_width));
    if (gpu.link_current_gt_per_s) found.push_back(evidence(gpu.link_current_gt_per_s));
    if (gpu.link_limited_by) found.push_back(evidence(gpu.link_limited_by));
    return found;
}

/// Nothing but a load shows the speed that a link reaches: idle Radeons drop to 2.5 GT/s.
bool is_under_load(Gpu const& gpu) {
    constexpr std::uint64_t loaded_percent = 50;
    return gpu.busy_percent.value_or(0) >= loaded_percent;
}

struct ErrorRow {
    Number Gpu::*fact;
    std::string_view what;
    Verdict on_server;
    Verdict elsewhere;
};

/// Corrected errors happen on healthy desktops with power-saving links; the others do not.
constexpr ErrorRow error_rows[] = {
    {&Gpu::aer_fatal, "fatal", Verdict::fail, Verdict::fail},
    {&Gpu::aer_nonfatal, "uncorrected", Verdict::fail, Verdict::warn},
    {&Gpu::aer_correctable, "corrected", Verdict::info, Verdict::info},
};

/// Says so of a counter that is there and cannot be read, at the GPU or at a bridge above it: none
/// of a sum that leaves one out is no zero.
bool is_unread(Number const& count, std::string const& subject, std::string_view what,
               Verdicts& verdicts) {
    auto const name = fmt::format("counter of {} PCIe errors", what);
    if (!count && count.reason() > Missing::unsupported)
        return !verdicts.have(count, subject, name);
    if (count.limit().empty()) return false;
    verdicts.unknown(subject, fmt::format("{}: {}", name, count.limit()));
    return true;
}

/// "PCI rejects atomics 91<92": firmware of the first number needs atomics, that of the second
/// works without (Linux kfd_device.c). 0 in its place means that none does.
std::pair<std::uint64_t, std::uint64_t> firmware_in(std::string_view message) {
    constexpr std::string_view phrase = "rejects atomics ";
    auto const at = message.find(phrase);
    if (at == message.npos) return {};
    auto const numbers = split(message.substr(at + phrase.size()), '<');
    if (numbers.size() != 2) return {};
    return {to_unsigned(trim(numbers[0]), 10).value_or(0),
            to_unsigned(trim(numbers[1]), 10).value_or(0)};
}

void tell_rejection(std::string const& subject, std::string const& message, Verdicts& verdicts) {
    auto const [here, needed] = firmware_in(message);
    auto& finding = verdicts.fail(
        subject, "the PCI path does not route atomic operations, so KFD refused the GPU");
    finding.evidence = {{"kernel-log", message}};
    if (here >= needed) return;
    finding.message +=
        fmt::format("; its firmware {} needs them, from {} on it does not", here, needed);
    finding.action = Action::config;
    finding.next_step =
        "{install-firmware}   # newer firmware of the GPU, then: {rebuild-initramfs}, and reboot; "
        "a "
        "slot at the processor helps too";
}

/// The cards of one hive; partitions of a card are no pair. What is hidden from a container is not
/// ours.
using Hives = std::map<std::string, std::vector<Card const*>>;

Hives hives_of(CheckContext const& context) {
    Hives hives;
    for (auto const& card : context.cards)
        if (card.gpu->xgmi_hive_id && card.gpu->kfd_node.reason() != Missing::denied)
            hives[*card.gpu->xgmi_hive_id].push_back(&card);
    return hives;
}

/// Cards like this one that may be in its hive: KFD does not tell. Hidden ones are elsewhere.
std::string cards_of_unknown_hive(CheckContext const& context, Gpu const& member) {
    std::string subjects;
    for (auto const& card : context.cards) {
        auto const& hive = card.gpu->xgmi_hive_id;
        bool const is_unknown =
            !hive && hive.reason() != Missing::unsupported && hive.reason() != Missing::denied;
        auto const& model = card.gpu->pci_device_id;
        bool const is_other = model && member.pci_device_id && *model != *member.pci_device_id;
        if (is_unknown && !is_other) subjects += ' ' + card.subject;
    }
    return subjects;
}

using NodePairs = std::set<std::pair<std::uint64_t, std::uint64_t>>;

NodePairs xgmi_pairs(Host const& host) {
    NodePairs pairs;
    for (auto const& link : host.links)
        if (link.kind == "xgmi") pairs.emplace(link.from_node, link.to_node);
    return pairs;
}

/// Why KFD's list of links of this GPU is not complete; nothing if it is.
std::optional<std::string> links_problem(Host const& host, Gpu const& gpu) {
    if (!gpu.kfd_node) return gpu.kfd_node.detail();
    if (!host.kfd_nodes) return std::nullopt;
    for (auto const& node : *host.kfd_nodes)
        if (node.node == *gpu.kfd_node) return node.links_problem;
    return std::nullopt;
}

/// The largest figure of this name among the cards of a hive.
double best_of(std::vector<Card const*> const& cards, std::string const& key) {
    double best = 0;
    for (auto const* card : cards) {
        if (!card->gpu->metrics) continue;
        auto const found = card->gpu->metrics->find(key);
        if (found != card->gpu->metrics->end()) best = std::max(best, found->second);
    }
    return best;
}

struct LackingLinks {
    std::string to = {};  ///< subjects of cards, each after a space; empty: none lacks
    std::optional<std::string> unread = {};  ///< why that may not be true
};

/// What KFD does not list from a card to the others of its hive.
LackingLinks lacking_links(Host const& host, NodePairs const& pairs, Card const& card,
                           std::vector<Card const*> const& hive) {
    LackingLinks lack{.unread = links_problem(host, *card.gpu)};
    for (auto const* other : hive) {
        if (other == &card) continue;
        auto const& to = other->gpu->kfd_node;
        if (card.gpu->kfd_node && to && pairs.contains({*card.gpu->kfd_node, *to})) continue;
        lack.to += ' ' + other->subject;
        if (!to && !lack.unread) lack.unread = to.detail();
    }
    return lack;
}

}  // namespace

void judge_link_width(CheckContext const& context, Verdicts& verdicts) {
    for (auto const& card : context.cards) {
        auto const& gpu = *card.gpu;
        if (!verdicts.have(gpu.link_current_width, card.subject, "lanes of the link") ||
            !verdicts.have(gpu.link_max_width, card.subject, "lanes that the link could have"))
            continue;
        if (*gpu.link_current_width >= *gpu.link_max_width) {
            verdicts.pass(card.subject, fmt::format("x{}", *gpu.link_current_width));
            continue;
        }
        verdicts
            .give(below_link(card), card.subject,
                  fmt::format("the link runs with {} of {} lanes", *gpu.link_current_width,
                              *gpu.link_max_width))
            .evidence = link_evidence(gpu);
    }
}

void judge_link_speed(CheckContext const& context, Verdicts& verdicts) {
    for (auto const& card : context.cards) {
        auto const& gpu = *card.gpu;
        if (!verdicts.have(gpu.link_current_gt_per_s, card.subject, "rate of the link") ||
            !verdicts.have(gpu.link_max_gt_per_s, card.subject, "rate that the link could have"))
            continue;
        if (*gpu.link_current_gt_per_s >= *gpu.link_max_gt_per_s) {
            verdicts.pass(card.subject, fmt::format("{} GT/s", *gpu.link_current_gt_per_s));
            continue;
        }
        bool const loaded = is_under_load(gpu);
        auto const text = fmt::format("the link runs at {} of {} GT/s", *gpu.link_current_gt_per_s,
                                      *gpu.link_max_gt_per_s);
        verdicts
            .give(loaded ? below_link(card) : Verdict::info, card.subject,
                  text + (loaded ? " under load" : " while idle"))
            .evidence = link_evidence(gpu);
    }
}

void judge_replays(CheckContext const& context, Verdicts& verdicts) {
    for (auto const& card : context.cards) {
        auto const& count = card.gpu->pcie_replay_count;
        if (!verdicts.have(count, card.subject, "count of PCIe replays")) continue;
        // A few come from the training of the link.
        verdicts
            .give(
                *count == 0 ? Verdict::pass : Verdict::info, card.subject,
                fmt::format("{} PCIe packets were sent again since the driver was loaded", *count))
            .evidence = {evidence(count)};
    }
}

void judge_pcie_errors(CheckContext const& context, Verdicts& verdicts) {
    for (auto const& card : context.cards) {
        bool sound = true;
        bool known = false;
        for (auto const& row : error_rows) {
            auto const& count = card.gpu->*row.fact;
            known |= count.has_value();
            if (count.value_or(0) == 0) {
                sound &= !is_unread(count, card.subject, row.what, verdicts);
                continue;
            }
            sound = false;
            verdicts
                .give(card.is_server() ? row.on_server : row.elsewhere, card.subject,
                      fmt::format("{} {} PCIe errors at it and its bridges", *count, row.what))
                .evidence = {evidence(count)};
        }
        if (!sound) continue;
        if (known) verdicts.pass(card.subject, "no PCIe errors");
        else verdicts.have(card.gpu->aer_fatal, card.subject, "PCIe error counters");
    }
}

void judge_atomics(CheckContext const& context, Verdicts& verdicts) {
    for (auto const& card : context.cards) {
        // The kernel has decided: a GPU with a node has what KFD needs, whatever the bits say.
        if (card.gpu->kfd_node) verdicts.pass(card.subject, "KFD accepted the GPU");
        else if (auto const* message = rejects_atomics(context, card.subject))
            tell_rejection(card.subject, message->text, verdicts);
        else verdicts.skip(card.subject, "no KFD node, for another reason");
    }
}

void judge_visible_memory(CheckContext const& context, Verdicts& verdicts) {
    for (auto const& card : context.cards) {
        auto const& gpu = *card.gpu;
        if (card.is_apu()) {
            verdicts.skip(card.subject, "an APU shares main memory");
            continue;
        }
        if (!verdicts.have(gpu.visible_vram_bytes, card.subject,
                           "memory that the processor sees") ||
            !verdicts.have(gpu.vram_bytes, card.subject, "device memory"))
            continue;
        if (*gpu.visible_vram_bytes >= *gpu.vram_bytes) {
            verdicts.pass(card.subject, "the processor sees all of the device memory");
            continue;
        }
        // Without a large BAR there is no peer-to-peer copy, and Instinct needs it altogether.
        auto const verdict = card.is_server()                 ? Verdict::fail
                             : card.profile == Profile::guest ? Verdict::info
                             : context.discrete_cards() >= 2  ? Verdict::warn
                                                              : Verdict::info;
        verdicts
            .give(verdict, card.subject,
                  fmt::format("the processor sees {} of {} of device memory",
                              human_bytes(*gpu.visible_vram_bytes), human_bytes(*gpu.vram_bytes)))
            .evidence = {evidence(gpu.visible_vram_bytes), evidence(gpu.vram_bytes)};
    }
}

void judge_numa_place(CheckContext const& context, Verdicts& verdicts) {
    auto const& nodes = context.host.numa_nodes;
    for (auto const& card : context.cards) {
        auto const& place = card.gpu->numa_node;
        if (place) {
            verdicts.pass(card.subject, fmt::format("NUMA node {}", *place)).evidence = {
                evidence(place)};
        } else if (place.reason() == Missing::unsupported && nodes && nodes->size() > 1) {
            verdicts
                .give(card.is_server() ? Verdict::warn : Verdict::info, card.subject,
                      fmt::format("the firmware does not say which of {} NUMA nodes it is at",
                                  nodes->size()))
                .evidence = {{"pci", place.detail()}};
        } else {
            verdicts.have(place, card.subject, "NUMA node");
        }
    }
}

void judge_xgmi_links(CheckContext const& context, Verdicts& verdicts) {
    auto const hives = hives_of(context);
    if (hives.empty()) return (void)verdicts.skip("host", "no GPU is in a hive");
    auto const pairs = xgmi_pairs(context.host);
    for (auto const& [hive, cards] : hives) {
        auto const homeless = cards_of_unknown_hive(context, *cards.front()->gpu);
        for (auto const* card : cards) {
            auto const lack = lacking_links(context.host, pairs, *card, cards);
            if (!lack.to.empty() && lack.unread)
                verdicts.unknown(card->subject, fmt::format("XGMI links to{} are not known: {}",
                                                            lack.to, *lack.unread));
            else if (!lack.to.empty())
                verdicts.fail(card->subject, fmt::format("no XGMI link to{}", lack.to)).evidence = {
                    {"kfd", "hive " + hive}};
            else if (!homeless.empty())
                verdicts.unknown(
                    card->subject,
                    fmt::format("in which hive these GPUs are is not known:{}", homeless));
            // A guest or container with one GPU of a hive: the others are elsewhere.
            else if (cards.size() == 1)
                verdicts.pass(card->subject, "the only visible GPU of its hive");
            else
                verdicts.pass(card->subject,
                              fmt::format("XGMI to all {} others of its hive", cards.size() - 1));
        }
    }
}

void judge_xgmi_errors(CheckContext const& context, Verdicts& verdicts) {
    for (auto const& card : context.cards) {
        auto const& errors = card.gpu->xgmi_errors;
        if (!card.gpu->xgmi_hive_id) {
            verdicts.skip(card.subject, "in no hive");
        } else if (errors) {
            if (*errors == 0) verdicts.pass(card.subject, "no XGMI errors");
            else
                verdicts
                    .fail(card.subject,
                          fmt::format("XGMI error status {} since the last look", *errors))
                    .evidence = {evidence(errors)};
        } else {
            verdicts.have(errors, card.subject, "XGMI error status");
        }
    }
}

void judge_xgmi_speed(CheckContext const& context, Verdicts& verdicts) {
    auto const hives = hives_of(context);
    if (hives.empty()) return (void)verdicts.skip("host", "no GPU is in a hive");
    for (auto const& [hive, cards] : hives)
        for (auto const* key : {"xgmi_link_width", "xgmi_link_gbit_per_s"}) {
            auto const best = best_of(cards, key);
            for (auto const* card : cards) {
                if (!card->gpu->metrics) continue;
                auto const found = card->gpu->metrics->find(key);
                if (found == card->gpu->metrics->end()) continue;
                auto const what = std::string_view(key).ends_with("width") ? "lanes" : "Gbit/s";
                verdicts
                    .give(found->second < best ? Verdict::warn : Verdict::pass, card->subject,
                          fmt::format("XGMI links with {} {}, the best of its hive with {}",
                                      found->second, what, best))
                    .evidence = {{source_text(card->gpu->metrics.source()) + ':' + key,
                                  fmt::format("{}", found->second)}};
            }
        }
}

}  // namespace rocmtune
