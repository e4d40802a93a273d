// SPDX-License-Identifier: MIT
// The verbs that readers share, their ordered table, and the probing run over it.
#include "probe/reader.hpp"

#include <algorithm>
#include <map>

#include "probe/pci_address.hpp"

namespace rocmtune {

void offer_text(HostRoot const& root, std::string const& path, std::string_view reader,
                Text& fact) {
    offer_parsed(root, path, reader, fact, [](std::string_view text) -> std::optional<std::string> {
        if (text.empty() || text.find('\n') != text.npos) return std::nullopt;
        return std::string(text);
    });
}

void offer_unsigned(HostRoot const& root, std::string const& path, std::string_view reader,
                    Number& fact) {
    offer_parsed(root, path, reader, fact, [](std::string_view text) { return to_unsigned(text); });
}

void offer_scaled(HostRoot const& root, std::string const& path, std::string_view reader,
                  double per_unit, Real& fact) {
    offer_parsed(root, path, reader, fact,
                 [per_unit](std::string_view text) -> std::optional<double> {
                     auto const number = to_signed(text);
                     if (!number) return std::nullopt;
                     return static_cast<double>(*number) / per_unit;
                 });
}

std::optional<double> scaled_number(HostRoot const& root, std::string const& path,
                                    double per_unit) {
    auto const text = root.read(path);
    if (!text) return std::nullopt;
    auto const number = to_signed(*text);
    if (!number) return std::nullopt;
    return static_cast<double>(*number) / per_unit;
}

namespace {

constexpr Reader readers[] = {
    {"kernel", "kernel, distribution, firmware, kernel settings", read_kernel},
    {"cpu", "processors, memory, NUMA nodes", read_cpu},
    {"kfd", "compute nodes and links of /sys/class/kfd", read_kfd},
    {"pci", "PCI functions of AMD GPUs and their bridges", read_pci},
    {"names", "product names and families", read_names},
    {"drm", "DRM nodes, memory, firmware", read_drm},
    {"telemetry", "clocks, power, temperatures, error counters", read_telemetry},
    {"surroundings", "container, limits, namespaces", read_surroundings},
    {"driver", "state, origin and parameters of amdgpu", read_driver},
    {"access", "device nodes and whether this process may use them", read_access},
    {"processes", "processes that hold a GPU", read_processes},
    {"kernel-log", "kernel messages about GPUs", read_kernel_log},
    {"packages", "packages of the distribution that concern GPUs", read_packages},
    {first_undisturbed_reader, "ROCm installations and the loader's choice",
     read_rocm_installations},
    {"programs", "programs of PATH that install software or set the kernel", read_programs},
    {"python", "GPU frameworks of the active Python environment", read_frameworks},
    {python_needs_reader, "what its packages ask of others, for builds", read_python_needs},
    {"caches", "caches of MIOpen, PyTorch and Triton", read_caches},
    {"environment", "environment variables that concern ROCm", read_environment},
    // Last: it may add rows, and no reader behind it may ask the machine for more.
    {libraries_reader, "what HIP, ROCr and the SMI libraries say", read_runtimes},
};

/// Rows stand in PCI order whatever order KFD and PCI listed them in; partitions by number.
void sort_rows(Host& host) {
    using Key = std::tuple<bool, PciAddress, std::uint64_t, std::size_t>;
    std::vector<Key> order;
    for (std::size_t i = 0; i < host.gpus.size(); ++i) {
        auto const& gpu = host.gpus[i];
        auto const address = parse_pci_address(gpu.pci_address.value_or(""));
        order.emplace_back(!address.has_value(), address.value_or(PciAddress{}),
                           gpu.partition_index.value_or(0), i);
    }
    std::sort(order.begin(), order.end());
    std::vector<Gpu> rows;
    rows.reserve(order.size());
    for (auto const& key : order) rows.push_back(std::move(host.gpus[std::get<3>(key)]));
    host.gpus = std::move(rows);
    for (std::size_t i = 0; i < host.gpus.size(); ++i)
        host.gpus[i].row.offer(i, {"rows", "PCI order"});
}

void number_links(Host& host) {
    std::map<std::uint64_t, std::uint64_t> row_of;
    for (auto const& gpu : host.gpus)
        if (gpu.kfd_node) row_of[*gpu.kfd_node] = *gpu.row;
    auto const row = [&](std::uint64_t node) -> std::optional<std::uint64_t> {
        auto const found = row_of.find(node);
        return found == row_of.end() ? std::nullopt : std::optional(found->second);
    };
    for (auto& link : host.links) {
        link.from_row = row(link.from_node);
        link.to_row = row(link.to_node);
    }
}

}  // namespace

std::span<Reader const> all_readers() {
    return readers;
}

Host probe(ProbeContext const& context, std::span<std::string_view const> left_out) {
    Host host;
    if (auto const label = context.root.label(); !label.empty())
        host.recorded.offer(label, {"root", label});
    else host.recorded.miss(Missing::absent, "live");
    for (auto const& reader : readers) {
        if (context.before) context.before(reader.name, host);
        if (std::ranges::count(left_out, reader.name) > 0) continue;
        reader.read(context, host);
        if (reader.read == read_pci) sort_rows(host);
    }
    number_links(host);
    offer_modules(chips_of(context), host);
    settle(host);
    return host;
}

}  // namespace rocmtune
