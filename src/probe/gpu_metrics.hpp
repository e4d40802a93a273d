// SPDX-License-Identifier: MIT
// Decoder of amdgpu's binary sysfs file `gpu_metrics`. It needs the standard library only.
//
// Layouts: drivers/gpu/drm/amd/include/kgd_pp_interface.h of Linux 6.12 (v1.0-v1.5, v2.x, v3.0) and
// of AMD's amdgpu tree, same path, that Linux took over later (v1.6-v1.9). Units that this header
// does not state are taken from what the drivers in pm/swsmu and pm/powerplay write and from the
// firmware headers in pm/swsmu/inc/pmfw_if.
// What the tables of gpu_metrics are written in. They say where a value lies, what it measures and
// where it goes; gpu_metrics.cpp reads them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace rocmtune {

// A measured value in the unit of its member's name; nullopt = the driver did not fill it (all ones
// in the field's width) or the value is listed in GpuMetrics::unread.
using Reading = std::optional<double>;
// A counter, bit mask or number of things; nullopt as above.
using Counter = std::optional<std::uint64_t>;

// What one compute partition did (v1.6-v1.8). One entry per XCC, in the driver's order.
struct PartitionMetrics {
    std::vector<Reading> gfx_busy_percent;  // 0-100, instantaneous
    std::vector<Counter> gfx_busy_acc;      // accumulated percent; only differences have a meaning

    bool operator==(const PartitionMetrics&) const = default;
};

// Lists end at the last entry that the driver filled; a hole inside a list is a nullopt.
struct GpuMetrics {
    std::string revision;  // "1.3"

    // Temperatures, degree Celsius, below 250. v1.x: whole degrees, v2.x and v3.0: hundredths.
    Reading temperature_edge_celsius;              // v1.0-v1.3
    Reading temperature_hotspot_celsius;           // v1.x; v1.4+: the socket's highest
    Reading temperature_mem_celsius;               // v1.x; v1.4+: the highest HBM stack
    Reading temperature_vrgfx_celsius;             // v1.0-v1.3
    Reading temperature_vrsoc_celsius;             // v1.x; v1.4+: the highest of all voltage rails
    Reading temperature_vrmem_celsius;             // v1.0-v1.3
    Reading temperature_gfx_celsius;               // v2.x, v3.0 (APU)
    Reading temperature_soc_celsius;               // v2.x, v3.0 (APU)
    Reading temperature_skin_celsius;              // v3.0
    std::vector<Reading> temperature_hbm_celsius;  // by stack; v1.1-v1.3: MI200, v1.9: MI350

    // Load, percent, 0-100. In v2.2-v2.4 percent or hundredths of it, by firmware (Van Gogh): there
    // a value of 1-100 cannot be told apart and is unread. `gpu_busy_percent` knows the firmware.
    Reading average_gfx_activity_percent;
    Reading average_umc_activity_percent;  // memory controller; v1.x
    Reading average_mm_activity_percent;   // video engines; v1.4, v1.5, v1.9: the busiest VCN

    // Power. v1.x whole watts above 0 (the second die of an MI250 reports 0 and is unread), v2.x
    // and v3.0 milliwatts. Renoir (v2.0-v2.2) gives watts or milliwatts by firmware: below 1000
    // unread. v2.x stores 16 bits, so it cannot say more than 65.5 W; the driver of the BC-250
    // (v2.2) wraps.
    Reading average_socket_power_watts;       // v1.0-v1.3, v2.x, v3.0 (APU + dGPU)
    Reading current_socket_power_watts;       // v1.4+
    Reading average_cpu_power_watts;          // v2.x where the driver fills it
    Reading average_gfx_power_watts;          // v2.2+, v3.0; in v2.1 the drivers file VDD here
    Reading average_apu_power_watts;          // v3.0
    Reading average_dgpu_power_watts;         // v3.0
    Reading average_ipu_power_watts;          // v3.0 (NPU)
    Reading stapm_power_limit_watts;          // v3.0; not filled by Linux 6.12
    Reading current_stapm_power_limit_watts;  // v3.0; not filled by Linux 6.12

    // Energy. Ticks counted by the firmware, above 0. One tick is 2^-16 J (15.259 uJ) in v1.4+, as
    // the kernel states there, and on MI200; Navi 21 (v1.3) counts about 1 mJ in 32 bits. So joules
    // are given for v1.4+ only.
    Counter energy_accumulator;  // v1.x
    Reading energy_joules;       // v1.4+

    // Clocks, MHz. Where a revision has one clock per instance (v1.4+) the scalar is the highest.
    // v2.1 and later APUs that do not fill `current_*` leave it missing.
    Reading average_gfxclk_mhz;
    Reading average_socclk_mhz;
    Reading average_uclk_mhz;
    Reading average_vclk0_mhz;
    Reading average_dclk0_mhz;
    Reading current_gfxclk_mhz;
    Reading current_socclk_mhz;
    Reading current_uclk_mhz;
    Reading current_vclk0_mhz;
    Reading current_dclk0_mhz;
    Reading current_gfxclk_limit_mhz;                // v3.0, the limit now enforced
    std::vector<Reading> current_gfxclk_mhz_by_xcc;  // v1.4+
    Counter gfxclk_lock_status;                      // v1.4+, bit n = XCC n is locked

    // Voltages, V (v1.3; gfx and soc averages in v2.4).
    Reading voltage_soc_volts;
    Reading voltage_gfx_volts;
    Reading voltage_mem_volts;

    // Throttling. The first is the firmware's own bit order (missing in v1.4 and v1.5, where the
    // driver writes a constant 0); the second is common to all chips (v1.3, v2.2+): see
    // throttle_reasons().
    Counter throttle_status;
    Counter indep_throttle_status;

    // Residencies: how often a limiter was active. v1.6+: share = difference between two reads
    // divided by that of accumulation_counter. v3.0: firmware metrics updates in PM timer cycles.
    Counter accumulation_counter;      // v1.6+
    Counter prochot_residency_acc;     // v1.6+, v3.0
    Counter ppt_residency_acc;         // v1.6+
    Counter socket_thm_residency_acc;  // v1.6+
    Counter vr_thm_residency_acc;      // v1.6+
    Counter hbm_thm_residency_acc;     // v1.6+
    Counter spl_residency_acc;         // v3.0, sustained power limit
    Counter fppt_residency_acc;        // v3.0, fast package power
    Counter sppt_residency_acc;        // v3.0, slow package power
    Counter thm_core_residency_acc;    // v3.0, CPU core temperature
    Counter thm_gfx_residency_acc;     // v3.0
    Counter thm_soc_residency_acc;     // v3.0

    Reading fan_rpm;  // v1.0-v1.3; also 0 on boards without a fan of their own

    // PCIe as the device sees it (v1.x; not filled on MI300A and by old SR-IOV drivers).
    Counter pcie_link_width;           // lanes, 1-32
    Reading pcie_link_speed_gt_per_s;  // 2.5-64
    Counter pcie_bandwidth_acc;        // v1.4+; header and tools disagree on the unit: GB/s or Mb/s
    Counter pcie_bandwidth_inst;       // v1.4+; as above
    Counter pcie_l0_to_recov_count_acc;       // v1.4+
    Counter pcie_replay_count_acc;            // v1.4+
    Counter pcie_replay_rover_count_acc;      // v1.4+, roll-overs of the replay counter
    Counter pcie_nak_sent_count_acc;          // v1.5+
    Counter pcie_nak_rcvd_count_acc;          // v1.5+
    Counter pcie_lc_perf_other_end_recovery;  // v1.6+, recoveries begun by the other end

    // XGMI (v1.4+). One list entry per link.
    Counter xgmi_link_width;                      // lanes
    Reading xgmi_link_speed_gbps;                 // bit rate, Gbit/s
    std::vector<Counter> xgmi_read_data_acc_kb;   // kilobytes
    std::vector<Counter> xgmi_write_data_acc_kb;  // kilobytes
    std::vector<Counter> xgmi_link_status;        // v1.7+: 1 active, 0 inactive

    // Accumulated percent (v1.1+ of v1.x); only differences have a meaning.
    Counter gfx_activity_acc;
    Counter mem_activity_acc;

    Reading mem_max_bandwidth_gb_per_s;  // v1.7+

    Reading system_clock_seconds;        // host boot time clock when the driver filled the file
    Reading firmware_timestamp_seconds;  // v1.2+ of v1.x, resolution 10 ns

    std::vector<PartitionMetrics> partitions;  // v1.6-v1.8, as many as are counted (at most 8)

    // Values present in the file that cannot be used, each with the kernel's field name and why:
    // "average_socket_power 15: watts or milliwatts, by firmware". The first 32 of them.
    std::vector<std::string> unread;

    bool operator==(const GpuMetrics&) const = default;

    // Left out on purpose: CPU core and L3 figures, fan_pwm, soc power (two drivers file different
    // rails there), v3.0 average_vcn_activity and average_ipu_activity (header and driver disagree
    // on percent or hundredths) and average_sys_power (63.5 W beside a socket of 9.8 W in a real
    // capture), second video clocks, VCN and JPEG load by partition, and of v1.9 the load by XCC,
    // the counters of clocks below a limit, and the temperatures by die, whose numbers moved from
    // one kernel to the next.
};

struct GpuMetricsResult {
    std::optional<GpuMetrics> metrics;
    std::string reason;  // why there are no metrics; empty if there are
};

// Decodes the whole file. Known are v1.0-v1.9, v2.0-v2.4 and v3.0. v1.9 is a list, in which each
// value says what it is: one that this version does not know is passed over. An unknown revision, a
// size that is not the known one of its revision, a list that goes beyond its size or a file
// shorter than that is not read; bytes after that are ignored. Never throws on any content.
GpuMetricsResult decode_gpu_metrics(std::span<const std::byte> bytes);

// Names of the bits set in GpuMetrics::indep_throttle_status, lowest bit first, as in the
// SMU_THROTTLER_*_BIT list of drivers/gpu/drm/amd/pm/swsmu/inc/amdgpu_smu.h: "PPT0",
// "TEMP_HOTSPOT". Bits without a name there are left out.
std::vector<std::string_view> throttle_reasons(std::uint64_t indep_status);

namespace gpu_metrics {

enum class Type : std::uint8_t { u8 = 1, u16 = 2, u32 = 4, u64 = 8 };  // value = width in bytes

enum class Unit : std::uint8_t {
    count,
    celsius,
    centi_celsius,
    percent,
    centi_percent,
    percent_or_centi,  // by firmware, see GpuMetrics
    watts,
    milliwatts,
    watts_or_milliwatts,  // by firmware, see GpuMetrics
    energy_ticks,
    energy_joules,
    mhz,
    millivolts,
    lanes,
    tenth_gt_per_s,
    link_state,
    nanoseconds,
    ten_nanoseconds,
};

using M = GpuMetrics;
// An array that goes into a scalar is its highest entry.
using Target =
    std::variant<Reading M::*, Counter M::*, std::vector<Reading> M::*, std::vector<Counter> M::*>;

// ---- revisions that are structures (v1.0-v1.8, v2.x, v3.0) --------------------------------------

struct MetricField {
    std::string_view name;  // the kernel's
    std::uint16_t offset;   // from the base of the segment, bytes
    Type type;
    std::uint8_t entries;
    Unit unit;
    Target target;
};

// Fields that several revisions keep in the same order, perhaps at another place.
struct Segment {
    std::uint16_t base = 0;
    std::span<const MetricField> fields;
};

// struct amdgpu_xcp_metrics*: gfx_busy_inst comes first, gfx_busy_acc at busy_acc_offset.
struct PartitionLayout {
    std::uint16_t count_offset = 0;
    std::uint16_t base = 0;
    std::uint16_t stride = 0;  // 0: the revision has none
    std::uint16_t busy_acc_offset = 0;
};

struct Layout {
    std::uint8_t format;
    std::uint8_t content;
    std::uint16_t size;
    std::array<Segment, 11> segments;  // unused ones are empty
    PartitionLayout partitions = {};
};

// NUM_XCP and MAX_XCC of kgd_pp_interface.h.
constexpr std::size_t max_partitions = 8;
constexpr std::size_t max_xccs = 8;
constexpr std::size_t header_size = 4;

// No field leaves its structure, and each is naturally aligned: the compiler has checked it.
std::span<const Layout> layouts();

// ---- the revision that is a list (v1.9) ---------------------------------------------------------

// AMDGPU_METRICS_UNIT_*; `any`: a bare counter, of which the drivers say NONE or PERCENT.
enum class ListUnit : std::uint8_t {
    none,
    mhz,
    celsius,
    watts,
    nanoseconds,
    ten_nanoseconds,
    gt_per_s,
    tenth_gt_per_s,
    gb_per_s,
    kilobytes,
    percent,
    any = 0xFF,
};

// Several rows may have the same id. A value that the driver declares in another unit is not read.
struct Attribute {
    std::uint16_t id;  // AMDGPU_METRICS_ATTR_ID_*
    ListUnit declared;
    std::string_view name;  // the kernel's
    Unit unit;
    Target target;
};

std::span<const Attribute> attributes();

}  // namespace gpu_metrics

}  // namespace rocmtune
