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
    Number memory_clock_max_mhz;
    Text vram_vendor;
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
    v(Field{"row", "position in the list that probe prints: PCI order, independent of masks"},
      gpu.row);
    v(Field{"vendor", "who made the GPU"}, gpu.vendor);
    v(Field{"pci_address", "domain:bus:device.function of the card, function 0 for a partition",
            "kfd pci hsa rocm_smi hip amd_smi"},
      gpu.pci_address);
    v(Field{"marketing_name", "the name it is sold under"}, gpu.marketing_name);
    v(Field{"gfx_target", "instruction set the hardware has", "kfd profile hsa hip"},
      gpu.gfx_target);
    v(Field{"gfx_target_reported", "instruction set a runtime reports, under overrides", "hip hsa"},
      gpu.gfx_target_reported);
    v(Field{"target_id", "target with its modes as HIP compiles for it (gfx90a:sramecc+:xnack-)"},
      gpu.target_id);
    v(Field{"family", "architecture family (GCN5, CDNA1-4, RDNA1-4)"}, gpu.family);
    v(Field{"uuid", "GPU-... identifier that the runtimes use", "hsa hip"}, gpu.uuid);
    v(Field{"unique_id", "identifier of the chip, hexadecimal", "drm kfd hsa hip rocm_smi"},
      gpu.unique_id);
    v(Field{"pci_device_id", "PCI device id", "pci kfd"}, gpu.pci_device_id);
    v(Field{"pci_revision", "PCI revision: one device id covers several products"},
      gpu.pci_revision);
    v(Field{"pci_subsystem_id", "PCI subsystem vendor:device, the board maker's own"},
      gpu.pci_subsystem_id);
    v(Field{"product_name", "name in the board's own memory"}, gpu.product_name);
    v(Field{"serial_number", "serial number of the board"}, gpu.serial_number);
    v(Field{"is_apu", "whether it shares the processor's memory"}, gpu.is_apu);
    v(Field{"module", "equal for all rows of one physical card"}, gpu.module);
    v(Field{"partition_index", "which partition of the card this row is"}, gpu.partition_index);
    v(Field{"partition_count", "partitions of the card that this host sees"}, gpu.partition_count);
    v(Field{"compute_partition", "compute partition mode (SPX, DPX, TPX, QPX, CPX)"},
      gpu.compute_partition);
    v(Field{"memory_partition", "memory partition mode (NPS1, NPS2, NPS4, NPS8)"},
      gpu.memory_partition);
    v(Field{"compute_partitions_available", "compute partition modes it can be set to"},
      gpu.compute_partitions_available);
    v(Field{"memory_partitions_available", "memory partition modes it can be set to"},
      gpu.memory_partitions_available);

    v(Field{"kfd_node", "node in the KFD topology"}, gpu.kfd_node);
    v(Field{"gpu_id", "identifier that KFD gives it"}, gpu.gpu_id);
    v(Field{"hip_index", "device number in HIP under the current masks", "hip"}, gpu.hip_index);
    v(Field{"rocr_index", "agent number in ROCr under the current masks", "hsa"}, gpu.rocr_index);
    v(Field{"smi_index", "number in ROCm SMI, or in AMD SMI where only that answers", "rocm_smi"},
      gpu.smi_index);
    v(Field{"drm_card", "DRM card (card1)"}, gpu.drm_card);
    v(Field{"render_node", "DRM render node (renderD128)", "drm kfd"}, gpu.render_node);
    v(Field{"sysfs_path", "its device directory in sysfs"}, gpu.sysfs_path);
    v(Field{"render_access", "the render node, and whether this process may use it"},
      gpu.render_access);
    v(Field{"driver", "kernel driver bound to it"}, gpu.driver);

    v(Field{"compute_units", "compute units", "kfd hsa hip"}, gpu.compute_units);
    v(Field{"simd_count", "SIMD units"}, gpu.simd_count);
    v(Field{"simd_per_cu", "SIMD units in a compute unit"}, gpu.simd_per_cu);
    v(Field{"shader_arrays", "shader arrays"}, gpu.shader_arrays);
    v(Field{"xcc_count", "compute dies (XCC) of this row"}, gpu.xcc_count);
    v(Field{"wavefront_size", "lanes of a wavefront by default", "kfd hsa hip"},
      gpu.wavefront_size);
    v(Field{"max_waves_per_simd", "wavefronts that a SIMD can hold"}, gpu.max_waves_per_simd);
    v(Field{"lds_bytes", "local data share of a workgroup processor or compute unit"},
      gpu.lds_bytes);
    v(Field{"l2_cache_bytes", "level-2 cache, all of it"}, gpu.l2_cache_bytes);
    v(Field{"last_level_cache_bytes", "largest cache level (Infinity Cache where there is one)"},
      gpu.last_level_cache_bytes);
    v(Field{"max_engine_clock_mhz", "highest engine clock that KFD states"},
      gpu.max_engine_clock_mhz);
    v(Field{"sdma_engines", "DMA engines"}, gpu.sdma_engines);
    v(Field{"sdma_xgmi_engines", "DMA engines meant for XGMI"}, gpu.sdma_xgmi_engines);
    v(Field{"compute_queues", "hardware compute queues"}, gpu.compute_queues);
    v(Field{"memory_ecc", "error correction of device memory is on"}, gpu.memory_ecc);
    v(Field{"sram_ecc", "error correction of on-chip memory is on"}, gpu.sram_ecc);
    v(Field{"coherent_host_access", "the host reads its memory coherently"},
      gpu.coherent_host_access);

    v(Field{"vram_bytes", "device memory (the carve-out on an APU)", "drm kfd rocm_smi hip amd_smi",
            0.02},
      gpu.vram_bytes);
    v(Field{"vram_used_bytes", "device memory in use"}, gpu.vram_used_bytes);
    v(Field{"visible_vram_bytes", "device memory that the processor can address directly"},
      gpu.visible_vram_bytes);
    v(Field{"visible_vram_used_bytes", "of that, in use"}, gpu.visible_vram_used_bytes);
    v(Field{"gtt_bytes", "host memory that the GPU may map"}, gpu.gtt_bytes);
    v(Field{"gtt_used_bytes", "of that, in use"}, gpu.gtt_used_bytes);
    v(Field{"compute_memory_bytes", "memory that KFD offers to compute programs"},
      gpu.compute_memory_bytes);
    v(Field{"memory_bus_width_bits", "width of the memory bus"}, gpu.memory_bus_width_bits);
    v(Field{"memory_clock_max_mhz", "highest memory clock"}, gpu.memory_clock_max_mhz);
    v(Field{"vram_vendor", "maker of the memory chips"}, gpu.vram_vendor);

    v(Field{"numa_node", "NUMA node it is attached to"}, gpu.numa_node);
    v(Field{"local_cpus", "logical CPUs near it"}, gpu.local_cpus);
    v(Field{"xgmi_hive_id", "equal for GPUs joined by XGMI, hexadecimal", "drm kfd"},
      gpu.xgmi_hive_id);
    v(Field{"link_current_width", "PCIe lanes in use: minimum over the bridge chain"},
      gpu.link_current_width);
    v(Field{"link_max_width", "PCIe lanes possible: minimum over the bridge chain"},
      gpu.link_max_width);
    v(Field{"link_current_gt_per_s", "PCIe transfer rate per lane now, minimum over the chain"},
      gpu.link_current_gt_per_s);
    v(Field{"link_max_gt_per_s", "PCIe transfer rate per lane possible, minimum over the chain"},
      gpu.link_max_gt_per_s);
    v(Field{"link_limited_by", "device whose link is the narrowest of the chain now"},
      gpu.link_limited_by);
    v(Field{"pcie_replay_count", "PCIe packets sent again since the driver was loaded"},
      gpu.pcie_replay_count);
    v(Field{"aer_correctable", "PCIe errors corrected, at it and its bridges"},
      gpu.aer_correctable);
    v(Field{"aer_nonfatal", "PCIe errors not corrected, not fatal, at it and its bridges"},
      gpu.aer_nonfatal);
    v(Field{"aer_fatal", "fatal PCIe errors, at it and its bridges"}, gpu.aer_fatal);
    v(Field{"iommu_group", "IOMMU group"}, gpu.iommu_group);
    v(Field{"iommu_type", "how the IOMMU treats it (identity, DMA, DMA-FQ, ...)"}, gpu.iommu_type);
    v(Field{"drives_display", "a connected display hangs on it"}, gpu.drives_display);
    v(Field{"boot_display", "the firmware showed its screen on it"}, gpu.boot_display);

    v(Field{"vbios_version", "version of the video BIOS"}, gpu.vbios_version);
    v(Field{"firmware", "firmware versions by component"}, gpu.firmware);

    v(Field{"power_state", "PCI power state (D0, D3hot, D3cold)"}, gpu.power_state);
    v(Field{"runtime_status", "runtime power management (active, suspended)"}, gpu.runtime_status);
    v(Field{"performance_level", "forced performance level (auto, low, high, manual, ...)"},
      gpu.performance_level);
    v(Field{"busy_percent", "share of time the GPU was busy"}, gpu.busy_percent);
    v(Field{"memory_busy_percent", "share of time the memory controller was busy"},
      gpu.memory_busy_percent);
    v(Field{"clocks", "clock domains with their levels"}, gpu.clocks);
    v(Field{"temperatures", "temperature sensors"}, gpu.temperatures);
    v(Field{"power_watts", "power drawn"}, gpu.power_watts);
    v(Field{"power_cap_watts", "power limit"}, gpu.power_cap_watts);
    v(Field{"power_cap_default_watts", "power limit as shipped"}, gpu.power_cap_default_watts);
    v(Field{"power_cap_min_watts", "lowest power limit that can be set"}, gpu.power_cap_min_watts);
    v(Field{"power_cap_max_watts", "highest power limit that can be set"}, gpu.power_cap_max_watts);
    v(Field{"graphics_voltage_volts", "voltage of the graphics core"}, gpu.graphics_voltage_volts);
    v(Field{"fan_rpm", "fan speed in turns a minute"}, gpu.fan_rpm);
    v(Field{"metrics_revision", "layout of the driver's gpu_metrics block"}, gpu.metrics_revision);
    v(Field{"metrics", "figures of the gpu_metrics block, unit in the name"}, gpu.metrics);
    v(Field{"throttle_reasons", "limits that hold the clocks down now"}, gpu.throttle_reasons);

    v(Field{"ras_features", "RAS feature mask, hexadecimal"}, gpu.ras_features);
    v(Field{"ras_blocks", "error counters by hardware block"}, gpu.ras_blocks);
    v(Field{"bad_pages_retired", "memory pages taken out of use"}, gpu.bad_pages_retired);
    v(Field{"bad_pages_pending", "memory pages to be retired at the next reset"},
      gpu.bad_pages_pending);
    v(Field{"bad_pages_unreservable", "bad memory pages that could not be retired"},
      gpu.bad_pages_unreservable);
    v(Field{"xgmi_errors", "XGMI link error status"}, gpu.xgmi_errors);
}

}  // namespace rocmtune
