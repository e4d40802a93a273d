// SPDX-License-Identifier: MIT
#include "measure/gpu_selection.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/host.hpp"
#include "base/text.hpp"
#include "judge/rules/visibility.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

using Kind = GpuSelector::Kind;
using Selector = std::optional<GpuSelector>;

constexpr std::pair<std::string_view, Kind> prefixes[] = {
    {"hip:", Kind::hip}, {"cuda:", Kind::cuda}, {"kfd:", Kind::kfd}};

constexpr std::string_view uuid_prefix = "gpu-";

Selector numbered(Kind kind, std::string_view digits) {
    auto const number = to_unsigned(digits, 10);
    if (!number) return std::nullopt;
    return GpuSelector{.kind = kind, .number = *number};
}

/// lspci leaves out a domain of 0.
std::optional<PciAddress> address_in(std::string_view text) {
    if (auto const address = parse_pci_address(text)) return address;
    return parse_pci_address(fmt::format("0000:{}", text));
}

Selector at_address(std::string_view word) {
    auto const slash = word.find('/');
    auto const address = address_in(word.substr(0, slash));
    if (!address) return std::nullopt;
    GpuSelector selector{.kind = Kind::address, .address = *address};
    if (slash == word.npos) return selector;
    selector.partition = to_unsigned(word.substr(slash + 1), 10);
    return selector.partition ? Selector(selector) : std::nullopt;
}

Selector parse(std::string_view word) {
    for (auto const& [prefix, kind] : prefixes)
        if (word.starts_with(prefix)) return numbered(kind, word.substr(prefix.size()));
    auto uuid = lower(word);
    if (uuid.starts_with(uuid_prefix) && uuid.size() > uuid_prefix.size())
        return GpuSelector{.kind = Kind::uuid, .uuid = std::move(uuid)};
    if (auto const row = numbered(Kind::row, word)) return row;
    return at_address(word);
}

bool is_at(Gpu const& gpu, PciAddress const& address, std::optional<std::uint64_t> partition) {
    auto const card = parse_pci_address(gpu.pci_address.value_or(""));
    auto const index = gpu.partition_index.value_or(0);
    if (card == address) return !partition || *partition == index;
    // The runtimes write partition N of a card as its function N.
    return card == address.card() && is_partition(gpu) && !partition && address.function == index;
}

bool has_uuid(Gpu const& gpu, std::string_view uuid) {
    if (gpu.uuid && lower(*gpu.uuid) == uuid) return true;
    return gpu.unique_id && lower(*gpu.unique_id) == uuid.substr(uuid_prefix.size());
}

// ---- rows of a host -----------------------------------------------------------------------------

using Rows = std::vector<std::uint64_t>;

std::string there_is(Host const& host) {
    if (host.gpus.empty()) return "this host has none";
    return fmt::format("rocmtune probe lists them: GPU 0 to {}, with PCI addresses",
                       host.gpus.size() - 1);
}

template <class Test>
Rows rows_where(Host const& host, Test holds) {
    Rows rows;
    for (auto const& gpu : host.gpus)
        if (gpu.row && holds(gpu)) rows.push_back(*gpu.row);
    return rows;
}

/// HIP's own answer where it was asked; else what its rules make of the environment.
Rows hip_rows(Host const& host, std::uint64_t index) {
    auto const asked = rows_where(host, [](Gpu const& gpu) { return gpu.hip_index.has_value(); });
    if (!asked.empty())
        return rows_where(host, [&](Gpu const& gpu) { return gpu.hip_index.value() == index; });
    auto const variables = host.environment.value_or({});
    auto const devices = simulate_visibility(host, variables).hip.devices;
    if (!devices)
        throw Error("--gpu: which GPU HIP calls so cannot be told here",
                    "name it by row or PCI address; rocmtune probe lists them");
    Rows rows;
    for (auto const& device : *devices)
        if (device.index == index && device.row) rows.push_back(*device.row);
    return rows;
}

Rows rows_of(Host const& host, GpuSelector const& selector) {
    // PyTorch for ROCm calls the devices of HIP cuda:N.
    bool const by_hip = selector.kind == Kind::hip || selector.kind == Kind::cuda;
    auto rows = by_hip ? hip_rows(host, selector.number)
                       : rows_where(host, [&](Gpu const& gpu) { return selector.names(gpu); });
    if (rows.empty())
        throw Error(fmt::format("--gpu: there is no GPU '{}'", selector.text), there_is(host));
    return rows;
}

}  // namespace

bool GpuSelector::names(Gpu const& gpu) const {
    switch (kind) {
        case Kind::row: return gpu.row.value() == number;
        case Kind::kfd: return gpu.kfd_node.value() == number;
        case Kind::address: return is_at(gpu, address, partition);
        case Kind::uuid: return has_uuid(gpu, uuid);
        case Kind::hip:
        case Kind::cuda: break;
    }
    return false;
}

GpuSelector parse_gpu_selector(std::string_view word) {
    auto selector = parse(word);
    if (!selector)
        throw Error(fmt::format("--gpu cannot be '{}'", printable(word)), std::string(gpu_grammar));
    selector->text = printable(word);
    return *selector;
}

std::vector<GpuSelector> parse_gpu_selectors(std::vector<std::string> const& lists) {
    std::vector<GpuSelector> selectors;
    for (auto const& list : lists)
        for (auto const part : split(list, ',')) {
            auto const word = trim(part);
            if (word.empty())
                throw Error(fmt::format("--gpu cannot be '{}': a place of the list is empty",
                                        printable(list)),
                            std::string(gpu_grammar));
            selectors.push_back(parse_gpu_selector(word));
        }
    return selectors;
}

std::vector<std::uint64_t> selected_rows(Host const& host,
                                         std::vector<GpuSelector> const& selectors) {
    Rows rows;
    for (auto const& selector : selectors)
        for (auto const row : rows_of(host, selector))
            if (std::ranges::find(rows, row) == rows.end()) rows.push_back(row);
    return rows;
}

void keep_rows(Rows const& rows, Host& host) {
    if (rows.empty()) return;
    auto const is_meant = [&](auto const& row) {
        return row && std::ranges::find(rows, *row) != rows.end();
    };
    std::erase_if(host.gpus, [&](Gpu const& gpu) { return !is_meant(gpu.row); });
    std::erase_if(host.links, [&](Link const& link) {
        return !is_meant(link.from_row) && !is_meant(link.to_row);
    });
}

}  // namespace rocmtune
