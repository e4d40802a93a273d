// SPDX-License-Identifier: MIT
#include "measure/selected_rows.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "judge/rules/visibility.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

using Kind = GpuSelector::Kind;
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

std::vector<std::uint64_t> selected_rows(Host const& host,
                                         std::vector<GpuSelector> const& selectors) {
    Rows rows;
    for (auto const& selector : selectors)
        for (auto const row : rows_of(host, selector))
            if (std::ranges::find(rows, row) == rows.end()) rows.push_back(row);
    return rows;
}

std::vector<std::uint64_t> selected_rows(Arguments const& arguments, Host const& host) {
    return selected_rows(host, parse_gpu_selectors(arguments.values("--gpu")));
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
