// SPDX-License-Identifier: MIT
// Links between GPUs. Only GPUs of one hive are to be joined: a board may have several hives.
#include <map>
#include <set>

#include "judge/checks/judgements.hpp"

namespace rocmtune {
namespace {

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
