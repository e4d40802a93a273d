// SPDX-License-Identifier: MIT
#include <algorithm>

#include "knowledge/product_of.hpp"
#include "probe/probe.hpp"
#include "probe/readers.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view reader = "rows";

/// The one row that a row's widest XGMI links lead to; nothing if several are equally wide.
std::optional<std::uint64_t> closest_row(Host const& host, std::uint64_t row) {
    std::optional<std::uint64_t> closest;
    std::uint64_t widest = 0;
    for (auto const& link : host.links) {
        auto const rate = link.max_bandwidth_mb_per_s.value_or(0);
        if (link.from_row != row || !link.to_row || link.kind != "xgmi" || rate < widest) continue;
        if (rate == widest && closest == link.to_row) continue;  // in both io_links and p2p_links
        closest = rate == widest ? std::nullopt : link.to_row;
        widest = rate;
    }
    return closest;
}

void offer_pair(Host& host, Gpu& gpu) {
    auto const partner = closest_row(host, *gpu.row);
    if (!partner || closest_row(host, *partner) != *gpu.row || !host.gpus[*partner].pci_address)
        return gpu.module.miss(Missing::absent,
                               "one of two dies of a card; KFD does not tell which is the other");
    gpu.module.offer(std::min(*gpu.pci_address, *host.gpus[*partner].pci_address),
                     {reader, "widest XGMI link of the two dies"});
}

}  // namespace

void offer_modules(ChipSet const& chips, Host& host) {
    for (auto& gpu : host.gpus) {
        if (!gpu.pci_address) {
            gpu.module.miss(gpu.pci_address.reason(), gpu.pci_address.detail());
            continue;
        }
        auto const* product = product_of(chips, gpu);
        if (product != nullptr && product->pci_functions_per_card == 2U) offer_pair(host, gpu);
        else gpu.module.offer(*gpu.pci_address, {reader, "pci_address"});
    }
}

}  // namespace rocmtune
