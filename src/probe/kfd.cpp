// SPDX-License-Identifier: MIT
// The KFD topology: which compute nodes the kernel driver has, and how they are linked.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "knowledge/chips.hpp"
#include "probe/kfd_parse.hpp"
#include "probe/pci_address.hpp"
#include "probe/readers.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view reader = "kfd";
constexpr std::string_view topology = "/sys/class/kfd/kfd/topology";

/// More nodes than any host has (8 GPUs of 8 partitions and some CPUs), as a bound on work.
constexpr std::size_t node_limit = 1024;

/// One topology node while it is being read.
struct Node {
    std::uint64_t number = 0;
    std::string path = {};
    KfdProperties properties = {};
    Answer<std::string> gpu_id = {};
    std::string problem = {};
    bool hidden = false;  ///< the device cgroup excludes it

    std::optional<std::uint64_t> get(std::string_view key) const {
        return kfd_property(properties, key);
    }
    Source source(std::string_view key) const {
        return {reader, fmt::format("{}/properties:{}", path, key)};
    }
    bool is_gpu() const { return hidden || get("simd_count").value_or(0) > 0; }
};

Node read_node(HostRoot const& root, std::string const& nodes, std::uint64_t number) {
    Node node{.number = number, .path = fmt::format("{}/{}", nodes, number)};
    node.gpu_id = root.read(node.path + "/gpu_id");
    auto const text = root.read(node.path + "/properties");
    if (text) node.properties = parse_kfd_properties(*text);
    if (text && node.properties.empty()) node.problem = "properties: no 'key value' lines";
    if (!text) node.problem = text.detail;
    // The kernel refuses GPU nodes, and only those, to processes whose device cgroup leaves out
    // the GPU (kfd_devcgroup_check_permission): EPERM, even for root.
    node.hidden = !text && text.reason == Missing::denied;
    return node;
}

std::vector<Node> read_nodes(HostRoot const& root, Host& host) {
    std::vector<Node> nodes;
    auto const base = root.resolve(topology);
    if (!base) return miss(host.kfd_nodes, base), nodes;
    auto const directory = *base + "/nodes";
    auto const names = root.list(directory);
    if (!names) return miss(host.kfd_nodes, names), nodes;
    for (auto const& name : *names)
        if (auto const number = to_unsigned(name, 10); number && nodes.size() < node_limit)
            nodes.push_back(read_node(root, directory, *number));
    return nodes;
}

// ---- one GPU node ---------------------------------------------------------------------------

/// A property and the field it fills.
struct NumberRow {
    std::string_view key;
    Number Gpu::*fact;
    std::uint64_t scale = 1;
};

/// Units as in include/uapi/linux/kfd_sysfs.h; lds_size_in_kb is KiB.
constexpr NumberRow number_rows[] = {
    {"simd_count", &Gpu::simd_count},
    {"simd_per_cu", &Gpu::simd_per_cu},
    {"array_count", &Gpu::shader_arrays},
    {"num_xcc", &Gpu::xcc_count},
    {"wave_front_size", &Gpu::wavefront_size},
    {"max_waves_per_simd", &Gpu::max_waves_per_simd},
    {"lds_size_in_kb", &Gpu::lds_bytes, 1024},
    {"max_engine_clk_fcompute", &Gpu::max_engine_clock_mhz},
    {"num_sdma_engines", &Gpu::sdma_engines},
    {"num_sdma_xgmi_engines", &Gpu::sdma_xgmi_engines},
    {"num_cp_queues", &Gpu::compute_queues},
};

void offer_numbers(Node const& node, Gpu& gpu) {
    for (auto const& row : number_rows) {
        auto& fact = gpu.*row.fact;
        if (auto const value = node.get(row.key)) {
            fact.offer(*value * row.scale, node.source(row.key));
        } else {
            fact.miss(Missing::absent, fmt::format("this kernel prints no {}", row.key));
        }
    }
    auto const simds = node.get("simd_count");
    auto const per_cu = node.get("simd_per_cu").value_or(0);
    if (simds && per_cu > 0) gpu.compute_units.offer(*simds / per_cu, node.source("simd_count"));
    else gpu.compute_units.miss(Missing::absent, "this kernel prints no simd_per_cu");
}

/// HSA_CAP_* of include/uapi/linux/kfd_sysfs.h.
void offer_capabilities(Node const& node, Gpu& gpu) {
    struct Bit {
        std::uint64_t mask;
        Flag Gpu::*fact;
    };
    constexpr Bit bits[] = {{0x00100000, &Gpu::memory_ecc},
                            {0x04000000, &Gpu::sram_ecc},
                            {0x10000000, &Gpu::coherent_host_access}};
    auto const capability = node.get("capability");
    for (auto const& bit : bits) {
        if (capability) (gpu.*bit.fact).offer((*capability & bit.mask) != 0, node.source("capability"));
        else (gpu.*bit.fact).miss(Missing::absent, "this kernel prints no capability");
    }
}

/// 64-bit identifiers are printed by KFD in decimal and by DRM in hexadecimal; 0 means none.
void offer_identifier(Node const& node, std::string_view key, Text& fact) {
    auto const value = node.get(key);
    if (value && *value != 0) fact.offer(fmt::format("{:016x}", *value), node.source(key));
    else if (value) fact.miss(Missing::unsupported, fmt::format("{} is 0", key));
    else fact.miss(Missing::absent, fmt::format("this kernel prints no {}", key));
}

void offer_target(Node const& node, ChipSet const& chips, Gpu& gpu) {
    auto const version = node.get("gfx_target_version");
    auto const device = node.get("device_id");
    if (auto const name = gfx_target_name(version.value_or(0))) {
        gpu.gfx_target.offer(*name, node.source("gfx_target_version"));
    } else if (version.value_or(0) != 0) {
        gpu.gfx_target.miss(Missing::invalid, fmt::format("gfx_target_version {} is no target", *version));
    } else if (auto const* chip = device ? chips.chip_of_device(static_cast<std::uint16_t>(*device)) : nullptr) {
        gpu.gfx_target.offer(std::string(chip->gfx_target),
                             {"profile", fmt::format("PCI device id {:#06x}", *device)});
    } else {
        gpu.gfx_target.miss(Missing::absent, "this kernel prints no gfx_target_version");
    }
}

/// Memory that compute programs get: heaps 1 (public) and 2 (private); local_mem_size always
/// prints 0 (Linux kfd_topology.c, HSA_MEM_HEAP_TYPE_FB_PUBLIC/PRIVATE).
void offer_memory(HostRoot const& root, Node const& node, Gpu& gpu) {
    auto const banks = root.list(node.path + "/mem_banks");
    if (!banks) return miss(gpu.compute_memory_bytes, banks);
    std::uint64_t bytes = 0;
    for (auto const& bank : *banks) {
        auto const path = fmt::format("{}/mem_banks/{}/properties", node.path, bank);
        auto const text = root.read(path);
        auto const properties = parse_kfd_properties(text.value.value_or(""));
        auto const heap = kfd_property(properties, "heap_type");
        if (heap != 1U && heap != 2U) continue;
        bytes += kfd_property(properties, "size_in_bytes").value_or(0);
        auto const offer = [&](std::string_view key, Number& fact) {
            auto const value = kfd_property(properties, key);
            if (value.value_or(0) != 0 && !fact) fact.offer(*value, {reader, path + ':' + std::string(key)});
        };
        offer("width", gpu.memory_bus_width_bits);
        offer("mem_clk_max", gpu.memory_clock_max_mhz);
    }
    if (bytes > 0) gpu.compute_memory_bytes.offer(bytes, {reader, node.path + "/mem_banks"});
    else gpu.compute_memory_bytes.miss(Missing::absent, node.path + "/mem_banks: no device memory");
}

/// Sizes are KiB; type bit 1 marks a data cache (HSA_CACHE_TYPE_DATA, kfd_sysfs.h).
void offer_caches(HostRoot const& root, Node const& node, Gpu& gpu) {
    auto const directory = node.path + "/caches";
    auto const caches = root.list(directory);
    if (!caches) {
        miss(gpu.l2_cache_bytes, caches);
        return miss(gpu.last_level_cache_bytes, caches);
    }
    std::map<std::uint64_t, std::uint64_t> bytes_by_level;
    for (auto const& cache : *caches) {
        auto const text = root.read(fmt::format("{}/{}/properties", directory, cache));
        if (!text) continue;
        auto const properties = parse_kfd_properties(*text);
        auto const level = kfd_property(properties, "level");
        auto const kib = kfd_property(properties, "size");
        if (level && kib && (kfd_property(properties, "type").value_or(1) & 1U) != 0)
            bytes_by_level[*level] += *kib * 1024;
    }
    auto const l2 = bytes_by_level.find(2);
    if (l2 != bytes_by_level.end()) gpu.l2_cache_bytes.offer(l2->second, {reader, directory});
    else gpu.l2_cache_bytes.miss(Missing::absent, directory + ": no level 2");
    if (!bytes_by_level.empty() && bytes_by_level.rbegin()->first >= 2)
        gpu.last_level_cache_bytes.offer(bytes_by_level.rbegin()->second, {reader, directory});
    else gpu.last_level_cache_bytes.miss(Missing::absent, directory + ": no level above 1");
}

void offer_firmware(Node const& node, Gpu& gpu) {
    std::map<std::string, std::string> versions;
    for (auto const& [key, name] : {std::pair{"fw_version", "mec"}, std::pair{"sdma_fw_version", "sdma"}})
        if (auto const value = node.get(key); value.value_or(0) != 0) versions[name] = fmt::format("{:#x}", *value);
    if (!versions.empty()) gpu.firmware.offer(std::move(versions), {reader, node.path + "/properties"});
}

Gpu read_gpu(ProbeContext const& context, ChipSet const& chips, Node const& node) {
    Gpu gpu;
    gpu.kfd_node.offer(node.number, {reader, node.path});
    if (auto const id = node.gpu_id ? to_unsigned(*node.gpu_id) : std::nullopt) gpu.gpu_id.offer(*id, {reader, node.path + "/gpu_id"});
    else if (!node.gpu_id) miss(gpu.gpu_id, node.gpu_id);
    offer_target(node, chips, gpu);
    offer_numbers(node, gpu);
    offer_capabilities(node, gpu);
    offer_identifier(node, "unique_id", gpu.unique_id);
    offer_identifier(node, "hive_id", gpu.xgmi_hive_id);
    if (auto const device = node.get("device_id")) gpu.pci_device_id.offer(fmt::format("{:#06x}", *device), node.source("device_id"));
    if (auto const minor = node.get("drm_render_minor"); minor.value_or(0) != 0)
        gpu.render_node.offer(fmt::format("renderD{}", *minor), node.source("drm_render_minor"));
    offer_memory(context.root, node, gpu);
    offer_caches(context.root, node, gpu);
    offer_firmware(node, gpu);
    return gpu;
}

// ---- place: PCI address and partition -------------------------------------------------------

/// The domain of a node whose kernel prints none: that of the only PCI function with this bus,
/// slot and function; 0 if there are none or several.
std::uint32_t find_domain(std::vector<std::string> const& functions, PciAddress const& place) {
    std::vector<std::uint32_t> domains;
    for (auto const& name : functions)
        if (auto const address = parse_pci_address(name);
            address && PciAddress{place.domain, address->bus, address->device, address->function} == place)
            domains.push_back(address->domain);
    return domains.size() == 1 ? domains.front() : 0;
}

struct Place {
    PciAddress address;
    std::uint64_t partition_bits = 0;  ///< from bits 31:28, which user-space tools read
};

Place place_of(Node const& node, std::vector<std::string> const& functions) {
    auto const location = node.get("location_id").value_or(0);
    auto const domain = node.get("domain");
    auto address = decode_location(static_cast<std::uint32_t>(domain.value_or(0)), location);
    if (!domain) address.domain = find_domain(functions, address);
    return {address, (location >> 28) & 0xFU};
}

/// Nodes of one card share its address but for the function bits, into which the kernel ORs the
/// partition number (Linux 7.2 kfd_topology.c). A lone node with function bits is a partition too
/// if the PCI bus has no such function.
void offer_places(std::vector<Node const*> const& nodes, std::vector<std::string> const& functions,
                  std::vector<Gpu>& gpus) {
    std::vector<Place> places;
    std::map<PciAddress, std::uint64_t> nodes_of_card;
    for (auto const* node : nodes) {
        places.push_back(place_of(*node, functions));
        ++nodes_of_card[places.back().address.card()];
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        auto& gpu = gpus[i];
        auto const& [address, high_bits] = places[i];
        auto const source = nodes[i]->source("location_id");
        if (!nodes[i]->get("location_id")) {
            gpu.pci_address.miss(Missing::absent, "this kernel prints no location_id");
            continue;
        }
        bool const on_bus = std::find(functions.begin(), functions.end(), address.text()) != functions.end();
        bool const card_on_bus = std::find(functions.begin(), functions.end(), address.card().text()) != functions.end();
        auto const siblings = nodes_of_card[address.card()];
        bool const partition = siblings > 1 || high_bits != 0 || (address.function != 0 && !on_bus && card_on_bus);
        gpu.pci_address.offer((partition ? address.card() : address).text(), source);
        gpu.partition_index.offer(partition ? std::max<std::uint64_t>(address.function, high_bits) : 0, source);
        gpu.partition_count.offer(siblings, source);
    }
}

// ---- links ----------------------------------------------------------------------------------

Link read_link(HostRoot const& root, std::string const& path, std::string_view listed_in) {
    auto const text = root.read(path + "/properties");
    auto const properties = parse_kfd_properties(text.value.value_or(""));
    Link link;
    link.listed_in = listed_in;
    link.from_node = kfd_property(properties, "node_from").value_or(0);
    link.to_node = kfd_property(properties, "node_to").value_or(0);
    if (auto const type = kfd_property(properties, "type")) link.kind = link_kind(*type);
    link.weight = kfd_property(properties, "weight");
    link.min_bandwidth_mb_per_s = kfd_property(properties, "min_bandwidth");
    link.max_bandwidth_mb_per_s = kfd_property(properties, "max_bandwidth");
    // The kernel prints 0 where it does not know the rate.
    if (link.min_bandwidth_mb_per_s == 0U) link.min_bandwidth_mb_per_s.reset();
    if (link.max_bandwidth_mb_per_s == 0U) link.max_bandwidth_mb_per_s.reset();
    return link;
}

void read_links(HostRoot const& root, Node const& node, Host& host) {
    for (auto const* kind : {"io_links", "p2p_links"}) {
        auto const directory = fmt::format("{}/{}", node.path, kind);
        for (auto const& name : root.list(directory).value.value_or(std::vector<std::string>{})) {
            auto link = read_link(root, fmt::format("{}/{}", directory, name), kind);
            if (!link.kind.empty()) host.links.push_back(std::move(link));
        }
    }
}

// ---- the list of all nodes --------------------------------------------------------------------

KfdNode summary(HostRoot const& root, Node const& node) {
    KfdNode result{.node = node.number, .kind = "unknown"};
    result.cpu_cores = node.get("cpu_cores_count");
    result.simd_count = node.get("simd_count");
    if (node.is_gpu()) result.kind = "gpu";
    else if (result.cpu_cores.value_or(0) > 0) result.kind = "cpu";
    if (auto name = root.read(node.path + "/name"); name && !name->empty()) result.name = *name;
    if (!node.problem.empty()) result.problem = node.problem;
    return result;
}

std::optional<std::uint64_t> cpu_memory(HostRoot const& root, Node const& node) {
    std::optional<std::uint64_t> bytes;
    for (auto const& bank : root.list(node.path + "/mem_banks").value.value_or(std::vector<std::string>{})) {
        auto const text = root.read(fmt::format("{}/mem_banks/{}/properties", node.path, bank));
        auto const properties = parse_kfd_properties(text.value.value_or(""));
        if (auto const size = kfd_property(properties, "size_in_bytes")) bytes = bytes.value_or(0) + *size;
    }
    return bytes;
}

}  // namespace

void read_kfd(ProbeContext const& context, Host& host) {
    auto const& root = context.root;
    auto const& chips = chips_of(context);
    auto const nodes = read_nodes(root, host);
    offer_unsigned(root, std::string(topology) + "/generation_id", reader, host.kfd_generation);
    if (nodes.empty()) return;
    std::vector<KfdNode> all;
    std::vector<Node const*> gpu_nodes;
    for (auto const& node : nodes) {
        all.push_back(summary(root, node));
        if (node.is_gpu() && !node.hidden) {
            gpu_nodes.push_back(&node);
            host.gpus.push_back(read_gpu(context, chips, node));
            all.back().memory_bytes = host.gpus.back().compute_memory_bytes.value();
        } else if (!node.hidden) {
            all.back().memory_bytes = cpu_memory(root, node);
        }
        read_links(root, node, host);
    }
    auto const functions = root.list("/sys/bus/pci/devices").value.value_or(std::vector<std::string>{});
    offer_places(gpu_nodes, functions, host.gpus);
    host.kfd_nodes.offer(std::move(all), {reader, std::string(topology) + "/nodes"});
}

}  // namespace rocmtune
