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
bool is_unread(Number const& count, std::string_view what, Verdicts const& verdicts) {
    auto const name = fmt::format("counter of {} PCIe errors", what);
    if (!count && count.reason() > Missing::unsupported) return !verdicts.have(count, name);
    if (count.limit().empty()) return false;
    verdicts.unknown(fmt::format("{}: {}", name, count.limit()));
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

void tell_rejection(std::string const& message, Verdicts const& verdicts) {
    auto const [here, needed] = firmware_in(message);
    auto& finding = verdicts.give(
        Verdict::fail, "the PCI path does not route atomic operations, so KFD refused the GPU",
        {{"kernel-log", message}});
    if (here >= needed) return;
    finding.message +=
        fmt::format("; its firmware {} needs them, from {} on it does not", here, needed);
    finding.action = Action::config;
    finding.next_step =
        "{install-firmware}   # newer firmware of the GPU, then: {rebuild-initramfs}, and reboot; "
        "a slot at the processor helps too";
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

/// What gpu_metrics of a card says under a name, if it does.
std::optional<double> metric_of(Card const& card, std::string const& name) {
    if (!card.gpu->metrics) return std::nullopt;
    auto const found = card.gpu->metrics->find(name);
    return found == card.gpu->metrics->end() ? std::nullopt : std::optional(found->second);
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

void judge_link_width(CheckContext const&, Card const& card, Verdicts const& verdicts) {
    auto const& gpu = *card.gpu;
    if (!verdicts.have(gpu.link_current_width, "lanes of the link") ||
        !verdicts.have(gpu.link_max_width, "lanes that the link could have"))
        return;
    if (*gpu.link_current_width >= *gpu.link_max_width)
        return verdicts.pass(fmt::format("x{}", *gpu.link_current_width));
    verdicts.give(below_link(card),
                  fmt::format("the link runs with {} of {} lanes", *gpu.link_current_width,
                              *gpu.link_max_width),
                  link_evidence(gpu));
}

void judge_link_speed(CheckContext const&, Card const& card, Verdicts const& verdicts) {
    auto const& gpu = *card.gpu;
    if (!verdicts.have(gpu.link_current_gt_per_s, "rate of the link") ||
        !verdicts.have(gpu.link_max_gt_per_s, "rate that the link could have"))
        return;
    if (*gpu.link_current_gt_per_s >= *gpu.link_max_gt_per_s)
        return verdicts.pass(fmt::format("{} GT/s", *gpu.link_current_gt_per_s));
    bool const loaded = is_under_load(gpu);
    auto const text = fmt::format("the link runs at {} of {} GT/s", *gpu.link_current_gt_per_s,
                                  *gpu.link_max_gt_per_s);
    verdicts.give(loaded ? below_link(card) : Verdict::info,
                  text + (loaded ? " under load" : " while idle"), link_evidence(gpu));
}

void judge_replays(CheckContext const&, Card const& card, Verdicts const& verdicts) {
    auto const& count = card.gpu->pcie_replay_count;
    if (!verdicts.have(count, "count of PCIe replays")) return;
    // A few come from the training of the link.
    verdicts.give(
        *count == 0 ? Verdict::pass : Verdict::info,
        fmt::format("{} PCIe packets were sent again since the driver was loaded", *count), count);
}

void judge_pcie_errors(CheckContext const&, Card const& card, Verdicts const& verdicts) {
    bool sound = true;
    bool known = false;
    for (auto const& row : error_rows) {
        auto const& count = card.gpu->*row.fact;
        known |= count.has_value();
        if (count.value_or(0) == 0) {
            sound &= !is_unread(count, row.what, verdicts);
            continue;
        }
        sound = false;
        verdicts.give(card.is_server() ? row.on_server : row.elsewhere,
                      fmt::format("{} {} PCIe errors at it and its bridges", *count, row.what),
                      count);
    }
    if (!sound) return;
    if (known) verdicts.pass("no PCIe errors");
    else verdicts.have(card.gpu->aer_fatal, "PCIe error counters");
}

void judge_atomics(CheckContext const& context, Card const& card, Verdicts const& verdicts) {
    // The kernel has decided: a GPU with a node has what KFD needs, whatever the bits say.
    if (card.gpu->kfd_node) verdicts.pass("KFD accepted the GPU");
    else if (auto const* message = rejects_atomics(context, card.subject))
        tell_rejection(message->text, verdicts);
    else verdicts.skip("no KFD node, for another reason");
}

void judge_visible_memory(CheckContext const& context, Card const& card, Verdicts const& verdicts) {
    auto const& gpu = *card.gpu;
    if (card.is_apu()) return verdicts.skip("an APU shares main memory");
    if (!verdicts.have(gpu.visible_vram_bytes, "memory that the processor sees") ||
        !verdicts.have(gpu.vram_bytes, "device memory"))
        return;
    if (*gpu.visible_vram_bytes >= *gpu.vram_bytes)
        return verdicts.pass("the processor sees all of the device memory");
    // Without a large BAR there is no peer-to-peer copy, and Instinct needs it altogether.
    auto const verdict = card.is_server()                 ? Verdict::fail
                         : card.profile == Profile::guest ? Verdict::info
                         : context.discrete_cards() >= 2  ? Verdict::warn
                                                          : Verdict::info;
    verdicts.give(verdict,
                  fmt::format("the processor sees {} of {} of device memory",
                              human_bytes(*gpu.visible_vram_bytes), human_bytes(*gpu.vram_bytes)),
                  {evidence(gpu.visible_vram_bytes), evidence(gpu.vram_bytes)});
}

void judge_numa_place(CheckContext const& context, Card const& card, Verdicts const& verdicts) {
    auto const& nodes = context.host.numa_nodes;
    auto const& place = card.gpu->numa_node;
    if (place) verdicts.pass(fmt::format("NUMA node {}", *place), place);
    else if (place.reason() == Missing::unsupported && nodes && nodes->size() > 1)
        verdicts.give(
            card.is_server() ? Verdict::warn : Verdict::info,
            fmt::format("the firmware does not say which of {} NUMA nodes it is at", nodes->size()),
            {{"pci", place.detail()}});
    else verdicts.have(place, "NUMA node");
}

void judge_xgmi_links(CheckContext const& context, Verdicts const& verdicts) {
    auto const hives = hives_of(context);
    if (hives.empty()) return verdicts.skip("no GPU is in a hive");
    auto const pairs = xgmi_pairs(context.host);
    for (auto const& [hive, cards] : hives) {
        auto const homeless = cards_of_unknown_hive(context, *cards.front()->gpu);
        for (auto const* card : cards) {
            auto const at = verdicts.about(card->subject);
            auto const lack = lacking_links(context.host, pairs, *card, cards);
            if (!lack.to.empty() && lack.unread)
                at.unknown(fmt::format("XGMI links to{} are not known: {}", lack.to, *lack.unread));
            else if (!lack.to.empty())
                at.fail(fmt::format("no XGMI link to{}", lack.to), {{"kfd", "hive " + hive}});
            else if (!homeless.empty())
                at.unknown(fmt::format("in which hive these GPUs are is not known:{}", homeless));
            // A guest or container with one GPU of a hive: the others are elsewhere.
            else if (cards.size() == 1) at.pass("the only visible GPU of its hive");
            else at.pass(fmt::format("XGMI to all {} others of its hive", cards.size() - 1));
        }
    }
}

void judge_xgmi_errors(CheckContext const&, Card const& card, Verdicts const& verdicts) {
    auto const& errors = card.gpu->xgmi_errors;
    if (!card.gpu->xgmi_hive_id) return verdicts.skip("in no hive");
    if (!verdicts.have(errors, "XGMI error status")) return;
    if (*errors == 0) return verdicts.pass("no XGMI errors");
    verdicts.fail(fmt::format("XGMI error status {} since the last look", *errors), errors);
}

void judge_xgmi_speed(CheckContext const& context, Verdicts const& verdicts) {
    auto const hives = hives_of(context);
    if (hives.empty()) return verdicts.skip("no GPU is in a hive");
    for (auto const& [hive, cards] : hives)
        for (auto const& [name, unit] :
             {std::pair{"xgmi_link_width", "lanes"}, std::pair{"xgmi_link_gbit_per_s", "Gbit/s"}}) {
            double best = 0;
            for (auto const* card : cards)
                best = std::max(best, metric_of(*card, name).value_or(0));
            for (auto const* card : cards)
                if (auto const here = metric_of(*card, name))
                    verdicts.about(card->subject)
                        .give(*here < best ? Verdict::warn : Verdict::pass,
                              fmt::format("XGMI links with {} {}, the best of its hive with {}",
                                          *here, unit, best),
                              {{source_text(card->gpu->metrics.source()) + ':' + name,
                                fmt::format("{}", *here)}});
        }
}

using enum CheckLevel;
using enum Where;

// clang-format off
constexpr Check links_rows[] = {
    {"RT3301", "link-width", "pcie", quick, false, driver, judge_link_width},
    {"RT3302", "link-speed", "pcie", quick, false, driver, judge_link_speed},
    {"RT3303", "pcie-replays", "pcie", quick, false, driver, judge_replays},
    {"RT3304", "pcie-errors", "pcie", quick, false, driver, judge_pcie_errors},
    {"RT3305", "pcie-atomics", "pcie", quick, false, driver, judge_atomics},
    {"RT3306", "visible-memory", "pcie", quick, false, driver, judge_visible_memory},
    {"RT3307", "numa-place", "pcie", quick, false, driver, judge_numa_place},
    {"RT3321", "xgmi-links", "xgmi", quick, false, driver, judge_xgmi_links},
    {"RT3322", "xgmi-errors", "xgmi", quick, false, driver, judge_xgmi_errors},
    {"RT3323", "xgmi-speed", "xgmi", quick, false, driver, judge_xgmi_speed},
};
// clang-format on

}  // namespace

std::span<Check const> link_checks() {
    return links_rows;
}

}  // namespace rocmtune
