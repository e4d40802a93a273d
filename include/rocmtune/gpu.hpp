// SPDX-License-Identifier: MIT
// Gpu: what is known of one device. A fact is added as a member and a line of visit_fields here,
// and in the reader that offers it; JSON, text, schema and man page follow from the list.
#pragma once

#include "rocmtune/records.hpp"

namespace rocmtune {

using Text = Fact<std::string>;
using Number = Fact<std::uint64_t>;
using Real = Fact<double>;
using Flag = Fact<bool>;
using Names = Fact<std::vector<std::string>>;

/// One row of the device map: a GPU, or one partition of a partitioned GPU.
struct Gpu {
    Gpu();
    Gpu(Gpu const&);
    Gpu(Gpu&&) noexcept;
    Gpu& operator=(Gpu const&);
    Gpu& operator=(Gpu&&) noexcept;
    ~Gpu();

    // Which device.
    Number row;
    Text vendor, pci_address, marketing_name, gfx_target, gfx_target_reported, family;
    Text target_id, uuid, unique_id, pci_device_id, pci_revision, pci_subsystem_id, product_name,
        serial_number;
    Flag is_apu;
    Text module;
    Number partition_index, partition_count;
    Text compute_partition, memory_partition;
    Names compute_partitions_available, memory_partitions_available;
    // How it is called elsewhere.
    Number kfd_node, gpu_id, hip_index, rocr_index, smi_index;
    Text drm_card, render_node, sysfs_path;
    Fact<DeviceNode> render_access;
    Text driver;
    // What it can do.
    Number compute_units, simd_count, simd_per_cu, shader_arrays, xcc_count, wavefront_size;
    Number max_waves_per_simd, lds_bytes, l2_cache_bytes, last_level_cache_bytes;
    Number max_engine_clock_mhz, sdma_engines, sdma_xgmi_engines, compute_queues;
    Flag memory_ecc, sram_ecc, coherent_host_access;
    // Memory.
    Number vram_bytes, vram_used_bytes, visible_vram_bytes, visible_vram_used_bytes;
    Number gtt_bytes, gtt_used_bytes, compute_memory_bytes, memory_bus_width_bits;
    Number memory_clock_max_mhz, memory_bandwidth_bytes_per_s;
    Text memory_type, vram_vendor;
    // Place and links.
    Fact<std::int64_t> numa_node;
    Text local_cpus, xgmi_hive_id;
    Number link_current_width, link_max_width;
    Real link_current_gt_per_s, link_max_gt_per_s;
    Text link_limited_by;
    Number pcie_replay_count, aer_correctable, aer_nonfatal, aer_fatal;
    Text iommu_group, iommu_type;
    Flag drives_display, boot_display;
    // Firmware.
    Text vbios_version;
    Fact<std::map<std::string, std::string>> firmware;
    Names firmware_missing;
    // State now.
    Text power_state, runtime_status, performance_level;
    Number busy_percent, memory_busy_percent;
    Fact<std::vector<ClockDomain>> clocks;
    Fact<std::vector<Temperature>> temperatures;
    Real power_watts, power_cap_watts, power_cap_default_watts, power_cap_min_watts;
    Real power_cap_max_watts, graphics_voltage_volts;
    Number fan_rpm;
    Text metrics_revision;
    Fact<std::map<std::string, double>> metrics;
    Names throttle_reasons;
    // Reliability.
    Text ras_features;
    Fact<std::vector<RasBlock>> ras_blocks;
    Number bad_pages_retired, bad_pages_pending, bad_pages_unreservable, xgmi_errors;
};

template <SameEntity<Gpu> Self, class Visitor>
void visit_fields(Self& gpu, Visitor&& v) {  // NOLINT(readability-function-size): one line a field
    using enum FactKind;
    v(FactField{"row", identity,
                "position in the list that probe prints: PCI order, independent of masks"},
      gpu.row);
    v(FactField{"vendor", hardware, "who made the GPU"}, gpu.vendor);
    v(FactField{"pci_address", identity,
                "domain:bus:device.function of the card, function 0 for a partition",
                "kfd pci hsa rocm_smi hip amd_smi"},
      gpu.pci_address);
    v(FactField{"marketing_name", hardware, "the name it is sold under"}, gpu.marketing_name);
    v(FactField{"gfx_target", hardware, "instruction set the hardware has", "kfd profile hsa hip"},
      gpu.gfx_target);
    v(FactField{"gfx_target_reported", setting,
                "instruction set a runtime reports, under overrides", "hip hsa"},
      gpu.gfx_target_reported);
    v(FactField{"target_id", setting,
                "target with its modes as HIP compiles for it (gfx90a:sramecc+:xnack-)"},
      gpu.target_id);
    v(FactField{"family", hardware, "architecture family (GCN5, CDNA1-4, RDNA1-4)"}, gpu.family);
    v(FactField{"uuid", identity, "GPU-... identifier that the runtimes use", "hsa hip"}, gpu.uuid);
    v(FactField{"unique_id", identity, "identifier of the chip, hexadecimal",
                "drm kfd hsa hip rocm_smi"},
      gpu.unique_id);
    v(FactField{"pci_device_id", hardware, "PCI device id", "pci kfd"}, gpu.pci_device_id);
    v(FactField{"pci_revision", hardware, "PCI revision: one device id covers several products"},
      gpu.pci_revision);
    v(FactField{"pci_subsystem_id", hardware, "PCI subsystem vendor:device, the board maker's own"},
      gpu.pci_subsystem_id);
    v(FactField{"product_name", hardware, "name in the board's own memory"}, gpu.product_name);
    v(FactField{"serial_number", identity, "serial number of the board"}, gpu.serial_number);
    v(FactField{"is_apu", hardware, "whether it shares the processor's memory"}, gpu.is_apu);
    v(FactField{"module", identity, "equal for all rows of one physical card"}, gpu.module);
    v(FactField{"partition_index", identity, "which partition of the card this row is"},
      gpu.partition_index);
    v(FactField{"partition_count", hardware, "partitions of the card that this host sees"},
      gpu.partition_count);
    v(FactField{"compute_partition", setting, "compute partition mode (SPX, DPX, TPX, QPX, CPX)"},
      gpu.compute_partition);
    v(FactField{"memory_partition", setting, "memory partition mode (NPS1, NPS2, NPS4, NPS8)"},
      gpu.memory_partition);
    v(FactField{"compute_partitions_available", hardware,
                "compute partition modes it can be set to"},
      gpu.compute_partitions_available);
    v(FactField{"memory_partitions_available", hardware, "memory partition modes it can be set to"},
      gpu.memory_partitions_available);

    v(FactField{"kfd_node", identity, "node in the KFD topology"}, gpu.kfd_node);
    v(FactField{"gpu_id", identity, "identifier that KFD gives it"}, gpu.gpu_id);
    v(FactField{"hip_index", identity, "device number in HIP under the current masks", "hip"},
      gpu.hip_index);
    v(FactField{"rocr_index", identity, "agent number in ROCr under the current masks", "hsa"},
      gpu.rocr_index);
    v(FactField{"smi_index", identity, "number in ROCm SMI, or in AMD SMI where only that answers",
                "rocm_smi"},
      gpu.smi_index);
    v(FactField{"drm_card", identity, "DRM card (card1)"}, gpu.drm_card);
    v(FactField{"render_node", identity, "DRM render node (renderD128)", "drm kfd"},
      gpu.render_node);
    v(FactField{"sysfs_path", identity, "its device directory in sysfs"}, gpu.sysfs_path);
    v(FactField{"render_access", setting, "the render node, and whether this process may use it"}
          .record("usable error mode"),
      gpu.render_access);
    v(FactField{"driver", software, "kernel driver bound to it"}, gpu.driver);

    v(FactField{"compute_units", hardware, "compute units", "kfd hsa hip"}, gpu.compute_units);
    v(FactField{"simd_count", hardware, "SIMD units"}, gpu.simd_count);
    v(FactField{"simd_per_cu", hardware, "SIMD units in a compute unit"}, gpu.simd_per_cu);
    v(FactField{"shader_arrays", hardware, "shader arrays"}, gpu.shader_arrays);
    v(FactField{"xcc_count", hardware, "compute dies (XCC) of this row"}, gpu.xcc_count);
    v(FactField{"wavefront_size", hardware, "lanes of a wavefront by default", "kfd hsa hip"},
      gpu.wavefront_size);
    v(FactField{"max_waves_per_simd", hardware, "wavefronts that a SIMD can hold"},
      gpu.max_waves_per_simd);
    v(FactField{"lds_bytes", hardware, "local data share of a workgroup processor or compute unit"},
      gpu.lds_bytes);
    v(FactField{"l2_cache_bytes", hardware, "level-2 cache, all of it"}, gpu.l2_cache_bytes);
    v(FactField{"last_level_cache_bytes", hardware,
                "largest cache level (Infinity Cache where there is one)"},
      gpu.last_level_cache_bytes);
    v(FactField{"max_engine_clock_mhz", hardware, "highest engine clock that KFD states"},
      gpu.max_engine_clock_mhz);
    v(FactField{"sdma_engines", hardware, "DMA engines"}, gpu.sdma_engines);
    v(FactField{"sdma_xgmi_engines", hardware, "DMA engines meant for XGMI"},
      gpu.sdma_xgmi_engines);
    v(FactField{"compute_queues", hardware, "hardware compute queues"}, gpu.compute_queues);
    v(FactField{"memory_ecc", setting, "error correction of device memory is on"}, gpu.memory_ecc);
    v(FactField{"sram_ecc", setting, "error correction of on-chip memory is on"}, gpu.sram_ecc);
    v(FactField{"coherent_host_access", hardware, "the host reads its memory coherently"},
      gpu.coherent_host_access);

    v(FactField{"vram_bytes", hardware, "device memory (the carve-out on an APU)",
                "drm kfd rocm_smi hip amd_smi"}
          .within(memory_tolerance),
      gpu.vram_bytes);
    v(FactField{"vram_used_bytes", state, "device memory in use"}, gpu.vram_used_bytes);
    v(FactField{"visible_vram_bytes", hardware,
                "device memory that the processor can address directly"}
          .within(memory_tolerance),
      gpu.visible_vram_bytes);
    v(FactField{"visible_vram_used_bytes", state, "of that, in use"}, gpu.visible_vram_used_bytes);
    v(FactField{"gtt_bytes", setting, "host memory that the GPU may map"}.within(memory_tolerance),
      gpu.gtt_bytes);
    v(FactField{"gtt_used_bytes", state, "of that, in use"}, gpu.gtt_used_bytes);
    v(FactField{"compute_memory_bytes", hardware, "memory that KFD offers to compute programs"}
          .within(memory_tolerance),
      gpu.compute_memory_bytes);
    v(FactField{"memory_bus_width_bits", hardware, "width of the memory bus"},
      gpu.memory_bus_width_bits);
    v(FactField{"memory_clock_max_mhz", hardware, "highest memory clock"},
      gpu.memory_clock_max_mhz);
    v(FactField{"memory_type", hardware,
                "kind of its memory (HBM2, HBM2e, HBM3, HBM3E, GDDR6, LPDDR5X)"},
      gpu.memory_type);
    v(FactField{"memory_bandwidth_bytes_per_s", hardware,
                "published memory bandwidth of the product, of all partitions together"},
      gpu.memory_bandwidth_bytes_per_s);
    v(FactField{"vram_vendor", hardware, "maker of the memory chips"}, gpu.vram_vendor);

    v(FactField{"numa_node", identity, "NUMA node it is attached to"}, gpu.numa_node);
    v(FactField{"local_cpus", identity, "logical CPUs near it"}, gpu.local_cpus);
    v(FactField{"xgmi_hive_id", identity, "equal for GPUs joined by XGMI, hexadecimal", "drm kfd"},
      gpu.xgmi_hive_id);
    v(FactField{"link_current_width", hardware, "PCIe lanes in use: minimum over the bridge chain"},
      gpu.link_current_width);
    v(FactField{"link_max_width", hardware, "PCIe lanes possible: minimum over the bridge chain"},
      gpu.link_max_width);
    v(FactField{"link_current_gt_per_s", state,
                "PCIe transfer rate per lane now, minimum over the chain"},
      gpu.link_current_gt_per_s);
    v(FactField{"link_max_gt_per_s", hardware,
                "PCIe transfer rate per lane possible, minimum over the chain"},
      gpu.link_max_gt_per_s);
    v(FactField{"link_limited_by", identity, "device whose link is the narrowest of the chain now"},
      gpu.link_limited_by);
    v(FactField{"pcie_replay_count", health, "PCIe packets sent again since the driver was loaded"},
      gpu.pcie_replay_count);
    v(FactField{"aer_correctable", health, "PCIe errors corrected, at it and its bridges"},
      gpu.aer_correctable);
    v(FactField{"aer_nonfatal", health,
                "PCIe errors not corrected, not fatal, at it and its bridges"},
      gpu.aer_nonfatal);
    v(FactField{"aer_fatal", health, "fatal PCIe errors, at it and its bridges"}, gpu.aer_fatal);
    v(FactField{"iommu_group", identity, "IOMMU group"}, gpu.iommu_group);
    v(FactField{"iommu_type", setting, "how the IOMMU treats it (identity, DMA, DMA-FQ, ...)"},
      gpu.iommu_type);
    v(FactField{"drives_display", setting, "a connected display hangs on it"}, gpu.drives_display);
    v(FactField{"boot_display", setting, "the firmware showed its screen on it"}, gpu.boot_display);

    v(FactField{"vbios_version", firmware, "version of the video BIOS"}, gpu.vbios_version);
    v(FactField{"firmware", firmware, "firmware versions by component"}, gpu.firmware);
    v(FactField{"firmware_missing", software,
                "files that the driver loads into this chip and that no folder of firmware has"},
      gpu.firmware_missing);

    v(FactField{"power_state", state, "PCI power state (D0, D3hot, D3cold)"}, gpu.power_state);
    v(FactField{"runtime_status", state, "runtime power management (active, suspended)"},
      gpu.runtime_status);
    v(FactField{"performance_level", setting,
                "forced performance level (auto, low, high, manual, ...)"},
      gpu.performance_level);
    v(FactField{"busy_percent", state, "share of time the GPU was busy"}, gpu.busy_percent);
    v(FactField{"memory_busy_percent", state, "share of time the memory controller was busy"},
      gpu.memory_busy_percent);
    v(FactField{"clocks", setting, "clock domains with their levels"}.records("name", "levels_mhz"),
      gpu.clocks);
    v(FactField{"temperatures", hardware, "temperature sensors"}.records(
          "name", "critical_celsius emergency_celsius"),
      gpu.temperatures);
    v(FactField{"power_watts", state, "power drawn"}, gpu.power_watts);
    v(FactField{"power_cap_watts", setting, "power limit"}, gpu.power_cap_watts);
    v(FactField{"power_cap_default_watts", firmware, "power limit as shipped"},
      gpu.power_cap_default_watts);
    v(FactField{"power_cap_min_watts", firmware, "lowest power limit that can be set"},
      gpu.power_cap_min_watts);
    v(FactField{"power_cap_max_watts", firmware, "highest power limit that can be set"},
      gpu.power_cap_max_watts);
    v(FactField{"graphics_voltage_volts", state, "voltage of the graphics core"},
      gpu.graphics_voltage_volts);
    v(FactField{"fan_rpm", state, "fan speed in turns a minute"}, gpu.fan_rpm);
    v(FactField{"metrics_revision", firmware, "layout of the driver's gpu_metrics block"},
      gpu.metrics_revision);
    v(FactField{"metrics", state, "figures of the gpu_metrics block, unit in the name"},
      gpu.metrics);
    v(FactField{"throttle_reasons", state, "limits that hold the clocks down now"},
      gpu.throttle_reasons);

    v(FactField{"ras_features", firmware, "RAS feature mask, hexadecimal"}, gpu.ras_features);
    v(FactField{"ras_blocks", health, "error counters by hardware block"}.records(
          "name", "uncorrectable correctable deferred"),
      gpu.ras_blocks);
    v(FactField{"bad_pages_retired", health, "memory pages taken out of use"},
      gpu.bad_pages_retired);
    v(FactField{"bad_pages_pending", health, "memory pages to be retired at the next reset"},
      gpu.bad_pages_pending);
    v(FactField{"bad_pages_unreservable", health, "bad memory pages that could not be retired"},
      gpu.bad_pages_unreservable);
    v(FactField{"xgmi_errors", health, "XGMI link error status"}, gpu.xgmi_errors);
}

}  // namespace rocmtune
