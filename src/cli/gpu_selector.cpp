// SPDX-License-Identifier: MIT
#include "cli/gpu_selector.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "base/text.hpp"
#include "probe/pci_address.hpp"
#include "rocmtune/error.hpp"
#include "rules/visibility.hpp"

namespace rocmtune {
namespace {

using Rows = std::vector<std::uint64_t>;

std::string there_is(Host const& host) {
    if (host.gpus.empty()) return "this host has none";
    return fmt::format("rocmtune probe lists them: GPU 0 to {}, with PCI addresses",
                       host.gpus.size() - 1);
}

[[noreturn]] void no_gpu(std::string_view word, Host const& host) {
    throw Error(fmt::format("--gpu: there is no GPU '{}'", printable(word)), there_is(host));
}

Rows rows_where(Host const& host, std::function<bool(Gpu const&)> const& holds) {
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

Rows pci_rows(Host const& host, PciAddress const& address, std::optional<std::uint64_t> partition) {
    return rows_where(host, [&](Gpu const& gpu) {
        return gpu.pci_address.value() == address.text() &&
               (!partition || gpu.partition_index.value_or(0) == *partition);
    });
}

Rows uuid_rows(Host const& host, std::string const& uuid) {
    return rows_where(host, [&](Gpu const& gpu) {
        if (gpu.uuid && lower(*gpu.uuid) == uuid) return true;
        return gpu.unique_id && "gpu-" + lower(*gpu.unique_id) == uuid;
    });
}

std::optional<PciAddress> address_in(std::string_view text) {
    if (auto const address = parse_pci_address(text)) return address;
    return parse_pci_address(fmt::format("0000:{}", text));
}

/// The number behind a prefix such as "hip:", if the word begins with it.
std::optional<std::uint64_t> numbered(std::string_view word, std::string_view prefix) {
    return word.starts_with(prefix) ? to_unsigned(word.substr(prefix.size()), 10) : std::nullopt;
}

Rows rows_of(Host const& host, std::string_view word) {
    for (auto const* prefix : {"hip:", "cuda:"})
        if (auto const index = numbered(word, prefix)) return hip_rows(host, *index);
    if (auto const node = numbered(word, "kfd:"))
        return rows_where(host, [&](Gpu const& gpu) { return gpu.kfd_node.value() == *node; });
    if (lower(word).starts_with("gpu-")) return uuid_rows(host, lower(word));
    if (auto const row = to_unsigned(word, 10))
        return rows_where(host, [&](Gpu const& gpu) { return gpu.row.value() == *row; });
    auto const slash = word.find('/');
    auto const address = address_in(word.substr(0, slash));
    auto const partition =
        slash == word.npos ? std::nullopt : to_unsigned(word.substr(slash + 1), 10);
    if (address && (slash == word.npos || partition)) return pci_rows(host, *address, partition);
    throw Error(fmt::format("--gpu cannot be '{}'", printable(word)),
                "write a row (0), hip:0, kfd:1, a PCI address (0000:03:00.0, with /1 a partition) "
                "or a UUID");
}

}  // namespace

std::vector<std::uint64_t> selected_rows(Host const& host, std::string_view selector) {
    Rows rows;
    for (auto const part : split(selector, ',')) {
        auto const found = rows_of(host, trim(part));
        if (found.empty()) no_gpu(trim(part), host);
        for (auto const row : found)
            if (std::ranges::find(rows, row) == rows.end()) rows.push_back(row);
    }
    return rows;
}

std::vector<std::uint64_t> selected_rows(Arguments const& arguments, Host const& host) {
    auto const words = arguments.values("--gpu");
    if (words.empty()) return {};
    return selected_rows(host, fmt::format("{}", fmt::join(words, ",")));
}

}  // namespace rocmtune
