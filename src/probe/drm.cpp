// SPDX-License-Identifier: MIT
// The DRM side of a GPU: card and render node, memory, identity and versions. Nothing read here
// wakes a suspended GPU: the driver answers from its own memory.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/host.hpp"
#include "probe/parsers.hpp"
#include "probe/reader.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view drm_reader = "drm";

/// A partition's own device (a platform device amdgpu_xcp_N, Linux 6.5 and later) hangs on its
/// render node; other rows use their PCI function.
/// Nothing if a partition's own is not there: the card's nodes are those of its partition 0.
std::string device_path(HostRoot const& root, Gpu const& gpu) {
    if (gpu.partition_index.value_or(0) == 0) return gpu.sysfs_path.value_or("");
    if (!gpu.render_node) return {};
    return root.resolve(fmt::format("/sys/class/drm/{}/device", *gpu.render_node))
        .value.value_or("");
}

void offer_nodes(HostRoot const& root, std::string const& device, Gpu& gpu) {
    auto const directory = device + "/drm";
    auto const names = root.list(directory);
    if (!names) {
        gpu.drm_card.miss(names.reason, names.detail);
        return gpu.render_node.miss(names.reason, names.detail);
    }
    for (auto const& name : *names) {
        if (name.starts_with("card") && !gpu.drm_card)
            gpu.drm_card.offer(name, {drm_reader, directory});
        if (name.starts_with("renderD")) gpu.render_node.offer(name, {drm_reader, directory});
    }
    if (!gpu.drm_card) gpu.drm_card.miss(Missing::absent, directory + ": no card");
    if (!gpu.render_node) gpu.render_node.miss(Missing::absent, directory + ": no render node");
}

/// Connectors are named cardN-TYPE-N below the card; status is connected, disconnected or unknown.
void offer_displays(HostRoot const& root, std::string const& device, Gpu& gpu) {
    if (!gpu.drm_card) return gpu.drives_display.miss(gpu.drm_card.reason(), gpu.drm_card.detail());
    auto const card = fmt::format("{}/drm/{}", device, *gpu.drm_card);
    auto const names = root.list(card);
    if (!names) return miss(gpu.drives_display, names);
    bool connected = false;
    for (auto const& name : *names)
        if (name.starts_with(*gpu.drm_card + '-'))
            connected |= root.read(fmt::format("{}/{}/status", card, name)).value == "connected";
    gpu.drives_display.offer(connected, {drm_reader, card});
}

struct NumberRow {
    std::string_view attribute;
    Number Gpu::*fact;
};

/// Documentation/gpu/amdgpu/driver-misc.rst, "GPU Memory Usage Information"; bytes.
constexpr NumberRow memory_rows[] = {
    {"mem_info_vram_total", &Gpu::vram_bytes},
    {"mem_info_vram_used", &Gpu::vram_used_bytes},
    {"mem_info_vis_vram_total", &Gpu::visible_vram_bytes},
    {"mem_info_vis_vram_used", &Gpu::visible_vram_used_bytes},
    {"mem_info_gtt_total", &Gpu::gtt_bytes},
    {"mem_info_gtt_used", &Gpu::gtt_used_bytes},
};

struct TextRow {
    std::string_view attribute;
    Text Gpu::*fact;
};

constexpr TextRow text_rows[] = {
    {"vbios_version", &Gpu::vbios_version},
    {"mem_info_vram_vendor", &Gpu::vram_vendor},
    {"product_name", &Gpu::product_name},
    {"serial_number", &Gpu::serial_number},
};

constexpr TextRow mode_rows[] = {
    {"current_compute_partition", &Gpu::compute_partition},
    {"current_memory_partition", &Gpu::memory_partition},
};

/// "SPX" to "CPX", "NPS1" to "NPS8" (Linux amdgpu_xcp.c, amdgpu_gmc.c), which also print UNKNOWN.
void offer_mode(HostRoot const& root, std::string const& path, Text& fact) {
    static constexpr std::array<std::string_view, 9> modes{"SPX",  "DPX",  "TPX",  "QPX", "CPX",
                                                           "NPS1", "NPS2", "NPS4", "NPS8"};
    auto const known = [](std::string_view text) -> std::optional<std::string> {
        bool const is_mode = std::find(modes.begin(), modes.end(), text) != modes.end();
        return is_mode ? std::optional(std::string(text)) : std::nullopt;
    };
    if (root.read(path).value == "UNKNOWN")
        return fact.miss(Missing::unsupported, path + ": the driver does not know it");
    offer_parsed(root, path, drm_reader, fact, known);
}

void offer_hexadecimal(HostRoot const& root, std::string const& path, Text& fact) {
    offer_parsed(root, path, drm_reader, fact,
                 [](std::string_view text) -> std::optional<std::string> {
                     if (text.starts_with("0x")) text.remove_prefix(2);
                     auto const number = to_unsigned(text, 16);
                     if (!number) return std::nullopt;
                     return fmt::format("{:016x}", *number);
                 });
}

/// xgmi_hive_id is decimal here (amdgpu_xgmi.c prints %llu), 0 stands for none.
void offer_hive(HostRoot const& root, std::string const& path, Text& fact) {
    auto const text = root.read(path);
    auto const id = text ? to_unsigned(*text, 10) : std::nullopt;
    if (id && *id != 0) fact.offer(fmt::format("{:016x}", *id), {drm_reader, path});
}

/// "SPX, DPX, CPX": a comma list.
void offer_modes(HostRoot const& root, std::string const& path, Names& fact) {
    offer_parsed(root, path, drm_reader, fact,
                 [](std::string_view text) -> std::optional<std::vector<std::string>> {
                     std::vector<std::string> modes;
                     for (auto const part : split(text, ',')) modes.emplace_back(trim(part));
                     if (text.empty()) return std::nullopt;
                     return modes;
                 });
}

/// Older kernels have no attribute for the firmware of the compute scheduler; only debugfs tells it
/// there, to root. Returns why it is not known, if that is so.
std::optional<std::string> add_scheduler_firmware(HostRoot const& root, Gpu const& gpu,
                                                  std::map<std::string, std::string>& versions) {
    auto const target = gpu.gfx_target.value_or("");
    bool const has_scheduler = target.starts_with("gfx11") || target.starts_with("gfx12");
    auto const node = gpu.render_node.value_or("");
    if (!has_scheduler || versions.contains("mes") || !node.starts_with("renderD") ||
        is_asleep(gpu))
        return std::nullopt;
    auto const path = fmt::format("/sys/kernel/debug/dri/{}/amdgpu_firmware_info",
                                  node.substr(std::string_view("renderD").size()));
    auto const text = root.read(path);
    if (text) versions.merge(scheduler_firmware_in(*text));
    return text.reason == Missing::denied ? std::optional(path) : std::nullopt;
}

/// fw_version/<component>_fw_version; 0x00000000 means that the chip has no such firmware.
void offer_firmware(HostRoot const& root, std::string const& device, Gpu& gpu) {
    constexpr std::string_view suffix = "_fw_version";
    auto const directory = device + "/fw_version";
    auto const names = root.list(directory);
    if (!names) return miss(gpu.firmware, names);
    auto versions = gpu.firmware.value_or({});
    std::string odd;
    for (auto const& name : *names) {
        if (!name.ends_with(suffix)) continue;
        auto const text = root.read(directory + '/' + name);
        auto const version = text ? to_unsigned(*text) : std::nullopt;
        if (text && !version) odd = directory + '/' + name;
        if (version.value_or(0) != 0)
            versions[name.substr(0, name.size() - suffix.size())] = fmt::format("{:#x}", *version);
    }
    auto const hidden = add_scheduler_firmware(root, gpu, versions);
    Fact<std::map<std::string, std::string>> all;
    if (versions.empty()) all.miss(Missing::absent, directory + ": no versions");
    else all.offer(std::move(versions), {drm_reader, directory});
    if (hidden) all.limit(Missing::denied, *hidden);
    if (!odd.empty()) all.miss(Missing::invalid, odd), all.limit(Missing::invalid, odd);
    gpu.firmware = std::move(all);
}

void read_device(HostRoot const& root, std::string const& device, Gpu& gpu) {
    for (auto const& row : memory_rows)
        offer_unsigned(root, fmt::format("{}/{}", device, row.attribute), drm_reader,
                       gpu.*row.fact);
    for (auto const& row : text_rows)
        offer_text(root, fmt::format("{}/{}", device, row.attribute), drm_reader, gpu.*row.fact);
    for (auto const& row : mode_rows)
        offer_mode(root, fmt::format("{}/{}", device, row.attribute), gpu.*row.fact);
    // Of a partitioned card this file is one partition's own; KFD (Linux 7.2) has one for each.
    if (gpu.partition_index.value_or(0) == 0)
        offer_hexadecimal(root, device + "/unique_id", gpu.unique_id);
    offer_hive(root, device + "/xgmi_hive_info/xgmi_hive_id", gpu.xgmi_hive_id);
    offer_modes(root, device + "/available_compute_partition", gpu.compute_partitions_available);
    offer_modes(root, device + "/available_memory_partition", gpu.memory_partitions_available);
    offer_firmware(root, device, gpu);
}

/// Without a partition, KFD offers compute programs the whole device memory; on an APU it offers
/// host memory instead (Linux 7.2 kfd_topology.c), which is no statement about the carve-out.
void offer_kfd_memory(Gpu& gpu) {
    if (gpu.compute_memory_bytes && gpu.is_apu.value() == false)
        gpu.vram_bytes.offer(*gpu.compute_memory_bytes, gpu.compute_memory_bytes.source());
}

/// A partition shares the card's memory file: its own share is what KFD gives it.
void offer_partition_memory(Gpu& gpu) {
    if (gpu.compute_memory_bytes)
        gpu.vram_bytes.offer(*gpu.compute_memory_bytes, gpu.compute_memory_bytes.source());
    for (auto const& row : memory_rows)
        (gpu.*row.fact).miss(Missing::unsupported, "counted for the whole card only");
}

void read_nodes(HostRoot const& root, Gpu& gpu) {
    auto const device = device_path(root, gpu);
    if (device.empty()) {
        bool const partition = gpu.partition_index.value_or(0) != 0;
        auto const reason = partition ? Missing::absent : gpu.sysfs_path.reason();
        for (auto* fact : {&gpu.drm_card, &gpu.render_node})
            fact->miss(reason, partition ? "the partition has no DRM device of its own"
                                         : "no device directory");
        return gpu.drives_display.miss(reason, gpu.drm_card.detail());
    }
    offer_nodes(root, device, gpu);
    offer_displays(root, device, gpu);
}

/// KFD may know a device that has no directory on the PCI bus (a partial capture).
void miss_device(Gpu& gpu) {
    auto const reason = gpu.sysfs_path.reason();
    auto const why = "no device directory";
    for (auto const& row : memory_rows) (gpu.*row.fact).miss(reason, why);
    for (auto const& row : text_rows) (gpu.*row.fact).miss(reason, why);
    for (auto const& row : mode_rows) (gpu.*row.fact).miss(reason, why);
    gpu.compute_partitions_available.miss(reason, why);
    gpu.memory_partitions_available.miss(reason, why);
    gpu.firmware.miss(reason, why);
    offer_kfd_memory(gpu);
}

/// One of several rows of its card, or the only one of them that this process sees.
bool shares_card(Gpu const& gpu) {
    if (gpu.partition_count.value_or(1) > 1 || gpu.partition_index.value_or(0) != 0) return true;
    return gpu.kfd_node && gpu.compute_partition && *gpu.compute_partition != "SPX";
}

}  // namespace

std::map<std::string, std::string> scheduler_firmware_in(std::string_view text) {
    constexpr std::string_view before = "firmware version: ";
    std::map<std::string, std::string> versions;
    for (auto const line : lines(text)) {
        auto const name = line.substr(0, line.find(' '));
        auto const at = line.find(before);
        if ((name != "MES" && name != "MES_KIQ") || at == line.npos) continue;
        auto const rest = words(line.substr(at + before.size()));
        auto const version = rest.empty() ? std::nullopt : to_unsigned(rest.front());
        if (version.value_or(0) != 0) versions[lower(name)] = fmt::format("{:#x}", *version);
    }
    return versions;
}

void read_drm(ProbeContext const& context, Host& host) {
    auto const& root = context.root;
    for (auto& gpu : host.gpus) {
        read_nodes(root, gpu);
        if (!gpu.sysfs_path) {
            miss_device(gpu);
            continue;
        }
        read_device(root, *gpu.sysfs_path, gpu);
        offer_kfd_memory(gpu);
        if (!shares_card(gpu)) continue;
        Number const none;
        for (auto const& row : memory_rows) gpu.*row.fact = none;
        offer_partition_memory(gpu);
    }
}

}  // namespace rocmtune
