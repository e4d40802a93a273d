// SPDX-License-Identifier: MIT
// Links between GPUs. Only GPUs of one hive are to be joined: a board may have several hives.
#include <map>
#include <set>

#include "checks/judgements.hpp"

namespace rocmtune {
namespace {

/// The cards of one hive; partitions of a card are no pair.
using Hives = std::map<std::string, std::vector<Card const*>>;

Hives hives_of(CheckContext const& context) {
    Hives hives;
    for (auto const& card : context.cards)
        if (card.gpu->xgmi_hive_id && card.gpu->kfd_node)
            hives[*card.gpu->xgmi_hive_id].push_back(&card);
    return hives;
}

std::set<std::pair<std::uint64_t, std::uint64_t>> xgmi_pairs(Host const& host) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> pairs;
    for (auto const& link : host.links)
        if (link.kind == "xgmi") pairs.emplace(link.from_node, link.to_node);
    return pairs;
}

/// Why a list of links of this node is not complete; nothing if it is.
std::optional<std::string> links_problem(Host const& host, std::uint64_t number) {
    if (!host.kfd_nodes) return std::nullopt;
    for (auto const& node : *host.kfd_nodes)
        if (node.node == number) return node.links_problem;
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

}  // namespace

void judge_xgmi_links(CheckContext const& context, Verdicts& verdicts) {
    auto const pairs = xgmi_pairs(context.host);
    auto const hives = hives_of(context);
    if (hives.empty()) return (void)verdicts.skip("host", "no GPU is in a hive");
    for (auto const& [hive, cards] : hives) {
        if (cards.size() == 1) {
            // A guest or container with one GPU of a hive: the others are elsewhere.
            verdicts.pass(cards[0]->subject, "the only visible GPU of its hive");
            continue;
        }
        for (auto const* card : cards) {
            std::string missing;
            for (auto const* other : cards)
                if (other != card && !pairs.contains({*card->gpu->kfd_node, *other->gpu->kfd_node}))
                    missing += ' ' + other->subject;
            auto const unread = links_problem(context.host, *card->gpu->kfd_node);
            if (missing.empty())
                verdicts.pass(card->subject,
                              fmt::format("XGMI to all {} others of its hive", cards.size() - 1));
            else if (unread)
                verdicts.unknown(card->subject, fmt::format("XGMI links to{} are not known: {}",
                                                            missing, *unread));
            else
                verdicts.fail(card->subject, fmt::format("no XGMI link to{}", missing)).evidence = {
                    {"kfd", "hive " + hive}};
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
