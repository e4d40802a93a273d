// SPDX-License-Identifier: MIT
// Revisions that are structures. Order, types and sizes: kgd_pp_interface.h (see gpu_metrics.hpp).
// The revision that is a list, v1.9: Instinct MI300 and later with the drivers of 2026
// (amdgpu 6.16.13 of ROCm 7.2.4 among them). Numbers: enum amdgpu_metrics_attr_id of
// kgd_pp_interface.h; units and types: SMU_13_0_6_METRICS_FIELDS and SMU_15_0_8_METRICS_FIELDS of
// the drivers in pm/swsmu.
#include "probe/gpu_metrics.hpp"

namespace rocmtune {

namespace gpu_metrics {

namespace {

using enum Type;

// v1.0-v1.3, discrete boards.
constexpr MetricField board_fields[] = {
    {"temperature_edge", 0, u16, 1, Unit::celsius, &M::temperature_edge_celsius},
    {"temperature_hotspot", 2, u16, 1, Unit::celsius, &M::temperature_hotspot_celsius},
    {"temperature_mem", 4, u16, 1, Unit::celsius, &M::temperature_mem_celsius},
    {"temperature_vrgfx", 6, u16, 1, Unit::celsius, &M::temperature_vrgfx_celsius},
    {"temperature_vrsoc", 8, u16, 1, Unit::celsius, &M::temperature_vrsoc_celsius},
    {"temperature_vrmem", 10, u16, 1, Unit::celsius, &M::temperature_vrmem_celsius},
    {"average_gfx_activity", 12, u16, 1, Unit::percent, &M::average_gfx_activity_percent},
    {"average_umc_activity", 14, u16, 1, Unit::percent, &M::average_umc_activity_percent},
    {"average_mm_activity", 16, u16, 1, Unit::percent, &M::average_mm_activity_percent},
    {"average_socket_power", 18, u16, 1, Unit::watts, &M::average_socket_power_watts},
};
constexpr MetricField board_clocks[] = {
    {"average_gfxclk_frequency", 40, u16, 1, Unit::mhz, &M::average_gfxclk_mhz},
    {"average_socclk_frequency", 42, u16, 1, Unit::mhz, &M::average_socclk_mhz},
    {"average_uclk_frequency", 44, u16, 1, Unit::mhz, &M::average_uclk_mhz},
    {"average_vclk0_frequency", 46, u16, 1, Unit::mhz, &M::average_vclk0_mhz},
    {"average_dclk0_frequency", 48, u16, 1, Unit::mhz, &M::average_dclk0_mhz},
    {"current_gfxclk", 54, u16, 1, Unit::mhz, &M::current_gfxclk_mhz},
    {"current_socclk", 56, u16, 1, Unit::mhz, &M::current_socclk_mhz},
    {"current_uclk", 58, u16, 1, Unit::mhz, &M::current_uclk_mhz},
    {"current_vclk0", 60, u16, 1, Unit::mhz, &M::current_vclk0_mhz},
    {"current_dclk0", 62, u16, 1, Unit::mhz, &M::current_dclk0_mhz},
    {"throttle_status", 68, u32, 1, Unit::count, &M::throttle_status},
    {"current_fan_speed", 72, u16, 1, Unit::count, &M::fan_rpm},
};
constexpr MetricField v1_0_fields[] = {
    {"system_clock_counter", 8, u64, 1, Unit::nanoseconds, &M::system_clock_seconds},
    {"energy_accumulator", 36, u32, 1, Unit::energy_ticks, &M::energy_accumulator},
    {"pcie_link_width", 74, u8, 1, Unit::lanes, &M::pcie_link_width},
    {"pcie_link_speed", 75, u8, 1, Unit::tenth_gt_per_s, &M::pcie_link_speed_gt_per_s},
};
constexpr MetricField v1_1_fields[] = {
    {"energy_accumulator", 24, u64, 1, Unit::energy_ticks, &M::energy_accumulator},
    {"system_clock_counter", 32, u64, 1, Unit::nanoseconds, &M::system_clock_seconds},
    {"pcie_link_width", 74, u16, 1, Unit::lanes, &M::pcie_link_width},
    {"pcie_link_speed", 76, u16, 1, Unit::tenth_gt_per_s, &M::pcie_link_speed_gt_per_s},
    {"gfx_activity_acc", 80, u32, 1, Unit::count, &M::gfx_activity_acc},
    {"mem_activity_acc", 84, u32, 1, Unit::count, &M::mem_activity_acc},
    {"temperature_hbm", 88, u16, 4, Unit::celsius, &M::temperature_hbm_celsius},
};
constexpr MetricField v1_2_fields[] = {
    {"firmware_timestamp", 96, u64, 1, Unit::ten_nanoseconds, &M::firmware_timestamp_seconds},
};
constexpr MetricField v1_3_fields[] = {
    {"voltage_soc", 104, u16, 1, Unit::millivolts, &M::voltage_soc_volts},
    {"voltage_gfx", 106, u16, 1, Unit::millivolts, &M::voltage_gfx_volts},
    {"voltage_mem", 108, u16, 1, Unit::millivolts, &M::voltage_mem_volts},
    {"indep_throttle_status", 112, u64, 1, Unit::count, &M::indep_throttle_status},
};

// v1.4-v1.8, Instinct MI300 and later (smu_v13_0_6_get_gpu_metrics).
constexpr MetricField socket_fields[] = {
    {"temperature_hotspot", 4, u16, 1, Unit::celsius, &M::temperature_hotspot_celsius},
    {"temperature_mem", 6, u16, 1, Unit::celsius, &M::temperature_mem_celsius},
    {"temperature_vrsoc", 8, u16, 1, Unit::celsius, &M::temperature_vrsoc_celsius},
    {"curr_socket_power", 10, u16, 1, Unit::watts, &M::current_socket_power_watts},
    {"average_gfx_activity", 12, u16, 1, Unit::percent, &M::average_gfx_activity_percent},
    {"average_umc_activity", 14, u16, 1, Unit::percent, &M::average_umc_activity_percent},
};
constexpr MetricField vcn_fields[] = {
    {"vcn_activity", 16, u16, 4, Unit::percent, &M::average_mm_activity_percent},
};
constexpr MetricField energy_fields[] = {
    {"energy_accumulator", 0, u64, 1, Unit::energy_ticks, &M::energy_accumulator},
    {"energy_accumulator", 0, u64, 1, Unit::energy_joules, &M::energy_joules},
    {"system_clock_counter", 8, u64, 1, Unit::nanoseconds, &M::system_clock_seconds},
};
constexpr MetricField residency_fields[] = {
    {"accumulation_counter", 0, u32, 1, Unit::count, &M::accumulation_counter},
    {"prochot_residency_acc", 4, u32, 1, Unit::count, &M::prochot_residency_acc},
    {"ppt_residency_acc", 8, u32, 1, Unit::count, &M::ppt_residency_acc},
    {"socket_thm_residency_acc", 12, u32, 1, Unit::count, &M::socket_thm_residency_acc},
    {"vr_thm_residency_acc", 16, u32, 1, Unit::count, &M::vr_thm_residency_acc},
    {"hbm_thm_residency_acc", 20, u32, 1, Unit::count, &M::hbm_thm_residency_acc},
};
// From gfxclk_lock_status, at an address of 4 modulo 8 in v1.4 and v1.5, so that the counters of
// 64 bits follow without a gap; v1.6+ start at a multiple of 8 and leave one of 4 bytes.
constexpr MetricField link_fields[] = {
    {"gfxclk_lock_status", 0, u32, 1, Unit::count, &M::gfxclk_lock_status},
    {"pcie_link_width", 4, u16, 1, Unit::lanes, &M::pcie_link_width},
    {"pcie_link_speed", 6, u16, 1, Unit::tenth_gt_per_s, &M::pcie_link_speed_gt_per_s},
    {"xgmi_link_width", 8, u16, 1, Unit::count, &M::xgmi_link_width},
    {"xgmi_link_speed", 10, u16, 1, Unit::count, &M::xgmi_link_speed_gbps},
    {"gfx_activity_acc", 12, u32, 1, Unit::count, &M::gfx_activity_acc},
    {"mem_activity_acc", 16, u32, 1, Unit::count, &M::mem_activity_acc},
};
// From pcie_bandwidth_acc.
constexpr MetricField pcie_counter_fields[] = {
    {"pcie_bandwidth_acc", 0, u64, 1, Unit::count, &M::pcie_bandwidth_acc},
    {"pcie_bandwidth_inst", 8, u64, 1, Unit::count, &M::pcie_bandwidth_inst},
    {"pcie_l0_to_recov_count_acc", 16, u64, 1, Unit::count, &M::pcie_l0_to_recov_count_acc},
    {"pcie_replay_count_acc", 24, u64, 1, Unit::count, &M::pcie_replay_count_acc},
    {"pcie_replay_rover_count_acc", 32, u64, 1, Unit::count, &M::pcie_replay_rover_count_acc},
};
constexpr MetricField pcie_nak_fields[] = {
    {"pcie_nak_sent_count_acc", 0, u32, 1, Unit::count, &M::pcie_nak_sent_count_acc},
    {"pcie_nak_rcvd_count_acc", 4, u32, 1, Unit::count, &M::pcie_nak_rcvd_count_acc},
};
constexpr MetricField xgmi_fields[] = {
    {"xgmi_read_data_acc", 0, u64, 8, Unit::count, &M::xgmi_read_data_acc_kb},
    {"xgmi_write_data_acc", 64, u64, 8, Unit::count, &M::xgmi_write_data_acc_kb},
};
constexpr MetricField xgmi_status_fields[] = {
    {"xgmi_link_status", 0, u16, 8, Unit::link_state, &M::xgmi_link_status},
};
constexpr MetricField instance_clock_fields[] = {
    {"firmware_timestamp", 0, u64, 1, Unit::ten_nanoseconds, &M::firmware_timestamp_seconds},
    {"current_gfxclk", 8, u16, 8, Unit::mhz, &M::current_gfxclk_mhz},
    {"current_gfxclk", 8, u16, 8, Unit::mhz, &M::current_gfxclk_mhz_by_xcc},
    {"current_socclk", 24, u16, 4, Unit::mhz, &M::current_socclk_mhz},
    {"current_vclk0", 32, u16, 4, Unit::mhz, &M::current_vclk0_mhz},
    {"current_dclk0", 40, u16, 4, Unit::mhz, &M::current_dclk0_mhz},
    {"current_uclk", 48, u16, 1, Unit::mhz, &M::current_uclk_mhz},
};
constexpr MetricField mem_bandwidth_fields[] = {
    {"mem_max_bandwidth", 0, u64, 1, Unit::count, &M::mem_max_bandwidth_gb_per_s},
};
constexpr MetricField other_end_fields[] = {
    {"pcie_lc_perf_other_end_recovery", 0, u32, 1, Unit::count,
     &M::pcie_lc_perf_other_end_recovery},
};

// v2.0-v2.4, APUs. Every driver that fills them passes temperatures in hundredths of a degree
// (GfxTemperature in smu12_driver_if.h, smu11_driver_if_vangogh.h, smu13_driver_if_yellow_carp.h).
constexpr MetricField apu_temperatures[] = {
    {"temperature_gfx", 0, u16, 1, Unit::centi_celsius, &M::temperature_gfx_celsius},
    {"temperature_soc", 2, u16, 1, Unit::centi_celsius, &M::temperature_soc_celsius},
};
// v2.0 and v2.1: Renoir, Yellow Carp, Phoenix, all [centi] in the firmware headers named above.
constexpr MetricField apu_centi_activity[] = {
    {"average_gfx_activity", 0, u16, 1, Unit::centi_percent, &M::average_gfx_activity_percent},
    {"average_mm_activity", 2, u16, 1, Unit::centi_percent, &M::average_mm_activity_percent},
};
// v2.2-v2.4: [centi] in smu11_driver_if_vangogh.h, yet vangogh_common_get_smu_metrics_data() does
// not divide it with newer firmware.
constexpr MetricField apu_unclear_activity[] = {
    {"average_gfx_activity", 0, u16, 1, Unit::percent_or_centi, &M::average_gfx_activity_percent},
    {"average_mm_activity", 2, u16, 1, Unit::percent_or_centi, &M::average_mm_activity_percent},
};
// CurrentSocketPower is [W] in smu12_driver_if.h, and renoir_get_smu_metrics_data() still divides
// it by 1000 with older firmware.
constexpr MetricField apu_unclear_power[] = {
    {"average_socket_power", 0, u16, 1, Unit::watts_or_milliwatts, &M::average_socket_power_watts},
    {"average_cpu_power", 2, u16, 1, Unit::milliwatts, &M::average_cpu_power_watts},
};
constexpr MetricField apu_power[] = {
    {"average_socket_power", 0, u16, 1, Unit::milliwatts, &M::average_socket_power_watts},
    {"average_cpu_power", 2, u16, 1, Unit::milliwatts, &M::average_cpu_power_watts},
};
constexpr MetricField apu_gfx_power[] = {
    {"average_gfx_power", 0, u16, 1, Unit::milliwatts, &M::average_gfx_power_watts},
};
constexpr MetricField apu_clocks[] = {
    {"average_gfxclk_frequency", 0, u16, 1, Unit::mhz, &M::average_gfxclk_mhz},
    {"average_socclk_frequency", 2, u16, 1, Unit::mhz, &M::average_socclk_mhz},
    {"average_uclk_frequency", 4, u16, 1, Unit::mhz, &M::average_uclk_mhz},
    {"average_vclk_frequency", 8, u16, 1, Unit::mhz, &M::average_vclk0_mhz},
    {"average_dclk_frequency", 10, u16, 1, Unit::mhz, &M::average_dclk0_mhz},
    {"current_gfxclk", 12, u16, 1, Unit::mhz, &M::current_gfxclk_mhz},
    {"current_socclk", 14, u16, 1, Unit::mhz, &M::current_socclk_mhz},
    {"current_uclk", 16, u16, 1, Unit::mhz, &M::current_uclk_mhz},
    {"current_vclk", 20, u16, 1, Unit::mhz, &M::current_vclk0_mhz},
    {"current_dclk", 22, u16, 1, Unit::mhz, &M::current_dclk0_mhz},
    {"throttle_status", 44, u32, 1, Unit::count, &M::throttle_status},
};
constexpr MetricField system_clock_fields[] = {
    {"system_clock_counter", 0, u64, 1, Unit::nanoseconds, &M::system_clock_seconds},
};
constexpr MetricField indep_throttle_fields[] = {
    {"indep_throttle_status", 0, u64, 1, Unit::count, &M::indep_throttle_status},
};
constexpr MetricField apu_voltages[] = {
    {"average_soc_voltage", 2, u16, 1, Unit::millivolts, &M::voltage_soc_volts},
    {"average_gfx_voltage", 4, u16, 1, Unit::millivolts, &M::voltage_gfx_volts},
};

// v3.0, APUs from Strix Point on; units in smu14_driver_if_v14_0_0.h. Load is percent with every
// firmware above 0x5d4600 (smu_v14_0_0_get_smu_metrics_data); a higher value than 100 is unread.
constexpr MetricField v3_0_fields[] = {
    {"temperature_gfx", 4, u16, 1, Unit::centi_celsius, &M::temperature_gfx_celsius},
    {"temperature_soc", 6, u16, 1, Unit::centi_celsius, &M::temperature_soc_celsius},
    {"temperature_skin", 40, u16, 1, Unit::centi_celsius, &M::temperature_skin_celsius},
    {"average_gfx_activity", 42, u16, 1, Unit::percent, &M::average_gfx_activity_percent},
    {"system_clock_counter", 104, u64, 1, Unit::nanoseconds, &M::system_clock_seconds},
    {"average_socket_power", 112, u32, 1, Unit::milliwatts, &M::average_socket_power_watts},
    {"average_ipu_power", 116, u16, 1, Unit::milliwatts, &M::average_ipu_power_watts},
    {"average_apu_power", 120, u32, 1, Unit::milliwatts, &M::average_apu_power_watts},
    {"average_gfx_power", 124, u32, 1, Unit::milliwatts, &M::average_gfx_power_watts},
    {"average_dgpu_power", 128, u32, 1, Unit::milliwatts, &M::average_dgpu_power_watts},
    {"stapm_power_limit", 170, u16, 1, Unit::milliwatts, &M::stapm_power_limit_watts},
    {"current_stapm_power_limit", 172, u16, 1, Unit::milliwatts,
     &M::current_stapm_power_limit_watts},
    {"average_gfxclk_frequency", 174, u16, 1, Unit::mhz, &M::average_gfxclk_mhz},
    {"average_socclk_frequency", 176, u16, 1, Unit::mhz, &M::average_socclk_mhz},
    {"average_vclk_frequency", 184, u16, 1, Unit::mhz, &M::average_vclk0_mhz},
    {"average_uclk_frequency", 186, u16, 1, Unit::mhz, &M::average_uclk_mhz},
    {"current_gfx_maxfreq", 224, u16, 1, Unit::mhz, &M::current_gfxclk_limit_mhz},
    {"throttle_residency_prochot", 228, u32, 1, Unit::count, &M::prochot_residency_acc},
    {"throttle_residency_spl", 232, u32, 1, Unit::count, &M::spl_residency_acc},
    {"throttle_residency_fppt", 236, u32, 1, Unit::count, &M::fppt_residency_acc},
    {"throttle_residency_sppt", 240, u32, 1, Unit::count, &M::sppt_residency_acc},
    {"throttle_residency_thm_core", 244, u32, 1, Unit::count, &M::thm_core_residency_acc},
    {"throttle_residency_thm_gfx", 248, u32, 1, Unit::count, &M::thm_gfx_residency_acc},
    {"throttle_residency_thm_soc", 252, u32, 1, Unit::count, &M::thm_soc_residency_acc},
};

// One revision a row; each pair is the base of a segment and its fields.
// clang-format off
constexpr Layout all_layouts[] = {
    {1, 0, 80, {{{16, board_fields}, {0, board_clocks}, {0, v1_0_fields}}}},
    {1, 1, 96, {{{4, board_fields}, {0, board_clocks}, {0, v1_1_fields}}}},
    {1, 2, 104, {{{4, board_fields}, {0, board_clocks}, {0, v1_1_fields}, {0, v1_2_fields}}}},
    {1, 3, 120, {{{4, board_fields}, {0, board_clocks}, {0, v1_1_fields}, {0, v1_2_fields},
                  {0, v1_3_fields}}}},
    {1, 4, 288, {{{0, socket_fields}, {0, vcn_fields}, {24, energy_fields}, {44, link_fields},
                  {64, pcie_counter_fields}, {104, xgmi_fields}, {232, instance_clock_fields}}}},
    {1, 5, 360, {{{0, socket_fields}, {0, vcn_fields}, {88, energy_fields}, {108, link_fields},
                  {128, pcie_counter_fields}, {168, pcie_nak_fields}, {176, xgmi_fields},
                  {304, instance_clock_fields}}}},
    {1, 6, 1664, {{{0, socket_fields}, {16, energy_fields}, {32, residency_fields},
                   {56, link_fields}, {80, pcie_counter_fields}, {120, pcie_nak_fields},
                   {128, xgmi_fields}, {256, instance_clock_fields}, {1656, other_end_fields}}},
     {306, 312, 168, 104}},
    {1, 7, 2208, {{{0, socket_fields}, {16, mem_bandwidth_fields}, {24, energy_fields},
                   {40, residency_fields}, {64, link_fields}, {88, pcie_counter_fields},
                   {128, pcie_nak_fields}, {136, xgmi_fields}, {264, xgmi_status_fields},
                   {288, instance_clock_fields}, {2200, other_end_fields}}},
     {338, 344, 232, 104}},
    {1, 8, 3872, {{{0, socket_fields}, {16, mem_bandwidth_fields}, {24, energy_fields},
                   {40, residency_fields}, {64, link_fields}, {88, pcie_counter_fields},
                   {128, pcie_nak_fields}, {136, xgmi_fields}, {264, xgmi_status_fields},
                   {288, instance_clock_fields}, {3864, other_end_fields}}},
     {338, 344, 440, 120}},
    {2, 0, 120, {{{8, system_clock_fields}, {16, apu_temperatures}, {40, apu_centi_activity},
                  {44, apu_unclear_power}, {68, apu_clocks}}}},
    {2, 1, 120, {{{4, apu_temperatures}, {28, apu_centi_activity}, {32, system_clock_fields},
                  {40, apu_unclear_power}, {64, apu_clocks}}}},
    {2, 2, 128, {{{4, apu_temperatures}, {28, apu_unclear_activity}, {32, system_clock_fields},
                  {40, apu_unclear_power}, {46, apu_gfx_power}, {64, apu_clocks},
                  {120, indep_throttle_fields}}}},
    {2, 3, 152, {{{4, apu_temperatures}, {28, apu_unclear_activity}, {32, system_clock_fields},
                  {40, apu_power}, {46, apu_gfx_power}, {64, apu_clocks},
                  {120, indep_throttle_fields}}}},
    {2, 4, 168, {{{4, apu_temperatures}, {28, apu_unclear_activity}, {32, system_clock_fields},
                  {40, apu_power}, {46, apu_gfx_power}, {64, apu_clocks},
                  {120, indep_throttle_fields}, {152, apu_voltages}}}},
    {3, 0, 264, {{{0, v3_0_fields}}}},
};
// clang-format on

constexpr bool fits(const Layout& layout, std::size_t offset, std::size_t width,
                    std::size_t entries) {
    return offset % width == 0 && offset >= header_size && offset + width * entries <= layout.size;
}

constexpr bool partitions_fit(const Layout& layout) {
    const PartitionLayout& at = layout.partitions;
    if (at.stride == 0) return true;
    return fits(layout, at.count_offset, 2, 1) && at.stride % 8 == 0 &&
           at.busy_acc_offset + 8 * max_xccs <= at.stride &&
           fits(layout, at.base, 8, at.stride / 8 * max_partitions);
}

constexpr bool layouts_fit() {
    for (const Layout& layout : all_layouts) {
        for (const Segment& segment : layout.segments) {
            for (const MetricField& field : segment.fields) {
                if (!fits(layout, segment.base + std::size_t{field.offset},
                          static_cast<std::size_t>(field.type), field.entries)) {
                    return false;
                }
            }
        }
        if (!partitions_fit(layout)) return false;
    }
    return true;
}
static_assert(layouts_fit());

}  // namespace

std::span<const Layout> layouts() {
    return all_layouts;
}

namespace {

using L = ListUnit;

// Not here: the numbers above 48, which moved from one kernel to the next, and what GpuMetrics
// leaves out.
// clang-format off
constexpr Attribute all_attributes[] = {
    {0, L::celsius, "temperature_hotspot", Unit::celsius, &M::temperature_hotspot_celsius},
    {1, L::celsius, "temperature_mem", Unit::celsius, &M::temperature_mem_celsius},
    {2, L::celsius, "temperature_vrsoc", Unit::celsius, &M::temperature_vrsoc_celsius},
    {3, L::watts, "curr_socket_power", Unit::watts, &M::current_socket_power_watts},
    {4, L::percent, "average_gfx_activity", Unit::percent, &M::average_gfx_activity_percent},
    {5, L::percent, "average_umc_activity", Unit::percent, &M::average_umc_activity_percent},
    {6, L::gb_per_s, "mem_max_bandwidth", Unit::count, &M::mem_max_bandwidth_gb_per_s},
    {7, L::none, "energy_accumulator", Unit::energy_ticks, &M::energy_accumulator},
    {7, L::none, "energy_accumulator", Unit::energy_joules, &M::energy_joules},
    {8, L::nanoseconds, "system_clock_counter", Unit::nanoseconds, &M::system_clock_seconds},
    {9, L::none, "accumulation_counter", Unit::count, &M::accumulation_counter},
    {10, L::none, "prochot_residency_acc", Unit::count, &M::prochot_residency_acc},
    {11, L::none, "ppt_residency_acc", Unit::count, &M::ppt_residency_acc},
    {12, L::none, "socket_thm_residency_acc", Unit::count, &M::socket_thm_residency_acc},
    {13, L::none, "vr_thm_residency_acc", Unit::count, &M::vr_thm_residency_acc},
    {14, L::none, "hbm_thm_residency_acc", Unit::count, &M::hbm_thm_residency_acc},
    {15, L::none, "gfxclk_lock_status", Unit::count, &M::gfxclk_lock_status},
    {16, L::none, "pcie_link_width", Unit::lanes, &M::pcie_link_width},
    {17, L::tenth_gt_per_s, "pcie_link_speed", Unit::tenth_gt_per_s, &M::pcie_link_speed_gt_per_s},
    {18, L::none, "xgmi_link_width", Unit::count, &M::xgmi_link_width},
    {19, L::gt_per_s, "xgmi_link_speed", Unit::count, &M::xgmi_link_speed_gbps},
    {20, L::any, "gfx_activity_acc", Unit::count, &M::gfx_activity_acc},
    {21, L::any, "mem_activity_acc", Unit::count, &M::mem_activity_acc},
    {22, L::any, "pcie_bandwidth_acc", Unit::count, &M::pcie_bandwidth_acc},
    {23, L::gb_per_s, "pcie_bandwidth_inst", Unit::count, &M::pcie_bandwidth_inst},
    {24, L::none, "pcie_l0_to_recov_count_acc", Unit::count, &M::pcie_l0_to_recov_count_acc},
    {25, L::none, "pcie_replay_count_acc", Unit::count, &M::pcie_replay_count_acc},
    {26, L::none, "pcie_replay_rover_count_acc", Unit::count, &M::pcie_replay_rover_count_acc},
    {27, L::none, "pcie_nak_sent_count_acc", Unit::count, &M::pcie_nak_sent_count_acc},
    {28, L::none, "pcie_nak_rcvd_count_acc", Unit::count, &M::pcie_nak_rcvd_count_acc},
    {29, L::kilobytes, "xgmi_read_data_acc", Unit::count, &M::xgmi_read_data_acc_kb},
    {30, L::kilobytes, "xgmi_write_data_acc", Unit::count, &M::xgmi_write_data_acc_kb},
    {31, L::none, "xgmi_link_status", Unit::link_state, &M::xgmi_link_status},
    {32, L::ten_nanoseconds, "firmware_timestamp", Unit::ten_nanoseconds,
     &M::firmware_timestamp_seconds},
    {33, L::mhz, "current_gfxclk", Unit::mhz, &M::current_gfxclk_mhz},
    {33, L::mhz, "current_gfxclk", Unit::mhz, &M::current_gfxclk_mhz_by_xcc},
    {34, L::mhz, "current_socclk", Unit::mhz, &M::current_socclk_mhz},
    {35, L::mhz, "current_vclk0", Unit::mhz, &M::current_vclk0_mhz},
    {36, L::mhz, "current_dclk0", Unit::mhz, &M::current_dclk0_mhz},
    {37, L::mhz, "current_uclk", Unit::mhz, &M::current_uclk_mhz},
    {39, L::none, "pcie_lc_perf_other_end_recovery", Unit::count,
     &M::pcie_lc_perf_other_end_recovery},
    {42, L::percent, "vcn_busy", Unit::percent, &M::average_mm_activity_percent},
    {48, L::celsius, "temperature_hbm", Unit::celsius, &M::temperature_hbm_celsius},
};
// clang-format on

}  // namespace

std::span<const Attribute> attributes() {
    return all_attributes;
}

}  // namespace gpu_metrics

}  // namespace rocmtune
