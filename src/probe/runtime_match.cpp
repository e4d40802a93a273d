// SPDX-License-Identifier: MIT
#include "probe/runtime_match.hpp"

#include <algorithm>
#include <set>

#include "host/subject.hpp"

namespace rocmtune {
namespace {

using Rows = std::vector<std::size_t>;
using Kind = RuntimeMatch::Kind;

/// What tells the rows of one bus and slot apart: the partition, or the PCI function.
std::uint64_t part_of(Gpu const& gpu) {
    if (is_partition(gpu)) return gpu.partition_index.value_or(0);
    return parse_pci_address(gpu.pci_address.value_or("")).value_or(PciAddress{}).function;
}

std::uint64_t part_of(RuntimeDevice const& device) {
    return device.partition.value_or(device.address ? device.address->function : 0);
}

template <class Test>
Rows rows_where(std::vector<Gpu> const& gpus, Test test) {
    Rows rows;
    for (std::size_t row = 0; row < gpus.size(); ++row)
        if (test(gpus[row])) rows.push_back(row);
    return rows;
}

/// Kernels before Linux 7 give all partitions of a card one identifier: then it tells nothing.
Rows rows_with_identifier(RuntimeDevice const& device, std::vector<Gpu> const& gpus) {
    if (!device.unique_id) return {};
    return rows_where(gpus,
                      [&](Gpu const& gpu) { return gpu.unique_id.value() == device.unique_id; });
}

class Matcher {
  public:
    Matcher(std::span<RuntimeDevice const> devices, std::vector<Gpu> const& gpus,
            bool names_partitions)
        : devices_(devices), gpus_(gpus), names_partitions_(names_partitions) {}

    RuntimeMatch match(std::size_t at) const {
        auto const& device = devices_[at];
        if (!device.address) return by_identifier(device);
        auto const card = rows_where(gpus_, [&](Gpu const& gpu) {
            auto const address = parse_pci_address(gpu.pci_address.value_or(""));
            return address && address->card() == device.address->card();
        });
        return card.empty() ? by_identifier(device) : on_card(at, card);
    }

  private:
    RuntimeMatch by_identifier(RuntimeDevice const& device) const {
        auto rows = rows_with_identifier(device, gpus_);
        // libhsakmt renumbers nodes where some are hidden, so this is the last resort.
        if (rows.empty() && !device.address && device.kfd_node)
            rows = rows_where(
                gpus_, [&](Gpu const& gpu) { return gpu.kfd_node.value() == device.kfd_node; });
        if (rows.size() == 1) return {Kind::row, std::move(rows), false};
        return {};
    }

    /// The devices on the card of this one, in the runtime's order.
    std::vector<std::size_t> companions(std::size_t at) const {
        std::vector<std::size_t> list;
        for (std::size_t i = 0; i < devices_.size(); ++i)
            if (devices_[i].address && devices_[i].address->card() == devices_[at].address->card())
                list.push_back(i);
        return list;
    }

    RuntimeMatch on_card(std::size_t at, Rows const& card) const {
        auto const& device = devices_[at];
        auto const part = part_of(device);
        auto const others = companions(at);
        // Old runtimes print function 0 for every device.
        if (card.size() == 1 && (part == 0 || part == part_of(gpus_[card.front()])) &&
            others.size() == 1)
            return {Kind::row, card};
        std::set<std::uint64_t> parts;
        for (auto const i : others) parts.insert(part_of(devices_[i]));
        bool const tells = parts.size() == others.size() && (names_partitions_ || parts.size() > 1);
        if (tells || !is_partition(gpus_[card.front()])) return with_part(part, card);
        return without_part(at, card, others);
    }

    RuntimeMatch with_part(std::uint64_t part, Rows const& card) const {
        for (auto const row : card)
            if (part_of(gpus_[row]) == part) return {Kind::row, {row}};
        return {};
    }

    /// The runtime names the card only. If it lists every partition, they are in order.
    RuntimeMatch without_part(std::size_t at, Rows const& card,
                              std::vector<std::size_t> const& others) const {
        Rows known;
        for (auto const row : rows_with_identifier(devices_[at], gpus_))
            if (std::find(card.begin(), card.end(), row) != card.end()) known.push_back(row);
        if (known.size() == 1) return {Kind::row, known};
        if (others.size() != card.size()) return {Kind::some_row, card};
        auto const position = std::find(others.begin(), others.end(), at) - others.begin();
        return {Kind::row, {card[static_cast<std::size_t>(position)]}};
    }

    std::span<RuntimeDevice const> devices_;
    std::vector<Gpu> const& gpus_;
    bool names_partitions_;
};

}  // namespace

std::vector<RuntimeMatch> match_devices(std::span<RuntimeDevice const> devices,
                                        std::vector<Gpu> const& gpus, bool names_partitions) {
    Matcher const matcher(devices, gpus, names_partitions);
    std::vector<RuntimeMatch> matches;
    for (std::size_t at = 0; at < devices.size(); ++at) matches.push_back(matcher.match(at));
    return matches;
}

}  // namespace rocmtune
