// SPDX-License-Identifier: MIT
// The KFD topology: which compute nodes the kernel driver has, and how they are linked.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "knowledge/chips.hpp"
#include "probe/parsers.hpp"
#include "probe/pci_address.hpp"
#include "probe/reader.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view kfd_reader = "kfd";
constexpr std::string_view topology = "/sys/class/kfd/kfd/topology";

/// More nodes than any host has (8 GPUs of 8 partitions and some CPUs), as a bound on work.
constexpr std::size_t node_limit = 1024;

/// One topology node while it is being read.
struct Node {
    std::uint64_t number = 0;
    std::string path = {};
    KfdProperties properties = {};
    std::string problem = {};
    bool hidden = false;  ///< the device cgroup excludes it

    std::optional<std::uint64_t> get(std::string_view key) const {
        return kfd_property(properties, key);
    }
    Source source(std::string_view key) const {
        return {kfd_reader, fmt::format("{}/properties:{}", path, key)};
    }
    bool is_gpu() const { return hidden || get("simd_count").value_or(0) > 0; }
};

Node read_node(HostRoot const& root, std::string const& nodes, std::uint64_t number) {
    Node node{.number = number, .path = fmt::format("{}/{}", nodes, number)};
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
        if (auto const number = to_unsigned(name, 10);
            number && nodes.size() < node_limit && name == std::to_string(*number))
            nodes.push_back(read_node(root, directory, *number));
    if (nodes.empty()) host.kfd_nodes.miss(Missing::absent, directory + ": no nodes");
    return nodes;
}

// ---- one GPU node ---------------------------------------------------------------------------

/// A property and the field it fills.
struct PropertyRow {
    std::string_view key;
    Number Gpu::*fact;
    std::uint64_t scale = 1;
};

/// A sum or product of what files say, nothing where it does not fit: no driver means such a
/// number.
std::optional<std::uint64_t> scaled(std::uint64_t value, std::uint64_t scale) {
    std::uint64_t result = 0;
    return __builtin_mul_overflow(value, scale, &result) ? std::nullopt : std::optional(result);
}

std::optional<std::uint64_t> sum(std::uint64_t a, std::uint64_t b) {
    std::uint64_t result = 0;
    return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

/// Units as in include/uapi/linux/kfd_sysfs.h; lds_size_in_kb is KiB.
constexpr PropertyRow number_rows[] = {
    {"simd_count", &Gpu::simd_count},
    {"simd_per_cu", &Gpu::simd_per_cu},
    {"array_count", &Gpu::shader_arrays},
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
        auto const value = node.get(row.key);
        auto const bytes = value ? scaled(*value, row.scale) : std::nullopt;
        if (bytes) fact.offer(*bytes, node.source(row.key));
        else if (value)
            fact.miss(Missing::invalid, fmt::format("{} {} is out of range", row.key, *value));
        else fact.miss(Missing::absent, fmt::format("this kernel prints no {}", row.key));
    }
    // Kernels that print no num_xcc (before 6.5) drive no chip with more than one.
    gpu.xcc_count.offer(node.get("num_xcc").value_or(1), node.source("num_xcc"));
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
        if (capability)
            (gpu.*bit.fact).offer((*capability & bit.mask) != 0, node.source("capability"));
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

/// PCI ids have 16 bits.
std::optional<std::uint16_t> pci_id(Node const& node, std::string_view key) {
    auto const id = node.get(key);
    return id && *id <= 0xFFFF ? std::optional(static_cast<std::uint16_t>(*id)) : std::nullopt;
}

void offer_identity(Node const& node, Gpu& gpu) {
    constexpr std::uint16_t vendor_amd_graphics = 0x1002;
    if (pci_id(node, "vendor_id") == vendor_amd_graphics)
        gpu.vendor.offer("AMD", node.source("vendor_id"));
    if (auto const device = pci_id(node, "device_id"))
        gpu.pci_device_id.offer(fmt::format("{:#06x}", *device), node.source("device_id"));
    else if (auto const number = node.get("device_id"))
        gpu.pci_device_id.miss(Missing::invalid, fmt::format("device_id {} is no PCI id", *number));
}

void offer_target(Node const& node, ChipSet const& chips, Gpu& gpu) {
    auto const version = node.get("gfx_target_version");
    auto const device = pci_id(node, "device_id");
    if (auto const name = gfx_target_name(version.value_or(0))) {
        gpu.gfx_target.offer(*name, node.source("gfx_target_version"));
    } else if (version.value_or(0) != 0) {
        gpu.gfx_target.miss(Missing::invalid,
                            fmt::format("gfx_target_version {} is no target", *version));
    } else if (auto const* chip = device ? chips.chip_of_device(*device) : nullptr) {
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
    std::optional<std::uint64_t> bytes = 0;
    for (auto const& bank : *banks) {
        auto const path = fmt::format("{}/mem_banks/{}/properties", node.path, bank);
        auto const text = root.read(path);
        if (!text) miss(gpu.compute_memory_bytes, text);
        auto const properties = parse_kfd_properties(text.value.value_or(""));
        auto const heap = kfd_property(properties, "heap_type");
        if (heap != 1U && heap != 2U) continue;
        if (bytes) bytes = sum(*bytes, kfd_property(properties, "size_in_bytes").value_or(0));
        auto const offer = [&](std::string_view key, Number& fact) {
            auto const value = kfd_property(properties, key);
            if (value.value_or(0) != 0 && !fact)
                fact.offer(*value, {kfd_reader, path + ':' + std::string(key)});
        };
        offer("width", gpu.memory_bus_width_bits);
        offer("mem_clk_max", gpu.memory_clock_max_mhz);
    }
    if (!bytes)
        gpu.compute_memory_bytes.miss(Missing::invalid,
                                      node.path + "/mem_banks: sizes out of range");
    else if (*bytes > 0)
        gpu.compute_memory_bytes.offer(*bytes, {kfd_reader, node.path + "/mem_banks"});
    else gpu.compute_memory_bytes.miss(Missing::absent, node.path + "/mem_banks: no device memory");
}

/// Sizes are KiB; type bit 1 marks a data cache (HSA_CACHE_TYPE_DATA, kfd_sysfs.h). The kernel
/// lists one kind of cache after the other, level 1 first (kfd_fill_cache_non_crat_info), and of
/// that one for each compute unit: read from the end, the many files of level 1 stay unread.
void offer_caches(HostRoot const& root, Node const& node, Gpu& gpu) {
    auto const directory = node.path + "/caches";
    auto const caches = root.list(directory);
    if (!caches) {
        miss(gpu.l2_cache_bytes, caches);
        return miss(gpu.last_level_cache_bytes, caches);
    }
    std::map<std::uint64_t, std::uint64_t> bytes_by_level;
    for (auto cache = caches->rbegin(); cache != caches->rend(); ++cache) {
        auto const text = root.read(fmt::format("{}/{}/properties", directory, *cache));
        if (!text) continue;
        auto const properties = parse_kfd_properties(*text);
        auto const level = kfd_property(properties, "level");
        if (level == 1U) break;
        auto const kib = kfd_property(properties, "size");
        auto const bytes = kib ? scaled(*kib, 1024) : std::nullopt;
        if (!level || !bytes || (kfd_property(properties, "type").value_or(1) & 1U) == 0) continue;
        auto& total = bytes_by_level[*level];
        total = sum(total, *bytes).value_or(total);
    }
    auto const l2 = bytes_by_level.find(2);
    if (l2 != bytes_by_level.end()) gpu.l2_cache_bytes.offer(l2->second, {kfd_reader, directory});
    else gpu.l2_cache_bytes.miss(Missing::absent, directory + ": no level 2");
    if (!bytes_by_level.empty() && bytes_by_level.rbegin()->first >= 2)
        gpu.last_level_cache_bytes.offer(bytes_by_level.rbegin()->second, {kfd_reader, directory});
    else gpu.last_level_cache_bytes.miss(Missing::absent, directory + ": no level above 1");
}

void offer_firmware(Node const& node, Gpu& gpu) {
    std::map<std::string, std::string> versions;
    for (auto const& [key, name] :
         {std::pair{"fw_version", "mec"}, std::pair{"sdma_fw_version", "sdma"}})
        if (auto const value = node.get(key); value.value_or(0) != 0)
            versions[name] = fmt::format("{:#x}", *value);
    if (!versions.empty())
        gpu.firmware.offer(std::move(versions), {kfd_reader, node.path + "/properties"});
}

Gpu read_gpu(ProbeContext const& context, ChipSet const& chips, Node const& node) {
    Gpu gpu;
    gpu.kfd_node.offer(node.number, {kfd_reader, node.path});
    offer_unsigned(context.root, node.path + "/gpu_id", kfd_reader, gpu.gpu_id);
    offer_identity(node, gpu);
    offer_target(node, chips, gpu);
    offer_numbers(node, gpu);
    offer_capabilities(node, gpu);
    offer_identifier(node, "unique_id", gpu.unique_id);
    offer_identifier(node, "hive_id", gpu.xgmi_hive_id);
    if (auto const minor = node.get("drm_render_minor"); minor.value_or(0) != 0)
        gpu.render_node.offer(fmt::format("renderD{}", *minor), node.source("drm_render_minor"));
    offer_memory(context.root, node, gpu);
    offer_caches(context.root, node, gpu);
    offer_firmware(node, gpu);
    return gpu;
}

// ---- place: PCI address and partition -------------------------------------------------------

struct Place {
    std::optional<PciAddress> address;
    std::uint64_t partition_bits = 0;  ///< from bits 31:28, which user-space tools read
    bool has_domain = true;            ///< the kernel printed one; those with partitions do
    std::string problem = {};
};

/// The domain of a node whose kernel prints none: that of the only PCI function with this bus, slot
/// and function; of several, the one that the node's render device hangs on; 0 if there are none.
std::optional<std::uint32_t> find_domain(HostRoot const& root,
                                         std::vector<std::string> const& functions,
                                         Node const& node, PciAddress const& place) {
    auto const matches = [&](std::optional<PciAddress> const& address) {
        return address &&
               PciAddress{place.domain, address->bus, address->device, address->function} == place;
    };
    std::vector<std::uint32_t> domains;
    for (auto const& name : functions)
        if (auto const address = parse_pci_address(name); matches(address))
            domains.push_back(address->domain);
    if (domains.empty()) return 0;
    if (domains.size() == 1) return domains.front();
    auto const minor = node.get("drm_render_minor").value_or(0);
    auto const device =
        root.resolve(fmt::format("/sys/class/drm/renderD{}/device", minor)).value.value_or("/");
    auto const address = parse_pci_address(device.substr(device.rfind('/') + 1));
    return matches(address) ? std::optional(address->domain) : std::nullopt;
}

Place place_of(HostRoot const& root, Node const& node, std::vector<std::string> const& functions) {
    auto const location = node.get("location_id");
    auto const domain = node.get("domain");
    Place place;
    place.has_domain = domain.has_value();
    if (!location) return place.problem = "this kernel prints no location_id", place;
    if (*location > 0xFFFFFFFFU || domain.value_or(0) > 0xFFFFFFFFU)
        return place.problem = "location_id or domain is out of range", place;
    auto address = decode_location(static_cast<std::uint32_t>(domain.value_or(0)), *location);
    auto const found = domain ? address.domain : find_domain(root, functions, node, address);
    if (!found) return place.problem = "this kernel prints no domain, and several fit", place;
    address.domain = *found;
    place.address = address;
    place.partition_bits = *location >> 28;
    return place;
}

bool on_bus(std::vector<std::string> const& functions, PciAddress const& address) {
    return std::find(functions.begin(), functions.end(), address.text()) != functions.end();
}

/// Nodes of one card share its address but for the function bits, into which the kernel ORs the
/// partition number (Linux 7.2 kfd_topology.c). A lone node with function bits is a partition too
/// if the PCI bus has no such function. Kernels that print no domain have no partitions: there two
/// GPUs of different domains only look alike.
void offer_place(Node const& node, Place const& place, std::uint64_t siblings,
                 std::vector<std::string> const& functions, Gpu& gpu) {
    if (!place.address)
        return gpu.pci_address.miss(node.get("location_id") ? Missing::invalid : Missing::absent,
                                    place.problem);
    auto const& address = *place.address;
    auto const source = node.source("location_id");
    bool const lone =
        address.function != 0 && !on_bus(functions, address) && on_bus(functions, address.card());
    bool const partition = place.has_domain && (siblings > 1 || place.partition_bits != 0 || lone);
    gpu.pci_address.offer((partition ? address.card() : address).text(), source);
    gpu.partition_index.offer(
        partition ? std::max<std::uint64_t>(address.function, place.partition_bits) : 0, source);
    gpu.partition_count.offer(partition ? siblings : 1, source);
}

void offer_places(HostRoot const& root, std::vector<Node const*> const& nodes,
                  std::vector<Gpu>& gpus) {
    auto const functions =
        root.list("/sys/bus/pci/devices").value.value_or(std::vector<std::string>{});
    std::vector<Place> places;
    std::map<PciAddress, std::uint64_t> nodes_of_card;
    for (auto const* node : nodes) {
        places.push_back(place_of(root, *node, functions));
        if (places.back().address) ++nodes_of_card[places.back().address->card()];
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        auto const siblings = places[i].address ? nodes_of_card[places[i].address->card()] : 0;
        offer_place(*nodes[i], places[i], siblings, functions, gpus[i]);
    }
}

// ---- links ----------------------------------------------------------------------------------

std::optional<Link> read_link(HostRoot const& root, std::string const& path,
                              std::string_view listed_in) {
    auto const text = root.read(path + "/properties");
    auto const properties = parse_kfd_properties(text.value.value_or(""));
    Link link;
    link.listed_in = listed_in;
    auto const from = kfd_property(properties, "node_from");
    auto const to = kfd_property(properties, "node_to");
    auto const type = kfd_property(properties, "type");
    if (!from || !to || !type) return std::nullopt;
    link.from_node = *from;
    link.to_node = *to;
    link.kind = link_kind(*type);
    link.weight = kfd_property(properties, "weight");
    link.min_bandwidth_mb_per_s = kfd_property(properties, "min_bandwidth");
    link.max_bandwidth_mb_per_s = kfd_property(properties, "max_bandwidth");
    // The kernel prints 0 where it does not know the rate.
    if (link.min_bandwidth_mb_per_s == 0U) link.min_bandwidth_mb_per_s.reset();
    if (link.max_bandwidth_mb_per_s == 0U) link.max_bandwidth_mb_per_s.reset();
    return link;
}

/// Reads the links of one list; returns how many there are, those to hidden GPUs included.
std::uint64_t read_links(HostRoot const& root, Node const& node, std::string_view kind,
                         Host& host) {
    auto const directory = fmt::format("{}/{}", node.path, kind);
    std::uint64_t seen = 0;
    for (auto const& name : root.list(directory).value.value_or(std::vector<std::string>{})) {
        auto const path = fmt::format("{}/{}", directory, name);
        // The kernel refuses links to GPUs that the device cgroup leaves out.
        bool const hidden = root.read(path + "/properties").reason == Missing::denied;
        auto link = hidden ? std::nullopt : read_link(root, path, kind);
        seen += hidden || link ? 1 : 0;
        if (link) host.links.push_back(std::move(*link));
    }
    return seen;
}

void read_links(HostRoot const& root, Node const& node, Host& host, KfdNode& summary) {
    auto const seen = read_links(root, node, "io_links", host);
    read_links(root, node, "p2p_links", host);
    auto const stated = node.get("io_links_count").value_or(0);
    if (seen < stated)
        summary.links_problem =
            fmt::format("{} of the {} links that the node states could be read", seen, stated);
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
    for (auto const& bank :
         root.list(node.path + "/mem_banks").value.value_or(std::vector<std::string>{})) {
        auto const text = root.read(fmt::format("{}/mem_banks/{}/properties", node.path, bank));
        auto const properties = parse_kfd_properties(text.value.value_or(""));
        if (auto const size = kfd_property(properties, "size_in_bytes"))
            bytes = sum(bytes.value_or(0), *size).value_or(bytes.value_or(0));
    }
    return bytes;
}

}  // namespace

void read_kfd(ProbeContext const& context, Host& host) {
    auto const& root = context.root;
    auto const& chips = chips_of(context);
    auto const nodes = read_nodes(root, host);
    offer_unsigned(root, std::string(topology) + "/generation_id", kfd_reader, host.kfd_generation);
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
        read_links(root, node, host, all.back());
    }
    offer_places(root, gpu_nodes, host.gpus);
    host.kfd_nodes.offer(std::move(all), {kfd_reader, std::string(topology) + "/nodes"});
}

}  // namespace rocmtune
