// SPDX-License-Identifier: MIT
// PCI functions of AMD GPUs: identity, driver, place, and the link over the whole bridge chain.
#include <algorithm>

#include <fmt/format.h>

#include "base/host.hpp"
#include "probe/pci_address.hpp"
#include "probe/reader.hpp"

namespace rocmtune {

/// acs_bridges: "ADDRESS: what it redirects".
void read_acs(HostRoot const& root, Host& host);

namespace {

constexpr std::string_view pci_reader = "pci";
constexpr std::string_view bus = "/sys/bus/pci/devices/";

/// PCI SIG: 1002 is ATI/AMD's graphics vendor id. (1022 is AMD's processors.)
constexpr std::uint64_t vendor_amd_graphics = 0x1002;

/// PCI base classes 03 (display controller) and 12 (processing accelerator).
bool is_gpu_class(std::uint64_t class_code) {
    auto const base = class_code >> 16;
    return base == 0x03 || base == 0x12;
}

bool is_gpu(HostRoot const& root, std::string const& path) {
    auto const vendor = root.read(path + "/vendor");
    if (!vendor || to_unsigned(*vendor) != vendor_amd_graphics) return false;
    auto const class_code = root.read(path + "/class");
    auto const code = class_code ? to_unsigned(*class_code) : std::nullopt;
    return code && *code <= 0xFFFFFF && is_gpu_class(*code);
}

// ---- links ------------------------------------------------------------------------------------

/// "16.0 GT/s PCIe" (pci_speed_string() of Linux drivers/pci/probe.c); "Unknown" is no speed.
std::optional<double> link_speed(std::string_view text) {
    auto const speed = leading_real(text);
    constexpr double fastest = 1024;  // far above any generation (7.0: 128)
    if (!speed || *speed <= 0 || *speed > fastest || text.find("GT/s") == text.npos)
        return std::nullopt;
    return speed;
}

/// Lanes; 0 is an idle or absent link, 255 the capability's "unknown" (Linux pci-sysfs.c).
std::optional<std::uint64_t> link_width(std::string_view text) {
    auto const width = to_unsigned(text);
    if (!width || *width == 0 || *width > 32) return std::nullopt;
    return width;
}

/// Offers the smallest value that the devices of the chain state, with the device that states it.
template <class T, class Parse>
void offer_minimum(HostRoot const& root, std::vector<std::string> const& chain,
                   std::string_view attribute, Fact<T>& fact, Parse parse) {
    std::optional<T> lowest;
    std::string where;
    Answer<std::string> problem{
        {}, Missing::absent, 0, fmt::format("no {} in the chain", attribute)};
    for (auto const& device : chain) {
        auto const path = fmt::format("{}/{}", device, attribute);
        auto const text = root.read(path);
        auto const value = text ? parse(std::string_view(*text)) : std::nullopt;
        if (value && (!lowest || *value < *lowest)) {
            lowest = value;
            where = path;
        }
        if (text && !value)
            problem = {{}, Missing::unsupported, 0, fmt::format("{}: {}", path, printable(*text))};
        else if (!text && device == chain.back()) problem = text;
    }
    if (lowest) fact.offer(*lowest, {pci_reader, where});
    else miss(fact, problem);
}

/// Bytes per second would need the encoding; for "which link is narrowest" lanes x rate is enough.
std::optional<double> link_capacity(HostRoot const& root, std::string const& device,
                                    std::string_view which) {
    auto const speed = root.read(fmt::format("{}/{}_link_speed", device, which));
    auto const width = root.read(fmt::format("{}/{}_link_width", device, which));
    if (!speed || !width) return std::nullopt;
    auto const rate = link_speed(*speed);
    auto const lanes = link_width(*width);
    if (!rate || !lanes) return std::nullopt;
    return *rate * static_cast<double>(*lanes);
}

void offer_limit(HostRoot const& root, std::vector<std::string> const& chain, Text& fact) {
    std::optional<double> lowest;
    std::optional<double> highest;
    std::string narrowest;
    for (auto const& device : chain) {
        auto const capacity = link_capacity(root, device, "current");
        if (!capacity) continue;
        if (!lowest || *capacity < *lowest) {
            lowest = capacity;
            narrowest = device;
        }
        highest = std::max(highest.value_or(0), *capacity);
    }
    if (!lowest) return fact.miss(Missing::absent, "no link of the chain states its rate");
    if (*lowest == *highest) return fact.miss(Missing::absent, "all links of the chain are equal");
    fact.offer(narrowest.substr(narrowest.rfind('/') + 1), {pci_reader, narrowest});
}

/// The device and its bridges from the root port down, as the canonical sysfs path nests them.
std::vector<std::string> bridge_chain(std::string const& sysfs_path) {
    std::vector<std::string> chain;
    for (std::size_t at = sysfs_path.find('/', 1); at != sysfs_path.npos;) {
        auto const end = sysfs_path.find('/', at + 1);
        auto const name = sysfs_path.substr(at + 1, end - at - 1);
        if (parse_pci_address(name)) chain.push_back(sysfs_path.substr(0, end));
        at = end;
    }
    return chain;
}

/// Since Linux 6.18 the link files resume a device that sleeps (pci_config_pm_runtime_get); before,
/// they showed all ones of it, which are no widths.
void read_links(HostRoot const& root, std::string const& path, bool wake, Gpu& gpu) {
    if (is_asleep(gpu) && !wake) {
        auto const asleep = [](auto&... facts) {
            (facts.miss(Missing::suspended, wakes_the_gpu), ...);
        };
        return asleep(gpu.link_current_gt_per_s, gpu.link_max_gt_per_s, gpu.link_current_width,
                      gpu.link_max_width, gpu.link_limited_by);
    }
    auto const chain = bridge_chain(path);
    offer_minimum(root, chain, "current_link_speed", gpu.link_current_gt_per_s, link_speed);
    offer_minimum(root, chain, "max_link_speed", gpu.link_max_gt_per_s, link_speed);
    offer_minimum(root, chain, "current_link_width", gpu.link_current_width, link_width);
    offer_minimum(root, chain, "max_link_width", gpu.link_max_width, link_width);
    offer_limit(root, chain, gpu.link_limited_by);
}

// ---- one function -----------------------------------------------------------------------------

/// "0x744c" with exactly `digits` digits, whatever the padding of the source.
auto hexadecimal(int digits) {
    return [digits](std::string_view text) -> std::optional<std::string> {
        auto const number = to_unsigned(text);
        if (!number || (*number >> (4 * digits)) != 0) return std::nullopt;
        return fmt::format("0x{:0{}x}", *number, digits);
    };
}

void offer_subsystem(HostRoot const& root, std::string const& path, Text& fact) {
    auto const vendor = root.read(path + "/subsystem_vendor");
    auto const device = root.read(path + "/subsystem_device");
    if (!vendor) return miss(fact, vendor);
    if (!device) return miss(fact, device);
    auto const parse = hexadecimal(4);
    auto const maker = parse(*vendor);
    auto const board = parse(*device);
    if (maker && board) fact.offer(*maker + ':' + *board, {pci_reader, path + "/subsystem_device"});
    else fact.miss(Missing::invalid, path + "/subsystem_device: no PCI id");
}

void offer_driver(HostRoot const& root, std::string const& path, Text& fact) {
    auto const link = root.link(path + "/driver");
    if (link) return fact.offer(link->substr(link->rfind('/') + 1), {pci_reader, path + "/driver"});
    // A capture without links still has the driver's name in uevent.
    auto const uevent = root.read(path + "/uevent").value.value_or("");
    for (auto const& [key, value] : key_value_lines(uevent, '='))
        if (key == "DRIVER" && !value.empty())
            return fact.offer(std::string(value), {pci_reader, path + "/uevent:DRIVER"});
    fact.miss(link.reason, link.reason == Missing::absent ? "no driver is bound" : link.detail);
}

/// -1 means that the firmware did not say (Documentation/ABI/testing/sysfs-bus-pci).
void offer_numa(HostRoot const& root, std::string const& path, Gpu& gpu) {
    auto const text = root.read(path + "/numa_node");
    if (!text) return miss(gpu.numa_node, text);
    auto const node = to_signed(*text);
    if (!node) gpu.numa_node.miss(Missing::invalid, path + "/numa_node: " + printable(*text));
    else if (*node < 0)
        gpu.numa_node.miss(Missing::unsupported,
                           path + "/numa_node: -1, the firmware does not say");
    else gpu.numa_node.offer(*node, {pci_reader, path + "/numa_node"});
}

/// The line "TOTAL_ERR_COR 3" and its kin
/// (Documentation/ABI/testing/sysfs-bus-pci-devices-aer_stats), summed over the device and its
/// bridges: a bad slot shows at the port above it. A device without such counters is none of them;
/// one whose counter cannot be read leaves the sum a lower bound, and the fact says so.
void offer_aer(HostRoot const& root, std::vector<std::string> const& chain, std::string_view file,
               std::string_view total, Number& fact) {
    auto const total_of = [total](std::string_view text) -> std::optional<std::uint64_t> {
        for (auto const& [key, value] : key_value_lines(text))
            if (key == total) return to_unsigned(value);
        return std::nullopt;
    };
    std::uint64_t sum = 0;
    std::uint64_t largest = 0;
    std::string where;
    for (auto const& device : chain) {
        Number one;
        offer_parsed(root, fmt::format("{}/{}", device, file), pci_reader, one, total_of);
        if (!one) {
            fact.miss(one.reason(), one.detail());
            if (one.reason() > Missing::unsupported) fact.limit(one.reason(), one.detail());
            continue;
        }
        if (where.empty() || *one > largest) where = one.source().where;
        largest = std::max(largest, *one);
        if (__builtin_add_overflow(sum, *one, &sum))
            return fact.miss(Missing::invalid, fmt::format("{}: too large to add", where));
    }
    if (!where.empty()) fact.offer(sum, {pci_reader, where});
}

void offer_iommu(HostRoot const& root, std::string const& path, Gpu& gpu) {
    auto const link = root.link(path + "/iommu_group");
    if (!link) {
        gpu.iommu_group.miss(link.reason,
                             link.reason == Missing::absent ? "in no IOMMU group" : link.detail);
        return gpu.iommu_type.miss(
            link.reason, link.reason == Missing::absent ? "in no IOMMU group" : link.detail);
    }
    auto const group = link->substr(link->rfind('/') + 1);
    gpu.iommu_group.offer(group, {pci_reader, path + "/iommu_group"});
    offer_text(root, fmt::format("/sys/kernel/iommu_groups/{}/type", group), pci_reader,
               gpu.iommu_type);
}

void read_function(HostRoot const& root, std::string const& path, bool wake, Gpu& gpu) {
    gpu.sysfs_path.offer(path, {pci_reader, path});
    gpu.vendor.offer("AMD", {pci_reader, path + "/vendor"});
    offer_parsed(root, path + "/device", pci_reader, gpu.pci_device_id, hexadecimal(4));
    offer_parsed(root, path + "/revision", pci_reader, gpu.pci_revision, hexadecimal(2));
    offer_subsystem(root, path, gpu.pci_subsystem_id);
    offer_driver(root, path, gpu.driver);
    offer_numa(root, path, gpu);
    offer_text(root, path + "/local_cpulist", pci_reader, gpu.local_cpus);
    offer_text(root, path + "/power_state", pci_reader, gpu.power_state);
    offer_text(root, path + "/power/runtime_status", pci_reader, gpu.runtime_status);
    read_links(root, path, wake, gpu);
    auto const chain = bridge_chain(path);
    offer_aer(root, chain, "aer_dev_correctable", "TOTAL_ERR_COR", gpu.aer_correctable);
    offer_aer(root, chain, "aer_dev_nonfatal", "TOTAL_ERR_NONFATAL", gpu.aer_nonfatal);
    offer_aer(root, chain, "aer_dev_fatal", "TOTAL_ERR_FATAL", gpu.aer_fatal);
    offer_iommu(root, path, gpu);
    offer_parsed(root, path + "/boot_vga", pci_reader, gpu.boot_display,
                 [](std::string_view text) -> std::optional<bool> {
                     if (text != "0" && text != "1") return std::nullopt;
                     return text == "1";
                 });
}

/// A row that only KFD knows: its function is not on the bus that this process sees.
void miss_function(Answer<std::vector<std::string>> const& functions, Gpu& gpu) {
    auto const reason = functions ? Missing::absent : functions.reason;
    auto const why = functions ? "the PCI bus does not list it" : functions.detail;
    auto const miss_each = [&](auto&... facts) { (facts.miss(reason, why), ...); };
    miss_each(gpu.sysfs_path, gpu.vendor, gpu.pci_device_id, gpu.pci_revision, gpu.pci_subsystem_id,
              gpu.driver, gpu.numa_node, gpu.local_cpus, gpu.power_state, gpu.runtime_status,
              gpu.link_current_gt_per_s, gpu.link_max_gt_per_s, gpu.link_current_width,
              gpu.link_max_width, gpu.link_limited_by, gpu.aer_correctable, gpu.aer_nonfatal,
              gpu.aer_fatal, gpu.iommu_group, gpu.iommu_type, gpu.boot_display);
}

// ---- joining functions and rows -----------------------------------------------------------------

/// Rows of a function: those that KFD places there, or the partition whose number its function
/// bits carry, if it has no sysfs directory of its own yet.
std::vector<Gpu*> rows_of(Host& host, PciAddress const& address) {
    std::vector<Gpu*> rows;
    for (auto& gpu : host.gpus) {
        if (gpu.sysfs_path || !gpu.pci_address) continue;
        bool const card = *gpu.pci_address == address.text();
        bool const partition = address.function != 0 && gpu.partition_count.value_or(1) > 1 &&
                               *gpu.pci_address == address.card().text() &&
                               gpu.partition_index.value_or(0) == address.function;
        if (card || partition) rows.push_back(&gpu);
    }
    return rows;
}

/// A GPU without a readable KFD node: says why, so that no later reader has to guess.
Gpu& add_row(Host& host, PciAddress const& address, std::string const& path) {
    auto& gpu = host.gpus.emplace_back();
    gpu.pci_address.offer(address.text(), {pci_reader, path});
    gpu.partition_index.offer(0, {pci_reader, path});
    auto reason = Missing::absent;
    std::string detail = "KFD has no node for this device";
    if (!host.kfd_nodes) {
        reason = host.kfd_nodes.reason();
        detail = host.kfd_nodes.detail();
    } else if (std::any_of(host.kfd_nodes->begin(), host.kfd_nodes->end(), [](KfdNode const& node) {
                   return node.kind == "gpu" && node.problem;
               })) {
        reason = Missing::denied;
        detail = "a KFD node is hidden from this process (device cgroup)";
    }
    for (auto* fact : {&gpu.kfd_node, &gpu.gpu_id, &gpu.compute_units, &gpu.simd_count,
                       &gpu.shader_arrays, &gpu.xcc_count, &gpu.max_waves_per_simd, &gpu.lds_bytes,
                       &gpu.l2_cache_bytes, &gpu.last_level_cache_bytes, &gpu.max_engine_clock_mhz,
                       &gpu.sdma_engines, &gpu.sdma_xgmi_engines, &gpu.compute_queues,
                       &gpu.compute_memory_bytes, &gpu.memory_bus_width_bits,
                       &gpu.memory_clock_max_mhz, &gpu.simd_per_cu, &gpu.wavefront_size})
        fact->miss(reason, detail);
    for (auto* fact : {&gpu.memory_ecc, &gpu.sram_ecc, &gpu.coherent_host_access})
        fact->miss(reason, detail);
    for (auto* fact : {&gpu.gfx_target, &gpu.xgmi_hive_id, &gpu.unique_id})
        fact->miss(reason, detail);
    return gpu;
}

void offer_target_by_id(ChipSet const& chips, Gpu& gpu) {
    if (gpu.gfx_target || !gpu.pci_device_id) return;
    auto const device = static_cast<std::uint16_t>(to_unsigned(*gpu.pci_device_id).value_or(0));
    if (auto const* chip = chips.chip_of_device(device))
        gpu.gfx_target.offer(std::string(chip->gfx_target),
                             {"profile", "PCI device id " + *gpu.pci_device_id});
}

}  // namespace

void read_pci(ProbeContext const& context, Host& host) {
    auto const& root = context.root;
    auto const functions = root.list(bus);
    if (functions) host.pci_functions.offer(functions->size(), {pci_reader, std::string(bus)});
    else miss(host.pci_functions, functions);
    auto names = functions.value.value_or(std::vector<std::string>{});
    // Functions above 0 first: they may be the directory of one partition, function 0 is that of
    // every partition without one.
    std::sort(names.begin(), names.end(), [](auto const& a, auto const& b) {
        return std::pair(a.ends_with(".0"), std::string_view(a)) <
               std::pair(b.ends_with(".0"), std::string_view(b));
    });
    for (auto const& name : names) {
        auto const address = parse_pci_address(name);
        if (!address || !is_gpu(root, std::string(bus) + name)) continue;
        auto const path =
            root.resolve(std::string(bus) + name).value.value_or(std::string(bus) + name);
        auto rows = rows_of(host, *address);
        if (rows.empty()) rows.push_back(&add_row(host, *address, path));
        for (auto* gpu : rows) {
            read_function(root, path, context.options.wake, *gpu);
            offer_target_by_id(chips_of(context), *gpu);
        }
    }
    for (auto& gpu : host.gpus)
        if (!gpu.sysfs_path) miss_function(functions, gpu);
    read_acs(root, host);
}

}  // namespace rocmtune
